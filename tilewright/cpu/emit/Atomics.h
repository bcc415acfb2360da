// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits atomic updates, element by element in row-major order: with the processor's own instruction
// if it has one for the operation, else as a compare-and-swap loop (operations, 9; memory model,
// 5). In the scope of the tile block, no other access can interfere, and a block runs on one thread
// at a time: the update is a load, an operation and a store.

#ifndef TILEWRIGHT_CPU_EMIT_ATOMICS_H
#define TILEWRIGHT_CPU_EMIT_ATOMICS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::cpu {

class Atomics : EmitContext {
public:
  explicit Atomics(const EmitContext &context) : EmitContext(context) {}

  /// An access that `isAtomic`, except to multicast memory (Multimem.h).
  void emit(tile::MemoryAccessOpInterface op);
  /// Combines the stored tile into this region of memory.
  void reduceThroughView(tile::MemoryAccessOpInterface op, const TileRegion &region,
                         tile::AtomicRMWMode mode);
  /// The new value of an element.
  mlir::Value updated(tile::AtomicRMWMode mode, mlir::Type elementType, mlir::Value old,
                      mlir::Value operand);

private:
  /// Emits one operation of this class.
  template <typename Op> void emitOne(Op op);
  /// Emits the update of the element at a pointer, and returns the old value.
  using Update = llvm::function_ref<mlir::Value(const Position &, mlir::Value pointer)>;
  /// The result for disabled elements.
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
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_ATOMICS_H
