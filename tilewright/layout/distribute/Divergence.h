// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are divergent: may they differ between the threads of a workgroup? Those that are
// computed from thread ids, and those that a divergent value decides. All others are uniform.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_DIVERGENCE_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_DIVERGENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::layout {

class Divergence {
public:
  explicit Divergence(mlir::Operation *root);

  bool isDivergent(mlir::Value value) const { return values.contains(value); }
  /// Whether all threads execute the operation, with the same operands.
  bool isUniform(mlir::Operation *op) const;
  /// Whether threads may differ in which regions of the operation they enter, and how often.
  bool divergesAt(mlir::Operation *op) const;
  /// Whether an operation around this one is divergent.
  bool divergesAround(mlir::Operation *op) const;

private:
  llvm::DenseSet<mlir::Value> values;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_DIVERGENCE_H
