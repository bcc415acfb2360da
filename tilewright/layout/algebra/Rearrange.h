// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives layouts for tiles whose dimensions change, and combines two layouts (layouts, 1.9). No
// data move between threads: each thread holds the same elements as before, under other
// coordinates.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_REARRANGE_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_REARRANGE_H

#include "tilewright/layout/algebra/Layout.h"

#include <optional>

namespace tilewright::layout {

/// Dimension `i` of the result is dimension `permutation[i]`, as in vector.transpose.
Layout permute(const Layout &layout, llvm::ArrayRef<int64_t> permutation);

/// Drops the flagged dimensions. Every owner of an element at any position along them becomes an
/// owner of the result, so elements get more owners.
Layout project(const Layout &layout, llvm::ArrayRef<bool> dropped);

/// Dimension `i` of the result is dimension `source[i]`, or, if that is none, a new dimension of
/// extent 1. Generalises the two functions above.
Layout apply(const Layout &layout, llvm::ArrayRef<std::optional<unsigned>> source);

/// The layout of the same elements in row-major order in another shape; none if no layout expresses
/// it, because digits have to keep their order (layouts, 1.9).
std::optional<Layout> reshape(const Layout &layout, llvm::ArrayRef<int64_t> shape);

/// A tile of `outer` in which every element is a tile of `inner`: the index along each dimension is
/// `outer index * inner extent + inner index`. An example is a matrix fragment that is distributed
/// over subgroups and batches. The ranks must be equal.
std::optional<Layout> compose(const Layout &outer, const Layout &inner);

/// Splits thread tiles that are larger than a subgroup into lanes and subgroups, with the same
/// owners. None if that would put registers between the two, or if the layout has subgroups already
/// (layouts, 1.8).
std::optional<Layout> splitThreads(const Layout &layout, Workgroup workgroup);

/// An operand of an operation over an iteration space: its layout, and the dimension of the
/// iteration space that each of its dimensions belongs to.
struct IterationOperand {
  Layout layout;
  llvm::SmallVector<unsigned, 4> dims;
};

/// The layout of a result over some of the dimensions, derived from the operands. None if the
/// operands disagree along a dimension, even one that the result lacks; if no operand has a
/// dimension of the result; or if the digits would overlap (layouts, 1.9).
std::optional<Layout> recombine(llvm::ArrayRef<IterationOperand> operands,
                                llvm::ArrayRef<unsigned> resultDims);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_REARRANGE_H
