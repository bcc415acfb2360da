// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function of a thread while it is being emitted: the distributed value for each value of the
// function over whole vectors, and the position of the thread. The rules for single operations
// (DistributionRules.h) read from it and append to it.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_THREADFUNCTION_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_THREADFUNCTION_H

#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/layout/distribute/Divergence.h"

#include "mlir/IR/IRMapping.h"

namespace tilewright::layout {

/// The sum of `constant` and the products of values and factors; null values count as 0.
mlir::Value linearSum(mlir::OpBuilder &builder, mlir::Location loc, int64_t constant,
                      llvm::ArrayRef<std::pair<mlir::Value, int64_t>> products);

class ThreadFunction {
public:
  ThreadFunction(mlir::func::FuncOp whole, const LayoutMap &layouts, const WorkgroupShape &shape);

  // --- Values of the original function ------------------------------------------------

  /// The layout of a vector. Rules are applied only to operations whose vectors have layouts.
  Layout layoutOf(mlir::Value vector) const { return nestedLayoutOf(vector, layouts).getLayout(); }
  NestedLayoutAttr attrOf(mlir::Value vector) const { return nestedLayoutOf(vector, layouts); }
  /// The thread's part of a vector; any other value is returned unchanged.
  mlir::Value distributed(mlir::Value whole) const { return values.lookupOrDefault(whole); }
  void setDistributed(mlir::Value whole, mlir::Value ofThread) { values.map(whole, ofThread); }
  /// The type of the distributed value.
  mlir::Type typeOf(mlir::Value whole) const;
  mlir::VectorType vectorTypeOf(mlir::Value whole) const {
    return llvm::cast<mlir::VectorType>(typeOf(whole));
  }

  // --- The thread ---------------------------------------------------------------------

  /// The position of the thread along each dimension (layouts, 1.5); null if it is always 0.
  struct Position {
    llvm::SmallVector<mlir::Value, 4> subgroups, threads;
  };
  const Position &positionIn(NestedLayoutAttr layout);
  /// The index along a dimension of the thread's element that corresponds to the element `start` of
  /// a thread at position 0.
  mlir::Value indexAt(NestedLayoutAttr layout, unsigned dim, int64_t start);
  /// Whether the thread is the first owner of its elements; null if it always is.
  mlir::Value isFirstOwner(NestedLayoutAttr layout);
  /// Whether all threads execute the operation with the same operands.
  bool isUniform(mlir::Operation *op) const { return divergence.isUniform(op); }

  mlir::OpBuilder builder; ///< at the end of the emitted code
  const WorkgroupShape shape;

private:
  friend class ThreadEmitter;
  mlir::Value threadId();
  mlir::SmallVector<mlir::Value> digits(llvm::ArrayRef<int64_t> basis);

  mlir::func::FuncOp whole;
  const LayoutMap &layouts;
  Divergence divergence;
  mlir::IRMapping values;
  mlir::OpBuilder atEntry; ///< where ids are computed, once for each layout
  mlir::Value flatId;
  llvm::DenseMap<mlir::Attribute, Position> positions;
  llvm::DenseMap<mlir::Attribute, mlir::Value> owners;
  llvm::DenseMap<std::pair<mlir::Attribute, std::pair<unsigned, int64_t>>, mlir::Value> indices;
  llvm::DenseMap<mlir::Attribute, mlir::SmallVector<mlir::Value>> digitsOf;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_THREADFUNCTION_H
