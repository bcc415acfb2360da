// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do 32 lanes multiply matrices? Each holds elements of A, B and C in registers: a fragment.
// For mma the manual says which lane holds which element; for wmma it leaves that open, and here
// the elements are counted row by row through the lanes. Products of floats are added one by one,
// from the accumulator on, in f32 (f64 for f64, f16 rounded at the end for .f16): the manual leaves
// the order and the precision between open.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H

#include "tilewright/ptx/instructions/matrix/Element.h"
#include "tilewright/ptx/machine/Meet.h"

#include <algorithm>
#include <functional>

namespace tilewright::ptx {

/// What a product adds: of bits, how many are set in their `xor` or `and`.
enum class Adds : uint8_t { Products, Xors, Ands };

/// A shape with its types.
struct Form {
  unsigned m, n, k;
  Type a, b, c, d;
  Adds adds = Adds::Products;
  bool isWmma = false;
};

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

/// The product by the lanes of a warp that wait at it: op.list is D, then A, B and C.
void multiply(Warp &warp, const Form &form, bool isSaturated);

/// The bits of an element among those of the slots; whether it is defined.
uint64_t extract(const Thread &thread, SlotList list, unsigned i, unsigned bits, bool &isDefined);

std::string shapeOf(const Form &form);

/// Takes the shape of the instruction: numbers of the forms of that shape that the caller wants;
/// none if it has no such shape.
std::vector<size_t> takeShape(Decoder &decoder, const std::vector<Form> &forms,
                              const std::function<bool(const Form &)> &wants);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H
