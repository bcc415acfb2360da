// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which stores of a matrix product's results are made by the product itself? Those of what a loop
// leaves of its sums (MatmulPlan::finalStore): the product of the last iteration does them, if the
// tile lies inside of the tensor.

#ifndef TILEWRIGHT_CPU_EMIT_FINALSTORES_H
#define TILEWRIGHT_CPU_EMIT_FINALSTORES_H

#include "tilewright/cpu/emit/CacheHints.h"
#include "tilewright/cpu/emit/OperationEmitter.h"

namespace tilewright::cpu {

struct FinalStore;
struct Plan;

/// A store that the product of a loop's last iteration does itself, if `isOpen`: the loop has
/// iterations, and the tile lies inside of the tensor.
struct OpenStore {
  const FinalStore *plan;
  TileRegion region;
  mlir::Value isOpen; ///< An i1.
};

class FinalStores {
public:
  FinalStores(LoopBuilder &b, ValueCache &cache, const Plan &plan, MemoryAccess &memory,
              Evaluator &evaluator, ViewAccess &views, CacheHints &hints,
              OperationEmitter &operations)
      : b(b), cache(cache), plan(plan), memory(memory), evaluator(evaluator), views(views),
        hints(hints), operations(operations) {}

  /// What the products of the loop need before it begins, to store their sums in the end. `runs`:
  /// whether the loop has iterations.
  llvm::LogicalResult open(tile::ForOp loop, mlir::Value runs);
  /// Null if the product has none.
  const OpenStore *ofProduct(mlir::Operation *product) const;
  /// Null if no product does this store.
  const OpenStore *ofStore(mlir::Operation *store) const;
  void prefetch(const OpenStore &open, const Position &position);
  /// Whether what is stored are the sums themselves.
  bool storesSums(const OpenStore &open) const;
  /// Where the vector at the position goes, as an i64.
  mlir::Value addressOf(const OpenStore &open, const Position &position);
  /// Stores what becomes of the sum at the position.
  void store(const OpenStore &open, const Position &position, mlir::Value sum);

private:
  Position placeInStore(const OpenStore &open, const Position &position);

  LoopBuilder &b;
  ValueCache &cache;
  const Plan &plan;
  MemoryAccess &memory;
  Evaluator &evaluator;
  ViewAccess &views;
  CacheHints &hints;
  OperationEmitter &operations;
  llvm::MapVector<mlir::Operation *, OpenStore> stores; ///< By product.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FINALSTORES_H
