// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Product.h.

#include "tilewright/ptx/instructions/matrix/Product.h"
#include "tilewright/ptx/instructions/matrix/Scales.h"
#include "tilewright/ptx/instructions/matrix/Sparse.h"
#include "tilewright/ptx/watch/Counters.h"

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Format;

//===-- The product -------------------------------------------------------------------------===//

namespace {
template <typename T> struct Matrix {
  std::vector<T> values;
  std::vector<uint8_t> defined;
  unsigned columns;

  Matrix(unsigned rows, unsigned columns)
      : values(rows * columns), defined(rows * columns), columns(columns) {}
  unsigned at(Cell cell) const { return cell.row * columns + cell.column; }
};

/// Reads fragments, multiplies, writes fragments.
template <typename T> class Product {
public:
  Product(Warp &warp, const Form &form, bool isSaturated)
      : warp(warp), form(form), isSaturated(isSaturated), a(form.m, form.k), b(form.k, form.n),
        c(form.m, form.n), isPresent(form.m * form.k, !form.isSparse) {}

  void run();

private:
  static T valueOf(uint64_t bits, Type type) {
    if constexpr (std::is_floating_point_v<T>)
      return T(floatOfElement(bits, type));
    else
      return integerOfElement(bits, type);
  }
  T valueOf(uint64_t bits, char matrix) const {
    const bool isPacked = bitsOfElement(form, matrix) == 4 && typeOf(form, matrix) == Type::E2M1;
    return valueOf(isPacked ? bits << 2 : bits, typeOf(form, matrix));
  }
  void read(const Thread &thread, Matrix<T> &matrix, char name, SlotList list, unsigned i);
  void gather(const Thread &thread, const Op &op);
  void scatter(Thread &thread, const Op &op) const;
  void scaleOperands();
  void multiply();
  uint64_t finish(T value) const;

  Warp &warp;
  const Form &form;
  bool isSaturated;
  Matrix<T> a, b, c;
  /// For a sparse A: the elements that are stored.
  std::vector<uint8_t> isPresent;
};
} // namespace

template <typename T>
void Product<T>::read(const Thread &thread, Matrix<T> &matrix, char name, SlotList list,
                      unsigned i) {
  Cell cell = cellOf(form, name, thread.lane, i);
  bool isDefined = true;
  const uint64_t bits = extract(thread, list, i, bitsOfElement(form, name), isDefined);
  if (form.isSparse && name == 'a') {
    const unsigned selector = unsigned(warp.threads.front()->waitOp->offset);
    cell.column =
        columnOf(warp, {bitsOfElement(form, 'a'), form.k / 2, 0, selector}, cell, isDefined);
    isPresent[matrix.at(cell)] = true;
  }
  matrix.values[matrix.at(cell)] = valueOf(bits, name);
  matrix.defined[matrix.at(cell)] = isDefined;
}

template <typename T> void Product<T>::gather(const Thread &thread, const Op &op) {
  for (unsigned i = 0; i < elementsPerLane(form, 'a'); ++i)
    read(thread, a, 'a', op.list2, i);
  for (unsigned i = 0; i < elementsPerLane(form, 'b'); ++i)
    read(thread, b, 'b', op.list3, i);
  for (unsigned i = 0; i < elementsPerLane(form, 'c'); ++i)
    read(thread, c, 'c', op.list4, i);
}

/// Each run of elements along k has a scale per row of A and per column of B.
template <typename T> void Product<T>::scaleOperands() {
  for (unsigned k = 0; k < form.k; ++k) {
    for (unsigned row = 0; row < form.m; ++row) {
      const Scale scale = scaleOf(warp, form, 'a', row, k);
      a.values[row * form.k + k] *= T(scale.value);
      a.defined[row * form.k + k] &= scale.isDefined;
    }
    for (unsigned column = 0; column < form.n; ++column) {
      const Scale scale = scaleOf(warp, form, 'b', column, k);
      b.values[k * form.n + column] *= T(scale.value);
      b.defined[k * form.n + column] &= scale.isDefined;
    }
  }
}

template <typename T> void Product<T>::multiply() {
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      T sum = c.values[row * form.n + column];
      bool isDefined = c.defined[row * form.n + column];
      for (unsigned k = 0; k < form.k; ++k) {
        if (!isPresent[row * form.k + k])
          continue;
        const T x = a.values[row * form.k + k], y = b.values[k * form.n + column];
        isDefined &= a.defined[row * form.k + k] && b.defined[k * form.n + column];
        if constexpr (std::is_floating_point_v<T>)
          sum = std::fma(x, y, sum);
        else
          sum += form.adds == Adds::Products ? x * y : form.adds == Adds::Xors ? x ^ y : x & y;
      }
      c.values[row * form.n + column] = sum;
      c.defined[row * form.n + column] = isDefined;
    }
}

template <typename T> uint64_t Product<T>::finish(T value) const {
  if constexpr (std::is_floating_point_v<T>) {
    if (form.d == Type::F64)
      return std::bit_cast<uint64_t>(canonical(double(value)));
    if (form.d == Type::F16)
      return numerics::floatToFloat(toElement(value), Format::F16).bits;
    return std::bit_cast<uint32_t>(canonical(float(value)));
  } else {
    if (isSaturated)
      value = std::clamp<int64_t>(value, INT32_MIN, INT32_MAX);
    return uint32_t(value);
  }
}

template <typename T> void Product<T>::scatter(Thread &thread, const Op &op) const {
  const unsigned perSlot = form.d == Type::F16 ? 2 : 1;
  const unsigned bits = bitsOfElement(form.d);
  for (unsigned i = 0; i < elementsPerLane(form, 'd'); i += perSlot) {
    uint64_t word = 0;
    bool isDefined = true;
    for (unsigned part = 0; part < perSlot; ++part) {
      const unsigned at = c.at(cellOf(form, 'd', thread.lane, i + part));
      word |= finish(c.values[at]) << (bits * part);
      isDefined &= c.defined[at] != 0;
    }
    thread.put(thread.code->slots[op.list.first + i / perSlot], word, isDefined);
  }
}

template <typename T> void Product<T>::run() {
  for (const Thread *thread : warp.threads)
    gather(*thread, *thread->waitOp);
  if constexpr (std::is_floating_point_v<T>)
    if (form.scales)
      scaleOperands();
  multiply();
  for (Thread *thread : warp.threads)
    scatter(*thread, *thread->waitOp);
}

/// Scaled products need the range of f64; their sum is rounded to f32 once.
void tilewright::ptx::multiply(Warp &warp, const Form &form, bool isSaturated) {
  if (Counters *counters = warp.cta->machine->counters)
    counters->product(form.a, uint64_t(form.m) * form.n * form.k);
  if (form.d == Type::F64 || form.scales)
    Product<double>(warp, form, false).run();
  else if (form.d == Type::S32)
    Product<int64_t>(warp, form, isSaturated).run();
  else
    Product<float>(warp, form, false).run();
}
