// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the accumulation chains and the epilogues of matrix products. A product in a loop usually
// adds to a loop-carried accumulator, so that the accumulation chain continues over the iterations.
// The result of the loop is often stored after a few elementwise operations: an epilogue.

#ifndef TILEWRIGHT_ANALYSIS_MATMULS_H
#define TILEWRIGHT_ANALYSIS_MATMULS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

inline bool isMatmul(mlir::Operation *op) { return llvm::isa<tile::MatmulOpInterface>(op); }

/// The argument of the enclosing loop whose accumulation chains the product continues. The product
/// is the only user of the argument and adds to it; its result is passed to the next iteration and
/// has no other user. Null if there is no such argument.
mlir::BlockArgument carriedAccumulator(mlir::Operation *op);

/// The operations between a value and its store. Each is the only user of the one before it, and
/// computes element i from element i, not counting dimensions of extent 1.
struct Epilogue {
  llvm::SmallVector<mlir::Operation *> operations;
  tile::StoreViewOp store;
};

/// The epilogue of a value within the block that defines it; none if there is none.
std::optional<Epilogue> epilogueOf(mlir::Value value);

/// Whether a reshape only adds or removes dimensions of extent 1.
bool keepsCoordinates(tile::ReshapeOp op);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_MATMULS_H
