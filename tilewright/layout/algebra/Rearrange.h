// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a layout when the dimensions of its tile change, and what two layouts
// make together (layouts, 1.9). No data move between threads in any of this: each thread
// holds the same elements as before, under other coordinates.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_REARRANGE_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_REARRANGE_H

#include "tilewright/layout/algebra/Layout.h"

#include <optional>

namespace tilewright::layout {

/// Dimension `i` of the result is dimension `permutation[i]`, as in vector.transpose.
Layout permute(const Layout &layout, llvm::ArrayRef<int64_t> permutation);

/// Without the dimensions that are flagged. Whoever held an element of any of the
/// positions along them holds one now: owners multiply.
Layout project(const Layout &layout, llvm::ArrayRef<bool> dropped);

/// Dimension `i` of the result is dimension `source[i]`, or where there is none a new
/// dimension of extent 1. Generalises both of the above.
Layout apply(const Layout &layout, llvm::ArrayRef<std::optional<unsigned>> source);

/// The layout of the same elements in row-major order under another shape, if a layout
/// can say that: digits have to keep their order (layouts, 1.9).
std::optional<Layout> reshape(const Layout &layout, llvm::ArrayRef<int64_t> shape);

/// A tile of `outer` whose every element is a tile of `inner`: index
/// `outer index * inner extent + inner index` along each dimension. A fragment of one
/// matrix instruction, spread over subgroups and batches, is such a thing. The ranks
/// must be equal.
std::optional<Layout> compose(const Layout &outer, const Layout &inner);

/// The same owners, where thread tiles go beyond a subgroup: what is beyond becomes subgroups. None
/// if that would put registers between the two, or if there are subgroups already (layouts, 1.8).
std::optional<Layout> splitThreads(const Layout &layout, Workgroup workgroup);

/// An operand of an operation over an iteration space: its layout, and which dimension
/// of that space each of its dimensions goes along.
struct IterationOperand {
  Layout layout;
  llvm::SmallVector<unsigned, 4> dims;
};

/// The layout of a result over some of the dimensions, taken from the operands. None if
/// they disagree along a dimension, also one that the result lacks; if no operand knows
/// a dimension of the result; or if its digits would overlap (layouts, 1.9).
std::optional<Layout> recombine(llvm::ArrayRef<IterationOperand> operands,
                                llvm::ArrayRef<unsigned> resultDims);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_REARRANGE_H
