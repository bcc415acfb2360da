// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where are the packed factors that several tile blocks share (plan/SharedFactors.h)? In slots of
// the arena, which are empty when a thread begins with a launch. Before a loop, the slot of its
// keys is looked up, and emptied if it belongs to other keys. In an iteration, a factor is packed
// unless its words are there. Where a tensor overlaps one that the launch stores to, or a loop has
// more iterations than a slot has room for, factors are packed into scratch memory.

#ifndef TILEWRIGHT_CPU_EMIT_SHAREDFACTORS_H
#define TILEWRIGHT_CPU_EMIT_SHAREDFACTORS_H

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/emit/OperationEmitter.h"
#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::cpu {

struct Plan;
struct SharedOperand;

/// Where the words of an operand are in the current iteration.
struct FactorPlace {
  mlir::Value words;        ///< Of the iterations that are computed at once.
  mlir::Value isPacked;     ///< They need not be packed, an i1; null: they always are.
  mlir::Value packedBefore; ///< How many iterations were packed before.
  mlir::Value header, isShared, iteration;
};

class SharedFactors {
public:
  SharedFactors(LoopBuilder &b, const Plan &plan, const Frame &frame, Buffers &buffers,
                ViewAccess &views, OperationEmitter &operations)
      : b(b), plan(plan), frame(frame), buffers(buffers), views(views), operations(operations) {}

  /// At the beginning of the function: no slot is in use, unless an earlier call for the same
  /// launch has used the arena. Finds out which tensors are not stored to.
  llvm::LogicalResult begin();
  /// Whether this launch stores nothing to what the load of a product's lhs reads, an i1; null: it
  /// has no stores.
  mlir::Value isUnstored(tile::LoadViewOp load) const;
  /// Before a loop: looks up the slots of the products in its body.
  void open(tile::ForOp loop, mlir::Value tripCount, mlir::Value runs);
  /// In the loop.
  FactorPlace placeOf(mlir::Operation *product, unsigned operand);
  /// After the factors of this iteration have been packed.
  void markPacked(const FactorPlace &place);

private:
  using Operand = std::pair<mlir::Operation *, unsigned>;
  struct Range {
    mlir::Value first, end; ///< Addresses; 0 and all ones where it does not end below that.
  };
  struct Slot {
    mlir::Value isShared, header, words;
  };

  Range rangeOf(mlir::Operation *tensor);
  mlir::Value isApartFromStores(mlir::Operation *tensor);
  mlir::Value isReused(const SharedOperand &shared);
  Slot lookUp(Operand operand, const SharedOperand &shared, mlir::Value isShared);
  mlir::Value missesAddress(Operand operand);
  mlir::Value keyAddress(mlir::Value header, size_t number);

  LoopBuilder &b;
  const Plan &plan;
  const Frame &frame;
  Buffers &buffers;
  ViewAccess &views;
  OperationEmitter &operations;
  llvm::DenseMap<mlir::Operation *, Range> ranges;         ///< By `make_tensor_view`.
  llvm::DenseMap<mlir::Operation *, mlir::Value> unstored; ///< i1; null: the launch has no stores.
  llvm::DenseMap<Operand, mlir::Value> mayShare;           ///< In this launch, an i1.
  llvm::DenseMap<Operand, Slot> slots;                     ///< Of loops that are being emitted.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_SHAREDFACTORS_H
