// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which shapes of matrices are there, and which lane holds which element? Each lane has elements of
// A, B, C and D in registers: a fragment. For mma the manual says which; for wmma it leaves that
// open, and here the elements are counted row by row through the lanes.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_FORM_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_FORM_H

#include "tilewright/ptx/instructions/matrix/Element.h"
#include "tilewright/ptx/machine/Meet.h"

#include <algorithm>
#include <functional>

namespace tilewright::ptx {

/// What a product adds: of bits, how many are set in their `xor` or `and`.
enum class Adds : uint8_t { Products, Xors, Ands };

/// `.kind::`: where operands of 4, 6 and 8 bits are in their registers, and whether they are
/// scaled.
enum class MmaKind : uint8_t { None, F8F6F4, MxF8F6F4, MxF4, MxF4NvF4 };

/// A shape with its types.
struct Form {
  unsigned m, n, k;
  Type a, b, c, d;
  Adds adds = Adds::Products;
  bool isWmma = false;
  /// Half of A is zero, and not there (Sparse.h).
  bool isSparse = false;
  MmaKind kind = MmaKind::None;
  /// Of .block_scale: the format of the scales, and how many there are for each row of A.
  Type scale = Type::Pred;
  unsigned scales = 0;
};

/// Of an element in a register.
unsigned bitsOfElement(const Form &form, char matrix);

/// Where an element of a fragment is.
struct Cell {
  unsigned row, column;
};

/// Of matrix 'a', 'b', 'c' or 'd'.
unsigned elementsPerLane(const Form &form, char matrix);
Cell cellOf(const Form &form, char matrix, unsigned lane, unsigned i);
inline Type typeOf(const Form &form, char matrix) {
  return matrix == 'a' ? form.a : matrix == 'b' ? form.b : matrix == 'c' ? form.c : form.d;
}
/// How many registers of a lane hold its elements, and what type they have.
size_t registersFor(const Form &form, char matrix);
Type registerType(const Form &form, char matrix);

/// The bits of an element among those of the slots; whether it is defined.
uint64_t extract(const Thread &thread, SlotList list, unsigned i, unsigned bits, bool &isDefined);

std::string shapeOf(const Form &form);

/// Takes the shape of the instruction: numbers of the forms of that shape that the caller wants;
/// none if it has no such shape.
std::vector<size_t> takeShape(Decoder &decoder, const std::vector<Form> &forms,
                              const std::function<bool(const Form &)> &wants);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_FORM_H
