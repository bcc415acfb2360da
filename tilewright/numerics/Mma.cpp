// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Mma.h"
#include "tilewright/numerics/ExactSum.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Rounding.h"
#include <cmath>
#include <vector>

using namespace tilewright::numerics;
using llvm::ArrayRef;
using llvm::MutableArrayRef;

//===----------------------------------------------------------------------===//
// One step of a chain
//===----------------------------------------------------------------------===//

/// The product of two operands of at most 11 bits is exact in f64. The f64 sum is then rounded to
/// f32 correctly, whether the product is close to the f32 chain or far from it.
static float step(float chain, double lhs, double rhs) { return float(double(chain) + lhs * rhs); }
static float step(float chain, float lhs, float rhs) { return std::fma(lhs, rhs, chain); }
static double step(double chain, double lhs, double rhs) { return std::fma(lhs, rhs, chain); }
static int32_t step(int32_t chain, int32_t lhs, int32_t rhs) {
  return int32_t(uint32_t(chain) + uint32_t(lhs) * uint32_t(rhs));
}

static Element canonical(Element value) {
  return value.isNan() ? Element::canonicalNan(value.format) : value;
}

static Element toElement(float chain) { return canonical(Element::fromFloat(chain)); }
static Element toElement(double chain) { return canonical(Element::fromDouble(chain)); }
static Element toElement(int32_t chain) { return Element::integer(Format::I32, chain); }

static int32_t readI8(Element value, Signedness signedness) {
  return signedness == Signedness::Signed ? int32_t(value.asSigned()) : int32_t(value.asUnsigned());
}

/// A negative scale makes the result undefined (arithmetic, 4.32).
static bool isUndefinedScale(Element scale) { return !scale.isNan() && scale.asDouble() < 0; }

Element tilewright::numerics::mmaStart(Element acc) {
  if (acc.format != Format::F16)
    return acc;
  if (acc.poison)
    return Element::poisoned(Format::F32);
  return round(acc.asDouble(), Format::F32, RoundingMode::NearestEven, Beyond::Ieee);
}

Element tilewright::numerics::mmaStep(Element chain, Element lhs, Element rhs) {
  assert(lhs.format == rhs.format);
  if (anyPoison(chain, lhs, rhs))
    return Element::poisoned(chain.format);
  if (lhs.format == Format::F64)
    return toElement(step(chain.asDouble(), lhs.asDouble(), rhs.asDouble()));
  if (lhs.format == Format::F32)
    return toElement(step(chain.asFloat(), lhs.asFloat(), rhs.asFloat()));
  return toElement(step(chain.asFloat(), lhs.asDouble(), rhs.asDouble()));
}

Element tilewright::numerics::mmaScaledStep(Element chain, Element lhs, Element rhs,
                                            Element lhsScale, Element rhsScale) {
  if (anyPoison(chain, lhs, rhs, lhsScale, rhsScale) || isUndefinedScale(lhsScale) ||
      isUndefinedScale(rhsScale))
    return Element::poisoned(chain.format);
  return toElement(step(chain.asFloat(), lhs.asDouble() * lhsScale.asDouble(),
                        rhs.asDouble() * rhsScale.asDouble()));
}

Element tilewright::numerics::mmaFinish(Element chain, Format acc) {
  if (chain.format == acc)
    return chain;
  assert(chain.format == Format::F32 && acc == Format::F16);
  if (chain.poison)
    return Element::poisoned(acc);
  return round(chain.asFloat(), acc, RoundingMode::NearestEven, Beyond::Ieee);
}

Element tilewright::numerics::mmaiStep(Element acc, Element lhs, Element rhs,
                                       Signedness lhsSignedness, Signedness rhsSignedness) {
  if (anyPoison(acc, lhs, rhs))
    return Element::poisoned(Format::I32);
  return toElement(
      step(int32_t(acc.asSigned()), readI8(lhs, lhsSignedness), readI8(rhs, rhsSignedness)));
}

//===----------------------------------------------------------------------===//
// One row
//
// The chains of a row advance together, so that the compiler can vectorise over them, and four
// steps at a time, so that a chain stays in a register between steps. std::fma is an instruction
// only on processors that are known to have it.
//===----------------------------------------------------------------------===//

template <typename Chain, typename Operand>
[[gnu::always_inline]] static inline void rowLoop(Chain *__restrict chain, const Operand *lhs,
                                                  const Operand *__restrict rhs, int64_t n,
                                                  int64_t k) {
  int64_t i = 0;
  for (; i + 4 <= k; i += 4, rhs += 4 * n)
    for (int64_t j = 0; j < n; ++j) {
      Chain sum = step(chain[j], lhs[i], rhs[j]);
      sum = step(sum, lhs[i + 1], rhs[n + j]);
      sum = step(sum, lhs[i + 2], rhs[2 * n + j]);
      chain[j] = step(sum, lhs[i + 3], rhs[3 * n + j]);
    }
  for (; i < k; ++i, rhs += n)
    for (int64_t j = 0; j < n; ++j)
      chain[j] = step(chain[j], lhs[i], rhs[j]);
}

