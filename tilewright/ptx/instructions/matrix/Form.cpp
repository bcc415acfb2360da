// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Form.h.

#include "tilewright/ptx/instructions/matrix/Form.h"

using namespace tilewright::ptx;

//===-- Fragments ---------------------------------------------------------------------------===//

// Lanes form 8 groups of 4. A group has a row of A (and the row 8 below) and a column of B. Within
// the group, each lane has as many adjacent elements as fit in 32 bits; its next elements follow
// those of all 4 lanes.

unsigned tilewright::ptx::bitsOfElement(const Form &form, char matrix) {
  const bool isPacked = form.kind == MmaKind::MxF4 || form.kind == MmaKind::MxF4NvF4;
  return isPacked && (matrix == 'a' || matrix == 'b') ? 4 : bitsOfElement(typeOf(form, matrix));
}

/// Element i of A in a lane: m x k.
static Cell cellOfA(const Form &form, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, inGroup = lane % 4;
  const unsigned packed = std::max(32 / bitsOfElement(form, 'a'), 1u);
  const unsigned word = i / packed, inWord = i % packed;
  const unsigned rows = form.m / 8; // 8 rows take one register of each lane
  return {group + 8 * (word % rows), inGroup * packed + inWord + 4 * packed * (word / rows)};
}

/// Element i of B: k x n.
static Cell cellOfB(const Form &form, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, inGroup = lane % 4;
  const unsigned packed = std::max(32 / bitsOfElement(form, 'b'), 1u);
  return {inGroup * packed + i % packed + 4 * packed * (i / packed), group};
}

/// Element i of C and D: m x n; two adjacent elements, then the row 8 below.
static Cell cellOfC(unsigned lane, unsigned i) {
  return {lane / 4 + 8 * (i / 2), (lane % 4) * 2 + i % 2};
}

/// Extents of the matrix in registers: a sparse A has half of its columns.
static Cell extentsOf(const Form &form, char matrix) {
  const unsigned columnsOfA = form.isSparse ? form.k / 2 : form.k;
  return {matrix == 'b' ? form.k : form.m, matrix == 'a' ? columnsOfA : form.n};
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
  return elementsPerLane(form, matrix) * bitsOfElement(form, matrix) / width;
}

std::string tilewright::ptx::shapeOf(const Form &form) {
  return "m" + std::to_string(form.m) + "n" + std::to_string(form.n) + "k" + std::to_string(form.k);
}

std::vector<size_t> tilewright::ptx::takeShape(Decoder &decoder, const std::vector<Form> &forms,
                                               const std::function<bool(const Form &)> &matches) {
  std::vector<std::string> shapes;
  for (const Form &form : forms)
    if (matches(form) && std::find(shapes.begin(), shapes.end(), shapeOf(form)) == shapes.end())
      shapes.push_back(shapeOf(form));
  std::string shape;
  std::vector<size_t> numbers;
  if (!decoder.takeOneOf(shapes, shape))
    return numbers;
  for (size_t number = 0; number < forms.size(); ++number)
    if (matches(forms[number]) && shapeOf(forms[number]) == shape)
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
