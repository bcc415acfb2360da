// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that a matrix product performs itself. If a store writes the final accumulators of a loop
// (MatmulPlan::finalStore), the product of the last iteration performs it, provided that the tile
// lies inside the tensor.

#ifndef TILEWRIGHT_CPU_EMIT_FINALSTORES_H
#define TILEWRIGHT_CPU_EMIT_FINALSTORES_H

#include "tilewright/cpu/emit/CacheHints.h"
#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/OperationEmitter.h"

namespace tilewright::cpu {

struct FinalStore;

/// A store that the product of a loop's last iteration performs, if `isOpen`: the loop has
/// iterations, and the tile lies inside the tensor.
struct OpenStore {
  const FinalStore *plan;
  TileRegion region;
  mlir::Value isOpen; ///< An i1.
};

class FinalStores : EmitContext {
public:
  FinalStores(const EmitContext &context, CacheHints &hints) : EmitContext(context), hints(hints) {}

  /// Emits, before a loop, what its products need for their final stores. `runs`: whether the loop
  /// has iterations.
  llvm::LogicalResult open(tile::ForOp loop, mlir::Value runs);
  /// The final store of a product; null if it has none.
  const OpenStore *ofProduct(mlir::Operation *product) const;
  /// The final store that replaces this operation; null if no product performs it.
  const OpenStore *ofStore(mlir::Operation *store) const;
  void prefetch(const OpenStore &open, const Position &position);
  /// Whether the stored values are the accumulators themselves.
  bool storesSums(const OpenStore &open) const;
  /// The address of the vector at the position, as an i64.
  mlir::Value addressOf(const OpenStore &open, const Position &position);
  /// Stores the value that the epilogue computes from the accumulators (`sum`) at the position.
  void store(const OpenStore &open, const Position &position, mlir::Value sum);

private:
  Position placeInStore(const OpenStore &open, const Position &position);

  CacheHints &hints;
  llvm::MapVector<mlir::Operation *, OpenStore> stores; ///< By product.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FINALSTORES_H
