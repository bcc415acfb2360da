// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers the operations of an entry in program order, and says which loads may move past which
// operations.

#ifndef TILEWRIGHT_CPU_PLAN_OPERATIONORDER_H
#define TILEWRIGHT_CPU_PLAN_OPERATIONORDER_H

#include "tilewright/tile/Ops.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::cpu {

/// The operations of an entry, numbered in program order. Operations in the body of an aggregate
/// that computes on scalars are left out: they have no tiles.
class OperationOrder {
public:
  explicit OperationOrder(tile::EntryOp entry);

  llvm::ArrayRef<mlir::Operation *> operations() const { return all; }
  unsigned numberOf(mlir::Operation *op) const { return numbers.lookup(op).first; }
  /// The number of the last operation nested in this one; its own number if it has no region.
  unsigned endOf(mlir::Operation *op) const { return numbers.lookup(op).second; }
  /// Whether a weak load may be sunk to the position of a later operation.
  bool mayMove(mlir::Operation *load, mlir::Operation *later) const {
    return barriers[numberOf(load)] == barriers[numberOf(later)];
  }

private:
  void number(mlir::Block &block);

  std::vector<mlir::Operation *> all;
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> numbers;
  /// The number of barriers up to each operation.
  std::vector<unsigned> barriers;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_OPERATIONORDER_H
