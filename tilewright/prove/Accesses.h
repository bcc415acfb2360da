// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract execution of views, memory accesses and assumptions: the operations whose obligations
// are what a proof is about.

#ifndef TILEWRIGHT_PROVE_ACCESSES_H
#define TILEWRIGHT_PROVE_ACCESSES_H

#include "tilewright/prove/Evaluator.h"
#include "tilewright/tile/types/ViewGeometry.h"

namespace tilewright::prove {

class Accesses {
public:
  explicit Accesses(Evaluator &evaluator) : evaluator(evaluator) {}

  /// Whether it is an operation that is analysed.
  bool execute(mlir::Operation *op);

private:
  bool makeView(tile::MakeTensorViewOp op);
  bool forwardView(mlir::Operation *op);
  bool tensorShape(tile::GetTensorShapeOp op);
  bool indexSpaceShape(tile::GetIndexSpaceShapeOp op);
  void defineExtent(mlir::Operation *op, unsigned dim, const Polynomial &extent, Support support);
  std::vector<Polynomial> sizesOf(mlir::Operation *op, llvm::ArrayRef<int64_t> fromType,
                                  mlir::OperandRange dynamic, Support &support);

  bool access(tile::MemoryAccessOpInterface op);
  Support throughPointers(tile::MemoryAccessOpInterface op);
  Support throughView(tile::MemoryAccessOpInterface op);
  Support requireIndex(mlir::Operation *op, const tile::DimensionRule &rule,
                       const Polynomial &extent, mlir::Value index, int64_t tileExtent,
                       bool inbounds);
  Support requireRegion(mlir::Operation *op, const TensorView &view);
  Support outside(mlir::Operation *op, const Pointer &pointer, Cases where,
                  llvm::ArrayRef<int64_t> shape);

  bool assume(tile::AssumeOp op);
  Support assumeBounded(tile::AssumeOp op, tile::BoundedAttr bounds, Number &number);
  Support assumeDivisible(tile::AssumeOp op, tile::DivByAttr divisible);
  /// The current operation has no obligations, because another one is not analysed.
  Support stopAt(mlir::Operation *op);

  Evaluator &evaluator;
  mlir::Operation *stoppedBy = nullptr;
};

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_ACCESSES_H
