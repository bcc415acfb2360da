// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergence analysis: which values may differ between the threads of a workgroup. A value is
// divergent if it is computed from thread ids or depends on a divergent decision. All others are
// uniform.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_DIVERGENCE_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_DIVERGENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::layout {

class Divergence {
public:
  explicit Divergence(mlir::Operation *root);

  bool isDivergent(mlir::Value value) const { return values.contains(value); }
  /// Whether all threads execute the operation with the same operands.
  bool isUniform(mlir::Operation *op) const;
  /// Whether threads may differ in which regions of the operation they enter, or how often.
  bool divergesAt(mlir::Operation *op) const;
  /// Whether an enclosing operation is divergent.
  bool divergesAround(mlir::Operation *op) const;

private:
  llvm::DenseSet<mlir::Value> values;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_DIVERGENCE_H
