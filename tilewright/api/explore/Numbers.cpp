// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Numbers.h.

#include "tilewright/api/explore/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;

double api::numberOf(numerics::Element element) {
  if (numerics::info(element.format).isFloat())
    return element.asDouble();
  return element.format == numerics::Format::I1 ? double(element.bits) : double(element.asSigned());
}

template <typename Word, typename Float> static std::string packAs(llvm::ArrayRef<double> numbers) {
  std::vector<char> bytes(numbers.size() * sizeof(Word));
  for (auto [i, number] : llvm::enumerate(numbers))
    llvm::support::endian::write<Word>(&bytes[i * sizeof(Word)],
                                       llvm::bit_cast<Word>(static_cast<Float>(number)),
                                       llvm::endianness::little);
  return llvm::encodeBase64(bytes);
}

std::string api::packRounded(llvm::ArrayRef<double> numbers) {
  return packAs<uint32_t, float>(numbers);
}

/// Whether the number is a float. The payload of a NaN is lost in any case.
static bool isFloat(double number) { return std::isnan(number) || double(float(number)) == number; }

PackedNumbers api::pack(llvm::ArrayRef<double> numbers) {
  if (llvm::all_of(numbers, isFloat))
    return {"f32", packRounded(numbers)};
  return {"f64", packAs<uint64_t, double>(numbers)};
}
