// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function of a thread while it is emitted: the distributed value for each value of the
// function over whole vectors, and the position of the thread. Rules for single operations
// (DistributionRules.h) read from it and append to it.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_THREADFUNCTION_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_THREADFUNCTION_H

#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/layout/distribute/Divergence.h"

#include "mlir/IR/IRMapping.h"

namespace tilewright::layout {

/// `constant` and the products of values with their factors; null values count nothing.
mlir::Value linearSum(mlir::OpBuilder &builder, mlir::Location loc, int64_t constant,
                      llvm::ArrayRef<std::pair<mlir::Value, int64_t>> products);

class ThreadFunction {
public:
  ThreadFunction(mlir::func::FuncOp whole, const LayoutMap &layouts, const WorkgroupShape &shape);

  // --- Values of the whole ------------------------------------------------------------

  /// The layout of a vector; rules are asked about operations only whose vectors have one.
  Layout layoutOf(mlir::Value vector) const { return nestedLayoutOf(vector, layouts).getLayout(); }
  NestedLayoutAttr attrOf(mlir::Value vector) const { return nestedLayoutOf(vector, layouts); }
  /// The thread's part of a vector, or for any other value the value itself.
  mlir::Value distributed(mlir::Value whole) const { return values.lookupOrDefault(whole); }
  void setDistributed(mlir::Value whole, mlir::Value ofThread) { values.map(whole, ofThread); }
  /// The type of the distributed value.
  mlir::Type typeOf(mlir::Value whole) const;
  mlir::VectorType vectorTypeOf(mlir::Value whole) const {
    return llvm::cast<mlir::VectorType>(typeOf(whole));
  }

  // --- The thread ---------------------------------------------------------------------

  /// The position of the thread along each dimension (layouts, 1.5): null where it is always 0.
  struct Position {
    llvm::SmallVector<mlir::Value, 4> subgroups, threads;
  };
  const Position &positionIn(NestedLayoutAttr layout);
  /// The index along a dimension at which the thread has what a thread at position 0 has at
  /// `start`.
  mlir::Value indexAt(NestedLayoutAttr layout, unsigned dim, int64_t start);
  /// Whether the thread is the first owner of what it holds; null if it always is.
  mlir::Value isFirstOwner(NestedLayoutAttr layout);
  /// Whether all threads execute the operation, with the same operands.
  bool isUniform(mlir::Operation *op) const { return divergence.isUniform(op); }

  mlir::OpBuilder builder; ///< at the end of what is written
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
