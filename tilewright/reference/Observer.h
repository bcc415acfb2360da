// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who watches a launch? An observer is told what happens, and changes nothing: traces,
// coverage, breakpoints and progress are observers.

#ifndef TILEWRIGHT_REFERENCE_OBSERVER_H
#define TILEWRIGHT_REFERENCE_OBSERVER_H

#include "mlir/IR/Operation.h"

namespace tilewright::reference {

class TileBlock;
struct MemoryOperation;
struct Run;

class Observer {
public:
  virtual ~Observer() = default;

  virtual void onStart(TileBlock &block) {}
  virtual void onEnd(TileBlock &block) {}
  /// Operands are in their registers.
  virtual void beforeOperation(TileBlock &block, mlir::Operation *op) {}
  /// So are the results, unless the operation failed, opened a body, or waits in memory.
  virtual void afterOperation(TileBlock &block, mlir::Operation *op) {}
  /// A run of elements is about to be accessed.
  virtual void onAccess(TileBlock &block, const MemoryOperation &operation, const Run &run) {}
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OBSERVER_H
