// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The observer interface of a launch. Observers are notified of events and change nothing: traces,
// coverage, breakpoints and progress are observers.

#ifndef TILEWRIGHT_REFERENCE_WATCH_OBSERVER_H
#define TILEWRIGHT_REFERENCE_WATCH_OBSERVER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::reference {

class TileBlock;
struct MemoryOperation;
struct Segment;

class Observer {
public:
  virtual ~Observer() = default;

  virtual void onStart(TileBlock &block) {}
  virtual void onEnd(TileBlock &block) {}
  /// Operands are in their registers.
  virtual void beforeOperation(TileBlock &block, mlir::Operation *op) {}
  /// Results are in their registers, too, unless the operation failed, opened a body, or is
  /// pending.
  virtual void afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) {}
  /// A segment of elements is about to be accessed.
  virtual void onAccess(TileBlock &block, const MemoryOperation &operation,
                        const Segment &segment) {}

  /// If true, the launch ends before the operation that the observer was just notified of.
  virtual bool shouldStop() const { return false; }
};

/// Combines several observers, which are notified in the order in which they were added.
class Observers : public Observer {
public:
  /// The observer must outlive this one.
  void add(Observer &observer) { all.push_back(&observer); }
  bool empty() const { return all.empty(); }

  void onStart(TileBlock &block) override {
    for (Observer *observer : all)
      observer->onStart(block);
  }
  void onEnd(TileBlock &block) override {
    for (Observer *observer : all)
      observer->onEnd(block);
  }
  void beforeOperation(TileBlock &block, mlir::Operation *op) override {
    for (Observer *observer : all)
      observer->beforeOperation(block, op);
  }
  void afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) override {
    for (Observer *observer : all)
      observer->afterOperation(block, op, outcome);
  }
  void onAccess(TileBlock &block, const MemoryOperation &operation,
                const Segment &segment) override {
    for (Observer *observer : all)
      observer->onAccess(block, operation, segment);
  }
  bool shouldStop() const override {
    return llvm::any_of(all, [](const Observer *observer) { return observer->shouldStop(); });
  }

private:
  llvm::SmallVector<Observer *, 4> all;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_OBSERVER_H
