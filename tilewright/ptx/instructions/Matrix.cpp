// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync (PTX ISA, 9.7.15.5): D = A * B + C by all 32 lanes. The manual gives for each shape
// which lane holds which element in which register; these are its formulas. Products of floats are
// added one by one, from the accumulator on, in f32 (f64 for f64, f16 rounded at the end for
// .f16): the manual leaves the order and the precision between open.

#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Meet.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Element;
using numerics::Format;

namespace {
/// A shape with its types. All have m = 16 and n = 8 but those of f64 with m = 8.
struct Form {
  unsigned m, n, k;
  Type a, b, c, d;
};
/// Where an element of a fragment is.
struct Cell {
  unsigned row, column;
};
} // namespace

//===-- Fragments ---------------------------------------------------------------------------===//

static unsigned bitsOf(Type type) {
  return type == Type::U4 || type == Type::S4 ? 4 : type == Type::B1 ? 1 : 8 * bytesOf(type);
}

// Lanes are in 8 groups of 4. A group has a row of A (and the row 8 below), and a column of B; in
// it, a lane has as many neighbours as fit 32 bits, and the next are 4 lanes' worth further on.

/// Element i of A in a lane: m x k.
static Cell cellOfA(const Form &form, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, inGroup = lane % 4;
  const unsigned packed = std::max(32 / bitsOf(form.a), 1u);
  const unsigned word = i / packed, inWord = i % packed;
  const unsigned rows = form.m / 8; // 8 rows are one register of each lane
  return {group + 8 * (word % rows), inGroup * packed + inWord + 4 * packed * (word / rows)};
}

/// Element i of B: k x n.
static Cell cellOfB(const Form &form, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, inGroup = lane % 4;
  const unsigned packed = std::max(32 / bitsOf(form.b), 1u);
  return {inGroup * packed + i % packed + 4 * packed * (i / packed), group};
}

/// Element i of C and D: m x n, two neighbours, then the row 8 below.
static Cell cellOfC(unsigned lane, unsigned i) {
  return {lane / 4 + 8 * (i / 2), (lane % 4) * 2 + i % 2};
}

static unsigned elementsPerLane(const Form &form, char matrix) {
  const unsigned count = matrix == 'a'   ? form.m * form.k
                         : matrix == 'b' ? form.k * form.n
                                         : form.m * form.n;
  return count / 32;
}

//===-- Elements ----------------------------------------------------------------------------===//

static uint64_t extract(const Thread &thread, SlotList list, unsigned i, unsigned bits,
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

static double floatOf(uint64_t bits, Type type) {
  switch (type) {
  case Type::F16:
    return Element{bits, Format::F16}.asDouble();
  case Type::BF16:
    return Element{bits, Format::BF16}.asDouble();
  case Type::TF32: // the lower 13 bits do not count
    return Element{bits >> 13, Format::TF32}.asDouble();
  case Type::E4M3:
    return Element{bits, Format::F8E4M3FN}.asDouble();
  case Type::E5M2:
    return Element{bits, Format::F8E5M2}.asDouble();
  case Type::F32:
    return std::bit_cast<float>(uint32_t(bits));
  default:
    return std::bit_cast<double>(bits);
  }
}

static int64_t integerOf(uint64_t bits, Type type) {
  const unsigned unused = 64 - bitsOf(type);
  return isSigned(type) ? int64_t(bits << unused) >> unused : int64_t(bits);
}

//===-- The product -------------------------------------------------------------------------===//

static constexpr uint32_t saturates = 1u << 31;

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
      return T(floatOf(bits, type));
    else
      return integerOf(bits, type);
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
    const uint64_t bits = extract(thread, list, i, bitsOf(type), isDefined);
    matrix.values[matrix.at(cell)] = valueOf(bits, type);
    matrix.defined[matrix.at(cell)] = isDefined;
  };
  for (unsigned i = 0; i < elementsPerLane(form, 'a'); ++i)
    read(a, cellOfA(form, thread.lane, i), op.list2, i, form.a);
  for (unsigned i = 0; i < elementsPerLane(form, 'b'); ++i)
    read(b, cellOfB(form, thread.lane, i), op.list3, i, form.b);
  for (unsigned i = 0; i < elementsPerLane(form, 'c'); ++i)
    read(c, cellOfC(thread.lane, i), op.list4, i, form.c);
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
          sum += x * y;
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
  const unsigned bits = bitsOf(form.d);
  for (unsigned i = 0; i < elementsPerLane(form, 'd'); i += perSlot) {
    uint64_t word = 0;
    bool isDefined = true;
    for (unsigned part = 0; part < perSlot; ++part) {
      const unsigned at = c.at(cellOfC(thread.lane, i + part));
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

//===-- Decoding ----------------------------------------------------------------------------===//

static constexpr Form forms[] = {
    {16, 8, 8, Type::F16, Type::F16, Type::F16, Type::F16},
    {16, 8, 8, Type::F16, Type::F16, Type::F32, Type::F32},
    {16, 8, 16, Type::F16, Type::F16, Type::F16, Type::F16},
    {16, 8, 16, Type::F16, Type::F16, Type::F32, Type::F32},
    {16, 8, 8, Type::BF16, Type::BF16, Type::F32, Type::F32},
    {16, 8, 16, Type::BF16, Type::BF16, Type::F32, Type::F32},
    {16, 8, 4, Type::TF32, Type::TF32, Type::F32, Type::F32},
    {16, 8, 8, Type::TF32, Type::TF32, Type::F32, Type::F32},
    {16, 8, 32, Type::E4M3, Type::E4M3, Type::F32, Type::F32},
    {16, 8, 32, Type::E4M3, Type::E5M2, Type::F32, Type::F32},
    {16, 8, 32, Type::E5M2, Type::E4M3, Type::F32, Type::F32},
    {16, 8, 32, Type::E5M2, Type::E5M2, Type::F32, Type::F32},
    {8, 8, 4, Type::F64, Type::F64, Type::F64, Type::F64},
};

/// Integer shapes for each pair of signs.
static constexpr struct {
  unsigned m, n, k, bits;
} integerShapes[] = {{8, 8, 16, 8}, {16, 8, 16, 8}, {16, 8, 32, 8},
                     {8, 8, 32, 4}, {16, 8, 32, 4}, {16, 8, 64, 4}};

static const std::vector<Form> &allForms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list(std::begin(forms), std::end(forms));
    for (const auto &shape : integerShapes)
      for (unsigned signs = 0; signs < 4; ++signs) {
        const Type s = shape.bits == 8 ? Type::S8 : Type::S4;
        const Type u = shape.bits == 8 ? Type::U8 : Type::U4;
        list.push_back({shape.m, shape.n, shape.k, signs & 1 ? s : u, signs & 2 ? s : u, Type::S32,
                        Type::S32});
      }
    return list;
  }();
  return all;
}

