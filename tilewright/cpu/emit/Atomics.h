// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is memory updated atomically? Element by element, in row-major order: by the
// processor's own instruction where it has the operation, else by compare and exchange until
// no other access came in between (operations, 9; memory model, 5). In the scope of the tile block
// nothing else may come in between, and a block runs on one thread at a time: it is enough to read,
// compute and write.

#ifndef TILEWRIGHT_CPU_EMIT_ATOMICS_H
#define TILEWRIGHT_CPU_EMIT_ATOMICS_H

#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::cpu {

struct Plan;

class Atomics {
public:
  Atomics(LoopBuilder &b, const Target &target, const Plan &plan, Frame &frame, Buffers &buffers,
          Evaluator &evaluator, ViewAccess &views)
      : b(b), target(target), plan(plan), frame(frame), buffers(buffers), evaluator(evaluator),
        views(views) {}

  /// An access that `isAtomic`, but for that of multicast memory (Multimem.h).
  void emit(tile::MemoryAccessOpInterface op);
  /// Combines what the access stores into this region of memory.
  void reduceThroughView(tile::MemoryAccessOpInterface op, const TileRegion &region,
                         tile::AtomicRMWMode mode);
  /// What an element becomes.
  mlir::Value updated(tile::AtomicRMWMode mode, mlir::Type elementType, mlir::Value old,
                      mlir::Value operand);

private:
  /// Of one class of operations.
  template <typename Op> void emitOne(Op op);
  /// An update of the element at a pointer: gives the old value.
  using Update = llvm::function_ref<mlir::Value(const Position &, mlir::Value pointer)>;
  /// The result where the mask does not hold.
  using Disabled = llvm::function_ref<mlir::Value(const Position &)>;
  void forEachElement(tile::MemoryAccessOpInterface op, mlir::Value mask, Update update,
                      Disabled disabled);
  void forEachOf(llvm::ArrayRef<int64_t> shape, int64_t together,
                 llvm::function_ref<void(const Position &)> body);
  mlir::Value sumOf(numerics::Format format, mlir::Value lhs, mlir::Value rhs);
  mlir::Value updateAlone(mlir::Value pointer, tile::AtomicRMWMode mode, mlir::Type elementType,
                          mlir::Value operand);
  mlir::Value update(mlir::Value pointer, tile::AtomicRMWMode mode, mlir::Type elementType,
                     mlir::Value operand, mlir::LLVM::AtomicOrdering ordering);

  LoopBuilder &b;
  const Target &target;
  const Plan &plan;
  Frame &frame;
  Buffers &buffers;
  Evaluator &evaluator;
  ViewAccess &views;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_ATOMICS_H
