// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do the sums of a matrix product come from, and where do they go? A product in a loop mostly
// adds to what the loop carries: over the iterations these are longer accumulation chains. What the
// loop leaves of them is often stored after a few elementwise operations: an epilogue.

#ifndef TILEWRIGHT_ANALYSIS_MATMULS_H
#define TILEWRIGHT_ANALYSIS_MATMULS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

inline bool isMatmul(mlir::Operation *op) { return llvm::isa<tile::MatmulOpInterface>(op); }

/// The argument of the loop around it whose accumulation chains the product continues: it adds to
/// the argument, which nothing else reads, and the loop carries on the result, which nothing else
/// reads either. Null if there is none.
mlir::BlockArgument carriedAccumulator(mlir::Operation *op);

/// What becomes of a value until it is stored. Each operation is the only one that reads what is
/// before it, and makes element i of element i, where dimensions of extent 1 do not count.
struct Epilogue {
  llvm::SmallVector<mlir::Operation *> operations;
  tile::StoreViewOp store;
};

/// The epilogue of a value, in the block in which it is defined.
std::optional<Epilogue> epilogueOf(mlir::Value value);

/// Whether a reshape only adds or removes dimensions of extent 1.
bool keepsCoordinates(tile::ReshapeOp op);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_MATMULS_H