static bool multiply(Warp &warp, uint32_t) {
  const uint32_t mode = warp.threads.front()->waitOp->mode;
  const Form &form = allForms()[mode & ~saturates];
  if (form.d == Type::F64)
    Product<double>(warp, form, false).run();
  else if (form.d == Type::S32)
    Product<int64_t>(warp, form, mode & saturates).run();
  else
    Product<float>(warp, form, false).run();
  return true;
}

static Type registerType(Type type) { return type == Type::F64 ? Type::F64 : Type::B32; }

static size_t registersFor(const Form &form, char matrix, Type type) {
  const unsigned bits = elementsPerLane(form, matrix) * bitsOf(type);
  return bits / (type == Type::F64 ? 64 : 32);
}

static bool takeForm(Decoder &decoder, const Form &form) {
  const Type sum = form.c == Type::S32 || form.c == Type::F16 ? Type::B32 : form.c;
  return decoder.expectOperands(4) &&
         decoder.destinations(decoder.operand(0), sum, registersFor(form, 'd', form.d),
                              decoder.op.list) &&
         decoder.sources(decoder.operand(1), registerType(form.a), registersFor(form, 'a', form.a),
                         decoder.op.list2) &&
         decoder.sources(decoder.operand(2), registerType(form.b), registersFor(form, 'b', form.b),
                         decoder.op.list3) &&
         decoder.sources(decoder.operand(3), sum, registersFor(form, 'c', form.c),
                         decoder.op.list4) &&
         decoder.finish(meetWarp);
}

static std::string shapeOf(const Form &form) {
  return "m" + std::to_string(form.m) + "n" + std::to_string(form.n) + "k" + std::to_string(form.k);
}

static bool decodeMma(Decoder &decoder) {
  decoder.op.together = multiply;
  if (!decoder.take("sync") || !decoder.take("aligned") || !decoder.take("row") ||
      !decoder.take("col"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isSaturated = decoder.take("satfinite");
  const auto d = decoder.takeType(), a = decoder.takeType(), b = decoder.takeType(),
             c = decoder.takeType();
  if (!d || !a || !b || !c)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  for (size_t number = 0; number < allForms().size(); ++number) {
    const Form &form = allForms()[number];
    if (form.d != *d || form.a != *a || form.b != *b || form.c != *c ||
        !decoder.take(shapeOf(form)))
      continue;
    if (isSaturated && form.d != Type::S32)
      return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '.satfinite'");
    decoder.op.mode = uint32_t(number) | (isSaturated ? saturates : 0);
    return takeForm(decoder, form);
  }
  return decoder.refuse("'" + decoder.name() + "' is not supported in this shape");
}

std::span<const OpcodeRow> tilewright::ptx::matrixOpcodes() {
  static constexpr OpcodeRow rows[] = {{"mma", decodeMma}};
  return rows;
}
