// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are loads read that are fused with what is being evaluated? By contiguous vectors, or under
// masks, or gathered: which of these is possible is found out once for all of them, and then holds
// for everything that is evaluated.

#ifndef TILEWRIGHT_CPU_EMIT_FUSEDLOADS_H
#define TILEWRIGHT_CPU_EMIT_FUSEDLOADS_H

#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::cpu {

class FusedLoads {
public:
  FusedLoads(LoopBuilder &b, ValueCache &cache, MemoryAccess &memory, ViewAccess &views)
      : b(b), cache(cache), memory(memory), views(views) {}

  /// Finds out where the tiles lie that these loads read; forEachLocated comes next.
  void locate(const TileLoads &tile);
  /// Calls `body`, which evaluates the tile with which the located loads are fused, in the versions
  /// that the plan says. `areElsewhere`: not in the one for contiguous rows inside of their
  /// tensors, if they are tested.
  void forEachLocated(const TileLoads &tile, llvm::function_ref<void()> body,
                      bool areElsewhere = false);
  /// Both.
  void forEachVersion(const TileLoads &tile, llvm::function_ref<void()> body) {
    locate(tile);
    forEachLocated(tile, body);
  }
  /// What follows evaluates these loads.
  void use(const TileRegions &loads, bool areContiguousInBounds) {
    current = loads;
    contiguous = areContiguousInBounds;
  }
  const TileRegions &regions() const { return current; }
  mlir::Value read(tile::LoadViewOp load, const Position &position);

private:
  LoopBuilder &b;
  ValueCache &cache;
  MemoryAccess &memory;
  ViewAccess &views;
  TileRegions current;
  bool contiguous = false;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FUSEDLOADS_H
