// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in the arena is what a plan keeps in memory, and for how long? A tile that has a buffer has
// it from the operation that makes it to the last one that reads it; what a loop carries, for all
// its iterations. Operations may need scratch memory of their own while they run. Buffers that are
// never alive together share bytes.

#ifndef TILEWRIGHT_CPU_PLAN_ARENA_H
#define TILEWRIGHT_CPU_PLAN_ARENA_H

#include "tilewright/cpu/plan/Folds.h"
#include "tilewright/cpu/plan/Matmuls.h"
#include "tilewright/cpu/plan/Scratch.h"

namespace tilewright::cpu {

/// Bytes of the arena, for as long as the operations from `first` to `last` run; both are
/// numbers of operations in the order of the text.
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
  /// The buffer of a value that has one.
  const Buffer &bufferOf(mlir::Value value) const { return buffers[ofValues.lookup(value)]; }
  int64_t offsetOf(mlir::Value value) const { return bufferOf(value).offset; }
  bool shareBuffer(mlir::Value a, mlir::Value b) const;
  /// A buffer that an operation needs while it runs.
  bool hasScratch(mlir::Operation *op) const { return scratch.contains(op); }
  /// Where the part of it with this number begins (Scratch.h).
  int64_t scratchOffset(mlir::Operation *op, unsigned part = 0) const {
    const auto &[buffer, parts] = scratch.find(op)->second;
    return buffers[buffer].offset + parts[part];
  }

  /// Where the slots of an operand begin that is shared (SharedFactors.h), and where their headers.
  int64_t slotsOffset(mlir::Operation *product, unsigned operand) const {
    return buffers[slots.lookup({product, operand}).buffer].offset;
  }
  int64_t headersOffset(mlir::Operation *product, unsigned operand) const {
    return allHeaders().offset + slots.lookup({product, operand}).firstHeader;
  }
  /// The headers of all slots, of an entry that has some.
  const Buffer &allHeaders() const { return buffers[*headers]; }

private:
  friend class ArenaPlanner;
  void layOut();

  std::vector<Buffer> buffers;
  llvm::DenseMap<mlir::Value, unsigned> ofValues;
  /// The number of a buffer, and what is where in it.
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, llvm::SmallVector<int64_t, 2>>> scratch;
  /// The number of a buffer, and where its headers begin among all of them.
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
