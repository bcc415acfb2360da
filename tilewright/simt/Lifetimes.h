// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness of values: after which operation a value is dead. A function over vectors creates a new
// value for each part that it inserts into a larger vector; if all of them were kept until the end,
// memory would grow with the square of the vector size.

#ifndef TILEWRIGHT_SIMT_LIFETIMES_H
#define TILEWRIGHT_SIMT_LIFETIMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::simt {

class Lifetimes {
public:
  /// Analyses a function and all functions that it calls.
  explicit Lifetimes(mlir::func::FuncOp function);

  /// The values that are dead after the operation. Block arguments and the operands of the block's
  /// terminator end with the enclosing operation, because threads that have left a loop still hold
  /// them. Parameters and results of functions never end.
  llvm::ArrayRef<mlir::Value> endingAt(mlir::Operation &op) const;
  bool endsAt(mlir::Value value, mlir::Operation &op) const;

private:
  void addFunction(mlir::func::FuncOp function);
  void addResult(mlir::OpResult result);

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> ending;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_LIFETIMES_H
