// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates offsets in the arena. The buffer of a tile is live from the operation that defines the
// tile to the last one that reads it; the buffer of a loop-carried tile, during all iterations.
// Operations may need scratch memory while they run. Buffers that are never live at the same time
// share bytes.

#ifndef TILEWRIGHT_CPU_PLAN_ARENA_H
#define TILEWRIGHT_CPU_PLAN_ARENA_H

#include "tilewright/cpu/plan/Folds.h"
#include "tilewright/cpu/plan/Matmuls.h"
#include "tilewright/cpu/plan/Scratch.h"

namespace tilewright::cpu {

/// Bytes of the arena with their live range: the operations from `first` to `last`, numbered in
/// program order.
struct Buffer {
  int64_t bytes = 0;
  unsigned first = 0, last = 0;
  int64_t offset = 0;
};

class ArenaPlanner;
class NetworkPlan;

class Arena {
public:
  int64_t bytes() const { return totalBytes; }
  /// The buffer of a value that is placed in memory.
  const Buffer &bufferOf(mlir::Value value) const { return buffers[ofValues.lookup(value)]; }
  int64_t offsetOf(mlir::Value value) const { return bufferOf(value).offset; }
  bool shareBuffer(mlir::Value a, mlir::Value b) const;
  /// Whether an operation needs a buffer while it runs.
  bool hasScratch(mlir::Operation *op) const { return scratch.contains(op); }
  /// The offset of one part of that buffer (Scratch.h).
  int64_t scratchOffset(mlir::Operation *op, unsigned part = 0) const {
    const auto &[buffer, parts] = scratch.find(op)->second;
    return buffers[buffer].offset + parts[part];
  }

  /// Where the packed-operand cache of this operand begins (SharedFactors.h), and where the headers
  /// of its entries (`slots`) begin.
  int64_t slotsOffset(mlir::Operation *product, unsigned operand) const {
    return buffers[slots.lookup({product, operand}).buffer].offset;
  }
  int64_t headersOffset(mlir::Operation *product, unsigned operand) const {
    return allHeaders().offset + slots.lookup({product, operand}).firstHeader;
  }
  /// The headers of all cache entries; the kernel must have some.
  const Buffer &allHeaders() const { return buffers[*headers]; }

private:
  friend class ArenaPlanner;
  void layOut();

  std::vector<Buffer> buffers;
  llvm::DenseMap<mlir::Value, unsigned> ofValues;
  /// The number of a buffer, and the offsets of its parts.
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, llvm::SmallVector<int64_t, 2>>> scratch;
  /// The number of a buffer, and the offset of its first header among all headers.
  struct Slots {
    unsigned buffer = 0;
    int64_t firstHeader = 0;
  };
  /// By product and operand.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Slots> slots;
  std::optional<unsigned> headers; ///< The number of a buffer.
  int64_t totalBytes = 0;
};

Arena planArena(const OperationOrder &order, const NetworkPlan &networks,
                const Placements &placements, const GroupPlan &groups, const MatmulPlans &matmuls,
                const Folds &folds);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_ARENA_H
