// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iteration space of a contraction whose operands are spread over threads. Each dimension that
// is summed is decomposed into what a thread sums by itself and what it shares with others;
// the latter become dimensions of the result, to be reduced afterwards (layouts, 3.6.9).

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_ITERATIONSPACE_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_ITERATIONSPACE_H

#include "tilewright/layout/algebra/Layout.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::layout {

class IterationSpace {
public:
  /// The operands are held alike along what they share.
  IterationSpace(mlir::vector::ContractionOp contraction, const Layout &lhs, const Layout &rhs);

  /// Whether any thread shares a sum.
  bool isShared() const { return !shared.empty(); }

  /// The new dimensions of an operand, for each of its old ones.
  llvm::SmallVector<llvm::SmallVector<Dim, 4>> partsAlong(mlir::AffineMap map) const;
  /// How each thread's own result is held: as the result, and behind that the shared dimensions.
  llvm::SmallVector<Dim, 4> dimsOfPartial() const;
  /// Which of them are to be reduced.
  llvm::SmallVector<bool> sharedInPartial() const;

  /// What the contraction of each thread's own is: of lhs, rhs and its partial result.
  mlir::ArrayAttr indexingMaps() const;
  mlir::ArrayAttr iteratorTypes() const;

private:
  mlir::AffineMap mapOf(mlir::AffineMap old, llvm::ArrayRef<unsigned> more) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::AffineMap, 4> oldMaps;
  llvm::SmallVector<llvm::SmallVector<Dim, 4>> parts; ///< of each old dimension
  llvm::SmallVector<unsigned> firstOf;                ///< the new dimensions of each old one
  llvm::SmallVector<mlir::vector::IteratorType> types;
  llvm::SmallVector<unsigned> shared; ///< new dimensions that are left for the reduction
  llvm::SmallVector<Dim, 4> dims;     ///< all new ones
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_ITERATIONSPACE_H
