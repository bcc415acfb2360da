// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do kernels tell the caches? What the next iteration of a loop, or the next tile block, reads
// is prefetched while this one computes; stores to tensors much larger than the caches are
// non-temporal.

#ifndef TILEWRIGHT_CPU_EMIT_CACHEHINTS_H
#define TILEWRIGHT_CPU_EMIT_CACHEHINTS_H

#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::analysis {
struct InductionStep;
}

namespace tilewright::cpu {

class CacheHints {
public:
  CacheHints(LoopBuilder &b, const Frame &frame, const Target &target)
      : b(b), frame(frame), target(target) {}

  /// How many bytes after what it reads the load will read in the next iteration of the loop
  /// around, or in the next tile block; null if that is not known, or the same.
  mlir::Value bytesToNextIteration(tile::LoadViewOp load, const TileRegion &region);
  mlir::Value bytesToNextIteration(tile::LoadPtrOp load);
  /// The address of its first element.
  mlir::Value originOf(const TileRegion &region);
  /// Into the second cache what is read in the next iteration, into the first what is written in
  /// this one, or read soon (`isNear`).
  void prefetchLine(mlir::Value address, bool toWrite = false, bool isNear = false);
  /// The lines of so many bytes that are read.
  void prefetchLines(mlir::Value first, int64_t bytes, bool isNear = false);
  /// Whether to store past the caches through a view, as an i1.
  mlir::Value isNonTemporal(const TileRegion &region);
  /// The same through pointers, where each tile block of the launch stores so many bytes, and the
  /// address is aligned.
  mlir::Value isLargeLaunch(int64_t bytesPerBlock);
  mlir::Value isAligned(mlir::Value address);

private:
  std::optional<analysis::InductionStep> stepOf(mlir::Value index, mlir::Operation *user);
  mlir::Value isLarge(mlir::Value bytes);
  mlir::Value emitStep(const analysis::InductionStep &step);

  LoopBuilder &b;
  const Frame &frame;
  const Target &target;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_CACHEHINTS_H
