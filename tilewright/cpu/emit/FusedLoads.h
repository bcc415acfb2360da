// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits loads that are fused into the evaluated tile: as contiguous vectors, masked, or as gathers.
// One test selects the version for all of them, which then holds for everything that is evaluated.

#ifndef TILEWRIGHT_CPU_EMIT_FUSEDLOADS_H
#define TILEWRIGHT_CPU_EMIT_FUSEDLOADS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/ViewAccess.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilewright::cpu {

class FusedLoads : EmitContext {
public:
  explicit FusedLoads(const EmitContext &context) : EmitContext(context) {}

  /// The regions that these loads read.
  TileRegions locate(const TileLoads &tile);
  /// Calls `body`, which evaluates the tile into which the located loads are fused, once per
  /// planned version. `areElsewhere`: skips the version for contiguous rows inside the tensors, if
  /// that is tested.
  void forEachLocated(const TileLoads &tile, const TileRegions &located,
                      llvm::function_ref<void()> body, bool areElsewhere = false);
  /// Calls locate and forEachLocated.
  void forEachVersion(const TileLoads &tile, llvm::function_ref<void()> body) {
    forEachLocated(tile, locate(tile), body);
  }
  /// The loads of the code that is emitted as long as the returned scope exists.
  struct Located {
    TileRegions regions;
    bool areContiguousInBounds = false;
  };
  [[nodiscard]] llvm::SaveAndRestore<Located> scope(const TileRegions &regions,
                                                    bool areContiguousInBounds) {
    return {current, {regions, areContiguousInBounds}};
  }
  mlir::Value read(tile::LoadViewOp load, const Position &position);

private:
  Located current;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FUSEDLOADS_H
