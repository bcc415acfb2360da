// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From which elements of its operands an operation computes an element of its result.

#ifndef TILEWRIGHT_REFERENCE_WATCH_SOURCES_H
#define TILEWRIGHT_REFERENCE_WATCH_SOURCES_H

#include "tilewright/reference/machine/TileBlock.h"

namespace tilewright::reference {

/// One element of a tile.
struct Source {
  mlir::Value value;
  int64_t element;
};

inline Element elementOf(const TileBlock &block, Source source) {
  return block.tile(source.value)[source.element];
}

/// The elements that decide the element of the result, in the order in which they are combined:
/// those at the same position for an elementwise operation, the chosen one for `select`, those that
/// `reduce` and `scan` combine in this operand; the accumulator, then pairs of factors for a
/// product. All elements of all operands for other operations, such as `pack`. None for a constant.
/// The operands and the result are still in their registers.
llvm::SmallVector<Source> sourcesOf(const TileBlock &block, mlir::OpResult result, int64_t element);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_SOURCES_H
