// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Until when is a value needed? A function over vectors makes a new value for each part that it
// puts into a larger one. If all were kept until the end, memory would grow with the square of
// what a thread holds.

#ifndef TILEWRIGHT_SIMT_LIFETIMES_H
#define TILEWRIGHT_SIMT_LIFETIMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::simt {

class Lifetimes {
public:
  /// Of the values of a function and of all functions that it calls.
  explicit Lifetimes(mlir::func::FuncOp function);

  /// The values that nobody needs once the operation has been executed. Arguments of a block and
  /// what its terminator takes end with the operation around the block, since threads that have
  /// left a loop still hold them. Parameters and results of functions never end.
  llvm::ArrayRef<mlir::Value> endingAt(mlir::Operation &op) const;
  bool endsAt(mlir::Value value, mlir::Operation &op) const;

private:
  void addFunction(mlir::func::FuncOp function);
  void addResult(mlir::OpResult result);

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> ending;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_LIFETIMES_H
