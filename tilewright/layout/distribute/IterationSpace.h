// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iteration space of a contraction whose operands are distributed over threads. Each summed
// dimension is split into a part that a thread sums by itself and a part that is shared with other
// threads. The shared parts become dimensions of the result, to be reduced afterwards (layouts,
// 3.6.9).

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_ITERATIONSPACE_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_ITERATIONSPACE_H

#include "tilewright/layout/algebra/Layout.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::layout {

class IterationSpace {
public:
  /// The operands have the same layout along their common dimensions.
  IterationSpace(mlir::vector::ContractionOp contraction, const Layout &lhs, const Layout &rhs);

  /// Whether any sum is shared between threads.
  bool isShared() const { return !shared.empty(); }

  /// For each old dimension of an operand, its new dimensions.
  llvm::SmallVector<llvm::SmallVector<Dim, 4>> partsAlong(mlir::AffineMap map) const;
  /// The layout of each thread's partial result: the dimensions of the result, followed by the
  /// shared ones.
  llvm::SmallVector<Dim, 4> dimsOfPartial() const;
  /// Which dimensions of the partial result have to be reduced.
  llvm::SmallVector<bool> sharedInPartial() const;

  /// The indexing maps of each thread's contraction, for lhs, rhs and its partial result.
  mlir::ArrayAttr indexingMaps() const;
  mlir::ArrayAttr iteratorTypes() const;

private:
  mlir::AffineMap mapOf(mlir::AffineMap old, llvm::ArrayRef<unsigned> more) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::AffineMap, 4> oldMaps;
  llvm::SmallVector<llvm::SmallVector<Dim, 4>> parts; ///< of each old dimension
  llvm::SmallVector<unsigned> firstOf;                ///< first new dimension of each old one
  llvm::SmallVector<mlir::vector::IteratorType> types;
  llvm::SmallVector<unsigned> shared; ///< new dimensions left to the reduction
  llvm::SmallVector<Dim, 4> dims;     ///< all new dimensions
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_ITERATIONSPACE_H