#if defined(__x86_64__)
template <typename Chain, typename Operand>
[[gnu::target("avx2,fma")]] static void rowWithFma(Chain *chain, const Operand *lhs,
                                                   const Operand *rhs, int64_t n, int64_t k) {
  rowLoop(chain, lhs, rhs, n, k);
}

static bool hasFma() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

template <typename Chain, typename Operand>
static void row(Chain *chain, const Operand *lhs, const Operand *rhs, int64_t n, int64_t k) {
#if defined(__x86_64__)
  if (hasFma())
    return rowWithFma(chain, lhs, rhs, n, k);
#endif
  rowLoop(chain, lhs, rhs, n, k);
}

void tilewright::numerics::mmaRow(float *chain, const double *lhs, const double *rhs, int64_t n,
                                  int64_t k) {
  row(chain, lhs, rhs, n, k);
}
void tilewright::numerics::mmaRow(float *chain, const float *lhs, const float *rhs, int64_t n,
                                  int64_t k) {
  row(chain, lhs, rhs, n, k);
}
void tilewright::numerics::mmaRow(double *chain, const double *lhs, const double *rhs, int64_t n,
                                  int64_t k) {
  row(chain, lhs, rhs, n, k);
}
void tilewright::numerics::mmaRow(int32_t *chain, const int32_t *lhs, const int32_t *rhs, int64_t n,
                                  int64_t k) {
  row(chain, lhs, rhs, n, k);
}

//===----------------------------------------------------------------------===//
// One matrix
//===----------------------------------------------------------------------===//

namespace {
/// A decoded operand, and which of its lines (rows of lhs, columns of rhs) contain poison; the same
/// lines of the result are then poison.
template <typename Value> struct Matrix {
  std::vector<Value> values;
  std::vector<bool> poisonRows, poisonColumns;
};
} // namespace

/// Reads every element by row and column; `read` returns none for poison.
template <typename Value, typename Read>
static Matrix<Value> decode(int64_t rows, int64_t columns, Read read) {
  Matrix<Value> matrix;
  matrix.values.reserve(rows * columns);
  matrix.poisonRows.resize(rows);
  matrix.poisonColumns.resize(columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      std::optional<Value> value = read(i, j);
      matrix.values.push_back(value.value_or(Value(0)));
      if (!value)
        matrix.poisonRows[i] = matrix.poisonColumns[j] = true;
    }
  return matrix;
}

template <typename Value, typename Convert>
static Matrix<Value> decode(int64_t rows, int64_t columns, ArrayRef<Element> elements,
                            Convert convert) {
  assert(int64_t(elements.size()) == rows * columns);
  return decode<Value>(rows, columns, [&](int64_t i, int64_t j) -> std::optional<Value> {
    const Element &element = elements[i * columns + j];
    return element.poison ? std::nullopt : std::optional<Value>(convert(element));
  });
}

template <typename Chain, typename Value, typename Start, typename Finish>
static void multiply(MmaShape shape, const Matrix<Value> &lhs, const Matrix<Value> &rhs,
                     ArrayRef<Element> acc, MutableArrayRef<Element> result, Start start,
                     Finish finish) {
  auto [m, n, k] = shape;
  assert(int64_t(acc.size()) == m * n && int64_t(result.size()) == m * n);
  std::vector<Chain> chain(n);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j)
      chain[j] = start(acc[i * n + j]);
    mmaRow(chain.data(), lhs.values.data() + i * k, rhs.values.data(), n, k);
    for (int64_t j = 0; j < n; ++j) {
      const Element &before = acc[i * n + j];
      bool poison = before.poison || lhs.poisonRows[i] || rhs.poisonColumns[j];
      result[i * n + j] =
          poison ? Element::poisoned(before.format) : finish(chain[j], before.format);
    }
  }
}

static double asDouble(Element element) { return element.asDouble(); }

template <typename Chain, typename Value>
static void multiplyFloats(MmaShape shape, const Matrix<Value> &lhs, const Matrix<Value> &rhs,
                           ArrayRef<Element> acc, MutableArrayRef<Element> result) {
  multiply<Chain>(
      shape, lhs, rhs, acc, result, [](Element acc) { return Chain(acc.asDouble()); },
      [](Chain chain, Format format) { return mmaFinish(toElement(chain), format); });
}

template <typename Chain, typename Value>
static void multiplyFloats(MmaShape shape, ArrayRef<Element> lhs, ArrayRef<Element> rhs,
                           ArrayRef<Element> acc, MutableArrayRef<Element> result) {
  multiplyFloats<Chain>(shape, decode<Value>(shape.m, shape.k, lhs, asDouble),
                        decode<Value>(shape.k, shape.n, rhs, asDouble), acc, result);
}

