// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Buffers.h"
#include "tilewright/simt/Register.h"

#include "tilewright/numerics/Convert.h"
#include "tilewright/support/Shape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;
using numerics::Format;
using support::Failure;
using support::Result;

int64_t Buffer::count() const { return llvm::product_of(shape); }

//===-- Random arguments -----------------------------------------------------------------===//

/// The extent of a dynamic dimension for which the caller gives none.
static constexpr int64_t defaultExtent = 16;

static Element randomElement(Format format, uint64_t draw, bool isIndex) {
  const numerics::FormatInfo &info = numerics::info(format);
  if (format == Format::I1)
    return Element::boolean(draw & 1);
  if (isIndex)
    return Element::integer(format, draw % 4);
  const int64_t number = int64_t(draw % 9) - 4;
  if (!info.isFloat())
    return Element::integer(format, number);
  // f8E8M0FNU has only powers of two.
  return numerics::roundToFormat(info.hasZero ? double(number) : std::ldexp(1.0, number), format);
}

/// Whether the shape has no more elements than the default limit of a run.
static bool isReasonable(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  return llvm::none_of(shape, [&](int64_t extent) {
    return __builtin_mul_overflow(count, extent, &count) || count > int64_t(1) << 28;
  });
}

Result<std::vector<Buffer>> simt::randomArguments(func::FuncOp function, uint64_t seed,
                                                  ArrayRef<int64_t> extents) {
  std::mt19937_64 generator(seed);
  std::vector<Buffer> arguments;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    Result<Contents> contents = contentsOf(type);
    if (!contents)
      return contents.failure().at(formatv("argument {0}", number));
    const auto shaped = llvm::dyn_cast<ShapedType>(type);
    Buffer buffer = {shaped ? shaped.getElementType() : type, {}, {}};
    if (shaped)
      buffer.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    for (int64_t &extent : buffer.shape)
      if (ShapedType::isDynamic(extent)) {
        extent = extents.empty() ? defaultExtent : extents.front();
        extents = extents.drop_front(extents.empty() ? 0 : 1);
      }
    if (!isReasonable(buffer.shape))
      return Failure{
          formatv("argument {0}: memory of type {1} is too large to be filled", number, type)};
    for (int64_t place = 0, count = buffer.count(); place < count; ++place)
      buffer.bits.push_back(
          randomElement(contents->format, generator(), buffer.element.isIndex()).bits);
    arguments.push_back(std::move(buffer));
  }
  return arguments;
}

//===-- Comparison -----------------------------------------------------------------------===//

static bool haveEqualValues(Element lhs, Element rhs, double relative) {
  if (lhs == rhs)
    return true;
  if (!numerics::info(lhs.format).isFloat())
    return false;
  const double left = lhs.asDouble(), right = rhs.asDouble();
  if (left == right || (std::isnan(left) && std::isnan(right)))
    return true;
  const double greater = std::max(std::abs(left), std::abs(right));
  return std::isfinite(greater) && std::abs(left - right) <= relative * greater;
}

/// The first difference between arguments with this name.
static std::optional<Difference> firstDifference(const std::string &name, const Buffer &expected,
                                                 const Buffer &found, double relative) {
  if (expected.element != found.element || expected.shape != found.shape)
    return Difference{name, std::nullopt, name + ": other types or shapes"};
  const Format format = *formatOf(expected.element);
  for (auto [place, bits] : llvm::enumerate(llvm::zip_equal(expected.bits, found.bits))) {
    auto [left, right] = bits;
    const Element wanted = {left, format}, got = {right, format};
    if (haveEqualValues(wanted, got, relative))
      continue;
    const auto spell = [](int64_t coordinate) { return std::to_string(coordinate); };
    return Difference{
        name, int64_t(place),
        formatv(
            "{0} [{1}]: expected {2}, found {3}", name,
            llvm::join(llvm::map_range(support::coordinatesOf(expected.shape, place), spell), ", "),
            numerics::toString(wanted), numerics::toString(got))};
  }
  return std::nullopt;
}

std::optional<Difference> simt::firstDifference(ArrayRef<Buffer> expected, ArrayRef<Buffer> found,
                                                double relative) {
  if (expected.size() != found.size())
    return Difference{"", std::nullopt,
                      formatv("expected {0} arguments, found {1}", expected.size(), found.size())};
  for (size_t number = 0; number < expected.size(); ++number)
    if (auto difference = ::firstDifference("argument " + std::to_string(number), expected[number],
                                            found[number], relative))
      return difference;
  return std::nullopt;
}
