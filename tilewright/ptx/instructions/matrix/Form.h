// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of matrix products, and the fragments: which lane holds which elements of A, B, C and
// D in its registers. The manual specifies this for mma. For wmma it does not, and here the
// elements are numbered row by row through the lanes.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_FORM_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_FORM_H

#include "tilewright/ptx/instructions/matrix/Element.h"
#include "tilewright/ptx/machine/Rendezvous.h"

#include <algorithm>
#include <functional>

namespace tilewright::ptx {

/// What a product sums. For single bits: how many bits of their `xor` or `and` are set.
enum class Adds : uint8_t { Products, Xors, Ands };

/// `.kind::`: how operands of 4, 6 and 8 bits are placed in registers, and whether they are scaled.
enum class MmaKind : uint8_t { None, F8F6F4, MxF8F6F4, MxF4, MxF4NvF4 };

/// A shape with its types.
struct Form {
  unsigned m, n, k;
  Type a, b, c, d;
  Adds adds = Adds::Products;
  bool isWmma = false;
  /// Half of A is zero, and not stored (Sparse.h).
  bool isSparse = false;
  MmaKind kind = MmaKind::None;
  /// For .block_scale: the format of the scales, and their number per row of A.
  Type scale = Type::Pred;
  unsigned scales = 0;
};

/// Bits that an element occupies in a register.
unsigned bitsOfElement(const Form &form, char matrix);

/// The position of an element in its matrix.
struct Cell {
  unsigned row, column;
};

/// `matrix` is 'a', 'b', 'c' or 'd'.
unsigned elementsPerLane(const Form &form, char matrix);
Cell cellOf(const Form &form, char matrix, unsigned lane, unsigned i);
inline Type typeOf(const Form &form, char matrix) {
  return matrix == 'a' ? form.a : matrix == 'b' ? form.b : matrix == 'c' ? form.c : form.d;
}
/// Number and type of the registers with the elements of one lane.
size_t registersFor(const Form &form, char matrix);
Type registerType(const Form &form, char matrix);

/// Extracts the bits of element i from the slots; clears `isDefined` if it is undefined.
uint64_t extract(const Thread &thread, SlotList list, unsigned i, unsigned bits, bool &isDefined);

std::string shapeOf(const Form &form);

/// Takes the shape of the instruction. Returns the indices of the forms with this shape that
/// `matches` accepts; none if there is no such shape.
std::vector<size_t> takeShape(Decoder &decoder, const std::vector<Form> &forms,
                              const std::function<bool(const Form &)> &matches);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_FORM_H
