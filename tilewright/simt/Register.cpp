// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Register.h"
#include "tilewright/support/Shape.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Format;
using support::Failure;
using support::Result;

//===-- Types ----------------------------------------------------------------------------===//

std::optional<Format> simt::formatOf(Type type) {
  if (type.isIndex())
    return Format::I64;
  if (auto integer = llvm::dyn_cast<IntegerType>(type))
    return numerics::integerFormat(integer.getWidth());
  const auto floatType = llvm::dyn_cast<FloatType>(type);
  return floatType ? numerics::floatFormat(floatType.getFloatSemantics()) : std::nullopt;
}

Result<Contents> simt::contentsOf(Type type) {
  const auto vector = llvm::dyn_cast<VectorType>(type);
  const auto memory = llvm::dyn_cast<MemRefType>(type);
  const Type element = vector ? vector.getElementType() : memory ? memory.getElementType() : type;
  const std::optional<Format> format = formatOf(element);
  if (!format || (vector && vector.isScalable()))
    return Failure{llvm::formatv("values of type {0} cannot be executed: expected integers of 1, "
                                 "4, 8, 16, 32 or 64 bits, index, floats, fixed vectors of these "
                                 "or memory that holds them",
                                 type)};
  const std::optional<int64_t> count = support::elementCount(shapeOf(type));
  if (!count)
    return Failure{
        llvm::formatv("a value of type {0} has more elements than 64 bits can count", type)};
  return Contents{*format, memory ? 0 : *count, bool(memory)};
}

ArrayRef<int64_t> simt::shapeOf(Type type) {
  if (auto vector = llvm::dyn_cast<VectorType>(type))
    return vector.getShape();
  return {};
}

//===-- Rows -----------------------------------------------------------------------------===//

void Register::resize(Contents contents, bool isUniform, int64_t threads) {
  format = contents.format;
  count = contents.count;
  uniform = isUniform;
  const size_t rows = uniform ? 1 : threads;
  bits.resize(rows * count);
  poison.resize(rows * count);
  references.resize(contents.isMemory ? rows : 0);
}

void Register::spread(int64_t threads) {
  if (!uniform)
    return;
  const Register one = std::move(*this);
  resize({one.format, one.count, !one.references.empty()}, false, threads);
  for (int64_t thread = 0; thread < threads; ++thread)
    copyRow(thread, one);
}

void Register::copyRow(int64_t thread, const Register &source) {
  std::copy_n(source.bits.begin() + source.place(thread, 0), count,
              bits.begin() + place(thread, 0));
  std::copy_n(source.poison.begin() + source.place(thread, 0), count,
              poison.begin() + place(thread, 0));
  if (!references.empty())
    references[row(thread)] = source.reference(thread);
}
