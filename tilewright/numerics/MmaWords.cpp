// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices of words. Operands are converted to f32 (f64, i32), in which a fused
// multiply-add computes their products exactly; the chains of the result are f32 (f64, i32) from
// the accumulator on.

#include "tilewright/numerics/Mma.h"
#include "tilewright/numerics/Rows.h"
#include <cstring>
#include <memory>

using namespace tilewright::numerics;

namespace {
/// Words converted to values.
template <typename Value> class Values {
public:
  Values(RowFunction convert, const void *words, int64_t count)
      : values(std::make_unique_for_overwrite<Value[]>(count)) {
    convert(&words, values.get(), count);
  }
  operator const Value *() const { return values.get(); }

private:
  std::unique_ptr<Value[]> values;
};
} // namespace

static RowFunction conversion(Format from, Format to) {
  RowFunction row = rows::floatToFloat(from, to, RoundingMode::NearestEven);
  assert(row && "every factor and accumulator can be read as f32");
  return row;
}

/// Adds the product to the chains, which hold the accumulator.
template <typename Chain, typename Factor>
static void multiply(MmaShape shape, const Factor *lhs, const Factor *rhs, Chain *chains) {
  for (int64_t i = 0; i < shape.m; ++i)
    mmaRow(chains + i * shape.n, lhs + i * shape.k, rhs, shape.n, shape.k);
}

/// Every operation that creates a NaN gives the canonical one.
template <typename Chain> static void makeNansCanonical(Chain *chains, int64_t count, Chain nan) {
  for (int64_t i = 0; i < count; ++i)
    chains[i] = chains[i] != chains[i] ? nan : chains[i];
}

static void multiplySingles(MmaShape shape, const float *lhs, const float *rhs, Format sum,
                            const void *acc, void *result) {
  int64_t size = shape.m * shape.n;
  if (sum == Format::F32) {
    float *chains = static_cast<float *>(result);
    std::memcpy(chains, acc, size * sizeof *chains);
    multiply(shape, lhs, rhs, chains);
    return makeNansCanonical(chains, size, Element::canonicalNan(sum).asFloat());
  }
  auto chains = std::make_unique_for_overwrite<float[]>(size);
  conversion(sum, Format::F32)(&acc, chains.get(), size);
  multiply(shape, lhs, rhs, chains.get());
  const void *in = chains.get();
  conversion(Format::F32, sum)(&in, result, size);
}

void tilewright::numerics::mmafWords(MmaShape shape, Format factors, const void *lhs,
                                     const void *rhs, Format sum, const void *acc, void *result) {
  int64_t lhsSize = shape.m * shape.k, rhsSize = shape.k * shape.n, size = shape.m * shape.n;
  if (factors == Format::F64) {
    double *chains = static_cast<double *>(result);
    std::memcpy(chains, acc, size * sizeof *chains);
    multiply(shape, static_cast<const double *>(lhs), static_cast<const double *>(rhs), chains);
    return makeNansCanonical(chains, size, Element::canonicalNan(sum).asDouble());
  }
  if (factors == Format::F32)
    return multiplySingles(shape, static_cast<const float *>(lhs), static_cast<const float *>(rhs),
                           sum, acc, result);
  RowFunction toSingle = conversion(factors, Format::F32);
  multiplySingles(shape, Values<float>(toSingle, lhs, lhsSize),
                  Values<float>(toSingle, rhs, rhsSize), sum, acc, result);
}

void tilewright::numerics::mmaiWords(MmaShape shape, const void *lhs, const void *rhs,
                                     const void *acc, Signedness lhsSignedness,
                                     Signedness rhsSignedness, void *result) {
  int32_t *chains = static_cast<int32_t *>(result);
  std::memcpy(chains, acc, shape.m * shape.n * sizeof *chains);
  Values<int32_t> left(rows::extI(Format::I8, Format::I32, lhsSignedness), lhs, shape.m * shape.k);
  Values<int32_t> right(rows::extI(Format::I8, Format::I32, rhsSignedness), rhs, shape.k * shape.n);
  multiply<int32_t, int32_t>(shape, left, right, chains);
}
