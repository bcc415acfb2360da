// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Product.h.

#include "tilewright/ptx/instructions/matrix/Product.h"

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Element;
using numerics::Format;

//===-- Fragments ---------------------------------------------------------------------------===//

// Lanes are in 8 groups of 4. A group has a row of A (and the row 8 below), and a column of B; in
// it, a lane has as many neighbours as fit 32 bits, and the next are 4 lanes' worth further on.

/// Element i of A in a lane: m x k.
static Cell cellOfA(const Form &form, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, inGroup = lane % 4;
  const unsigned packed = std::max(32 / bitsOfElement(form.a), 1u);
  const unsigned word = i / packed, inWord = i % packed;
  const unsigned rows = form.m / 8; // 8 rows are one register of each lane
  return {group + 8 * (word % rows), inGroup * packed + inWord + 4 * packed * (word / rows)};
}

/// Element i of B: k x n.
static Cell cellOfB(const Form &form, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, inGroup = lane % 4;
  const unsigned packed = std::max(32 / bitsOfElement(form.b), 1u);
  return {inGroup * packed + i % packed + 4 * packed * (i / packed), group};
}

/// Element i of C and D: m x n, two neighbours, then the row 8 below.
static Cell cellOfC(unsigned lane, unsigned i) {
  return {lane / 4 + 8 * (i / 2), (lane % 4) * 2 + i % 2};
}

static Cell extentsOf(const Form &form, char matrix) {
  return {matrix == 'b' ? form.k : form.m, matrix == 'a' ? form.k : form.n};
}

unsigned tilewright::ptx::elementsPerLane(const Form &form, char matrix) {
  // Fragments of f16 have 8 registers in all shapes of wmma: several lanes hold the same element.
  if (form.isWmma && form.a == Type::F16 && (matrix == 'a' || matrix == 'b'))
    return 16;
  const Cell extents = extentsOf(form, matrix);
  return extents.row * extents.column / lanesPerWarp;
}

Cell tilewright::ptx::cellOf(const Form &form, char matrix, unsigned lane, unsigned i) {
  if (form.isWmma) {
    const Cell extents = extentsOf(form, matrix);
    const unsigned at = (lane * elementsPerLane(form, matrix) + i) % (extents.row * extents.column);
    return {at / extents.column, at % extents.column};
  }
  return matrix == 'a'   ? cellOfA(form, lane, i)
         : matrix == 'b' ? cellOfB(form, lane, i)
                         : cellOfC(lane, i);
}

Type tilewright::ptx::registerType(const Form &form, char matrix) {
  const Type type = typeOf(form, matrix);
  return type == Type::F64 || type == Type::F32 ? type : Type::B32;
}

size_t tilewright::ptx::registersFor(const Form &form, char matrix) {
  const unsigned width = registerType(form, matrix) == Type::F64 ? 64 : 32;
  return elementsPerLane(form, matrix) * bitsOfElement(typeOf(form, matrix)) / width;
}

std::string tilewright::ptx::shapeOf(const Form &form) {
  return "m" + std::to_string(form.m) + "n" + std::to_string(form.n) + "k" + std::to_string(form.k);
}

std::vector<size_t> tilewright::ptx::takeShape(Decoder &decoder, const std::vector<Form> &forms,
                                               const std::function<bool(const Form &)> &wants) {
  std::vector<std::string> shapes;
  for (const Form &form : forms)
    if (wants(form) && std::find(shapes.begin(), shapes.end(), shapeOf(form)) == shapes.end())
      shapes.push_back(shapeOf(form));
  std::string shape;
  std::vector<size_t> numbers;
  if (!decoder.takeOneOf(shapes, shape))
    return numbers;
  for (size_t number = 0; number < forms.size(); ++number)
    if (wants(forms[number]) && shapeOf(forms[number]) == shape)
      numbers.push_back(number);
  return numbers;
}

//===-- Elements ----------------------------------------------------------------------------===//

uint64_t tilewright::ptx::extract(const Thread &thread, SlotList list, unsigned i, unsigned bits,
                                  bool &isDefined) {
  const unsigned perSlot = bits >= 32 ? 1 : 32 / bits;
  const uint32_t slot = thread.code->slots[list.first + i / perSlot];
  const unsigned shift = bits >= 32 ? 0 : bits * (i % perSlot);
  const unsigned bytes = std::max(bits / 8, 1u);
  const uint8_t needed = uint8_t(((1u << bytes) - 1) << (shift / 8));
  isDefined &= (thread.defined[slot] & needed) == needed;
  const uint64_t value = thread.values[slot] >> shift;
  return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

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
        c(form.m, form.n) {}

  void run();

private:
  static T valueOf(uint64_t bits, Type type) {
    if constexpr (std::is_floating_point_v<T>)
      return T(floatOfElement(bits, type));
    else
      return integerOfElement(bits, type);
  }
  void gather(const Thread &thread, const Op &op);
  void scatter(Thread &thread, const Op &op) const;
  void multiply();
  uint64_t finish(T value) const;

  Warp &warp;
  const Form &form;
  bool isSaturated;
  Matrix<T> a, b, c;
};
} // namespace

template <typename T> void Product<T>::gather(const Thread &thread, const Op &op) {
  const auto read = [&](Matrix<T> &matrix, Cell cell, SlotList list, unsigned i, Type type) {
    bool isDefined = true;
    const uint64_t bits = extract(thread, list, i, bitsOfElement(type), isDefined);
    matrix.values[matrix.at(cell)] = valueOf(bits, type);
    matrix.defined[matrix.at(cell)] = isDefined;
  };
  for (unsigned i = 0; i < elementsPerLane(form, 'a'); ++i)
    read(a, cellOf(form, 'a', thread.lane, i), op.list2, i, form.a);
  for (unsigned i = 0; i < elementsPerLane(form, 'b'); ++i)
    read(b, cellOf(form, 'b', thread.lane, i), op.list3, i, form.b);
  for (unsigned i = 0; i < elementsPerLane(form, 'c'); ++i)
    read(c, cellOf(form, 'c', thread.lane, i), op.list4, i, form.c);
}

template <typename T> void Product<T>::multiply() {
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      T sum = c.values[row * form.n + column];
      bool isDefined = c.defined[row * form.n + column];
      for (unsigned k = 0; k < form.k; ++k) {
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
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<uint64_t>(canonical(value));
  } else if constexpr (std::is_same_v<T, float>) {
    if (form.d == Type::F16)
      return numerics::floatToFloat(toElement(value), Format::F16).bits;
    return std::bit_cast<uint32_t>(canonical(value));
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
  multiply();
  for (Thread *thread : warp.threads)
    scatter(*thread, *thread->waitOp);
}

void tilewright::ptx::multiply(Warp &warp, const Form &form, bool isSaturated) {
  if (form.d == Type::F64)
    Product<double>(warp, form, false).run();
  else if (form.d == Type::S32)
    Product<int64_t>(warp, form, isSaturated).run();
  else
    Product<float>(warp, form, false).run();
}
