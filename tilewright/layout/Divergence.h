// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does one thread of a workgroup see otherwise than another? What a program computes from
// the ids of threads, and whatever that decides. All else is the same for all of them.

#ifndef TILEWRIGHT_LAYOUT_DIVERGENCE_H
#define TILEWRIGHT_LAYOUT_DIVERGENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::layout {

class ThreadDependence {
public:
  explicit ThreadDependence(mlir::Operation *root);

  bool differs(mlir::Value value) const { return values.contains(value); }
  /// Whether an operation is one that all threads come by with the same operands.
  bool isUniform(mlir::Operation *op) const;
  /// Whether the regions of an operation are entered by some threads, or as often by each.
  bool threadsPartAt(mlir::Operation *op) const;
  /// Whether they have parted at something around the operation.
  bool threadsPartAround(mlir::Operation *op) const;

private:
  llvm::DenseSet<mlir::Value> values;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DIVERGENCE_H
