// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits prefetches and non-temporal stores. The data of the next iteration, or of the next tile
// block, is prefetched while the current one computes; stores to tensors much larger than the
// caches are non-temporal.

#ifndef TILEWRIGHT_CPU_EMIT_CACHEHINTS_H
#define TILEWRIGHT_CPU_EMIT_CACHEHINTS_H

#include "tilewright/cpu/emit/ViewAccess.h"
#include "tilewright/cpu/plan/Prefetches.h"

namespace tilewright::cpu {

class CacheHints {
public:
  CacheHints(LoopBuilder &b, const Frame &frame) : b(b), frame(frame) {}

  /// The distance in bytes from the tile that the load reads, through a view or pointers, to its
  /// next one.
  mlir::Value bytesTo(const NextTile &next, const TileRegion &region);
  mlir::Value bytesTo(const NextTile &next);
  /// The address of the region's first element.
  mlir::Value originOf(const TileRegion &region);
  /// Prefetches data of the next iteration into the L2 cache; into L1 if it is written in this
  /// iteration, or read soon (`isNear`).
  void prefetchLine(mlir::Value address, bool toWrite = false, bool isNear = false);
  /// Prefetches the lines of `bytes` bytes for reading.
  void prefetchLines(mlir::Value first, int64_t bytes, bool isNear = false);
  /// Whether stores through a view that may be non-temporal are, as an i1.
  mlir::Value isNonTemporal(const TileRegion &region);
  /// The same for stores through pointers, if each tile block stores this number of bytes and the
  /// address is aligned.
  mlir::Value isLargeLaunch(int64_t bytesPerBlock, const NonTemporal &stores);
  mlir::Value isAligned(mlir::Value address);

private:
  mlir::Value isLarge(mlir::Value bytes, const NonTemporal &stores);
  mlir::Value emitStep(const analysis::InductionStep &step);

  LoopBuilder &b;
  const Frame &frame;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_CACHEHINTS_H
