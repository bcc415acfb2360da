// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the packed-operand cache (plan/SharedFactors.h). Its entries (slots) are in the arena, and
// are empty when a thread begins a launch. Before a loop, the entry for the keys is looked up, and
// evicted if it belongs to other keys. An iteration packs an operand unless the entry has its
// words. If a tensor overlaps one that the launch stores to, or a loop has more iterations than fit
// in an entry, operands are packed into scratch memory.

#ifndef TILEWRIGHT_CPU_EMIT_SHAREDFACTORS_H
#define TILEWRIGHT_CPU_EMIT_SHAREDFACTORS_H

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/OperationEmitter.h"
#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::cpu {

struct SharedOperand;

/// The place of a packed operand (`FactorPlace`) in the current iteration.
struct FactorPlace {
  mlir::Value words;        ///< Of the iterations that are computed at once.
  mlir::Value isPacked;     ///< Whether the words are cached, an i1; null: never.
  mlir::Value packedBefore; ///< Iterations packed by earlier runs.
  mlir::Value header, isShared, iteration;
};

class SharedFactors : EmitContext {
public:
  explicit SharedFactors(const EmitContext &context) : EmitContext(context) {}

  /// At the beginning of the function: empties the cache, unless an earlier call for the same
  /// launch has used the arena. Tests which tensors the launch does not store to.
  llvm::LogicalResult begin();
  /// Whether this launch does not store to the tensor that the load reads, an i1; null: it has no
  /// stores.
  mlir::Value isUnstored(tile::LoadViewOp load) const;
  /// Before a loop: looks up the cache entries of the products in its body.
  void open(tile::ForOp loop, mlir::Value tripCount, mlir::Value runs);
  /// In the loop: the place of an operand.
  FactorPlace placeOf(mlir::Operation *product, unsigned operand);
  /// After the operand of this iteration has been packed.
  void markPacked(const FactorPlace &place);

private:
  using Operand = std::pair<mlir::Operation *, unsigned>;
  struct Range {
    mlir::Value first, end; ///< Addresses; 0 and all ones if the end is not below that.
  };
  struct Slot {
    mlir::Value isShared, header, words;
  };

  Range rangeOf(mlir::Operation *tensor);
  mlir::Value isApartFromStores(mlir::Operation *tensor);
  mlir::Value isReused(const SharedOperand &shared);
  Slot lookUp(Operand operand, const SharedOperand &shared, mlir::Value isShared);
  mlir::Value keyAddress(mlir::Value header, size_t number);

  llvm::DenseMap<mlir::Operation *, Range> ranges;         ///< By `make_tensor_view`.
  llvm::DenseMap<mlir::Operation *, mlir::Value> unstored; ///< i1; null: the launch has no stores.
  llvm::DenseMap<Operand, mlir::Value>
      mayShare;                        ///< Whether caching is possible in this launch, an i1.
  llvm::DenseMap<Operand, Slot> slots; ///< Of loops that are being emitted.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_SHAREDFACTORS_H