void tilewright::numerics::mmaf(MmaShape shape, ArrayRef<Element> lhs, ArrayRef<Element> rhs,
                                ArrayRef<Element> acc, MutableArrayRef<Element> result) {
  if (lhs.empty() || acc.empty()) // nothing to add
    return (void)llvm::copy(acc, result.begin());
  if (lhs.front().format == Format::F64)
    return multiplyFloats<double, double>(shape, lhs, rhs, acc, result);
  if (lhs.front().format == Format::F32)
    return multiplyFloats<float, float>(shape, lhs, rhs, acc, result);
  multiplyFloats<float, double>(shape, lhs, rhs, acc, result);
}

void tilewright::numerics::mmai(MmaShape shape, ArrayRef<Element> lhs, ArrayRef<Element> rhs,
                                ArrayRef<Element> acc, Signedness lhsSignedness,
                                Signedness rhsSignedness, MutableArrayRef<Element> result) {
  auto reader = [](Signedness signedness) {
    return [signedness](Element element) { return readI8(element, signedness); };
  };
  multiply<int32_t>(
      shape, decode<int32_t>(shape.m, shape.k, lhs, reader(lhsSignedness)),
      decode<int32_t>(shape.k, shape.n, rhs, reader(rhsSignedness)), acc, result,
      [](Element acc) { return int32_t(acc.asSigned()); },
      [](int32_t chain, Format) { return toElement(chain); });
}

/// An element times its scale, exact in f64; none for poison.
static std::optional<double> scaled(Element element, Element scale) {
  if (anyPoison(element, scale) || isUndefinedScale(scale))
    return std::nullopt;
  return element.asDouble() * scale.asDouble();
}

static Matrix<double> decodeScaledLhs(MmaShape shape, int64_t scales, ArrayRef<Element> lhs,
                                      ArrayRef<Element> scale) {
  assert(scales > 0 && shape.k % scales == 0 && "every scale covers a block of K");
  int64_t block = shape.k / scales;
  return decode<double>(shape.m, shape.k, [=](int64_t i, int64_t at) {
    return scaled(lhs[i * shape.k + at], scale[i * scales + at / block]);
  });
}

static Matrix<double> decodeScaledRhs(MmaShape shape, int64_t scales, ArrayRef<Element> rhs,
                                      ArrayRef<Element> scale) {
  int64_t block = shape.k / scales;
  return decode<double>(shape.k, shape.n, [=](int64_t at, int64_t j) {
    return scaled(rhs[at * shape.n + j], scale[at / block * shape.n + j]);
  });
}

void tilewright::numerics::mmafScaled(MmaShape shape, int64_t scales, ArrayRef<Element> lhs,
                                      ArrayRef<Element> rhs, ArrayRef<Element> acc,
                                      ArrayRef<Element> lhsScale, ArrayRef<Element> rhsScale,
                                      MutableArrayRef<Element> result) {
  multiplyFloats<float>(shape, decodeScaledLhs(shape, scales, lhs, lhsScale),
                        decodeScaledRhs(shape, scales, rhs, rhsScale), acc, result);
}

//===----------------------------------------------------------------------===//
// One matrix, rounded once
//===----------------------------------------------------------------------===//

static void multiplyExactly(MmaShape shape, const Matrix<double> &lhs, const Matrix<double> &rhs,
                            ArrayRef<Element> acc, MutableArrayRef<Element> result) {
  for (int64_t i = 0; i < shape.m; ++i)
    for (int64_t j = 0; j < shape.n; ++j) {
      const Element &before = acc[i * shape.n + j];
      Element &after = result[i * shape.n + j];
      if (before.poison || lhs.poisonRows[i] || rhs.poisonColumns[j]) {
        after = Element::poisoned(before.format);
        continue;
      }
      ExactSum sum;
      sum.add(before.asDouble());
      for (int64_t k = 0; k < shape.k; ++k)
        sum.addProduct(lhs.values[i * shape.k + k], rhs.values[k * shape.n + j]);
      after = sum.round(before.format);
    }
}

void tilewright::numerics::mmafExact(MmaShape shape, ArrayRef<Element> lhs, ArrayRef<Element> rhs,
                                     ArrayRef<Element> acc, MutableArrayRef<Element> result) {
  multiplyExactly(shape, decode<double>(shape.m, shape.k, lhs, asDouble),
                  decode<double>(shape.k, shape.n, rhs, asDouble), acc, result);
}

void tilewright::numerics::mmafScaledExact(MmaShape shape, int64_t scales, ArrayRef<Element> lhs,
                                           ArrayRef<Element> rhs, ArrayRef<Element> acc,
                                           ArrayRef<Element> lhsScale, ArrayRef<Element> rhsScale,
                                           MutableArrayRef<Element> result) {
  multiplyExactly(shape, decodeScaledLhs(shape, scales, lhs, lhsScale),
                  decodeScaledRhs(shape, scales, rhs, rhsScale), acc, result);
}
