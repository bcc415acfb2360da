// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records an execution for the prediction of races: the order of all memory operations, and the
// places that scoped ones access. Tile blocks influence one another through scoped accesses only,
// unless they race.

#ifndef TILEWRIGHT_REFERENCE_PREDICT_TRACE_H
#define TILEWRIGHT_REFERENCE_PREDICT_TRACE_H

#include "tilewright/reference/machine/ReplayOrder.h"
#include "tilewright/reference/watch/Observer.h"

namespace tilewright::reference {

/// A memory operation that is not weak.
struct ScopedOperation {
  mlir::Operation *op;
  int64_t block;
  /// Number in the block (ReplayOrder.h).
  int64_t number;
  /// Whether it may write, and whether anything depends on what it reads.
  bool writes, observes;
  /// The accessed elements: a range of `places`.
  size_t firstPlace, placeCount = 0;
};

/// Two operations that access the same element, as one bit each.
enum AccessBits : uint8_t { Reads = 1, Writes = 2 };

class ExecutionTrace : public Observer {
public:
  /// With `stops`, ends the launch at the first error.
  explicit ExecutionTrace(bool stops) : stops(stops) {}

  void beforeOperation(TileBlock &block, mlir::Operation *op) override;
  void onAccess(TileBlock &block, const MemoryOperation &operation,
                const Segment &segment) override;
  bool shouldStop() const override { return hasStopped; }

  /// The memory operations in the order in which they were performed.
  const ReplayOrder &order() const { return performed; }
  /// The scoped ones among them.
  llvm::ArrayRef<ScopedOperation> scoped() const { return operations; }
  llvm::ArrayRef<uint64_t> placesOf(const ScopedOperation &operation) const {
    return llvm::ArrayRef(places).slice(operation.firstPlace, operation.placeCount);
  }
  static AccessBits bitsOf(const ScopedOperation &operation) {
    return operation.writes ? Writes : Reads;
  }
  /// Whether there were too many accesses to record.
  bool isCutShort() const { return isFull; }

private:
  bool stops, hasStopped = false, isFull = false;
  ReplayOrder performed;
  std::vector<ScopedOperation> operations;
  std::vector<uint64_t> places;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_PREDICT_TRACE_H
