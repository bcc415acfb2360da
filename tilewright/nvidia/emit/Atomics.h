// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits atomic updates. Each is an instruction in inline PTX, because LLVM's atomics have neither
// order nor scope for these targets; operations without an instruction become a compare-and-swap
// loop. If several threads hold the same element, the first one updates it.

#ifndef TILEWRIGHT_NVIDIA_EMIT_ATOMICS_H
#define TILEWRIGHT_NVIDIA_EMIT_ATOMICS_H

#include "tilewright/nvidia/emit/Views.h"

namespace tilewright::nvidia {

class Atomics {
public:
  Atomics(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared,
          MemoryAccess &memory, Views &views)
      : b(b), plan(plan), tiles(tiles), shared(shared), memory(memory), views(views) {}

  void emit(tile::MemoryAccessOpInterface op);

private:
  using Update = llvm::function_ref<mlir::Value(const Own &, mlir::Value)>;

  template <typename Op> void emitOne(Op op);
  void forEachElement(tile::MemoryAccessOpInterface op, mlir::Value mask, Update update,
                      llvm::function_ref<mlir::Value(const Own &)> disabled);
  mlir::Value update(mlir::Value address, tile::AtomicRMWMode mode, mlir::Type elementType,
                     mlir::Value operand, AccessOrder order);
  mlir::Value addByLoop(mlir::Value address, mlir::Type elementType, mlir::Value operand,
                        AccessOrder order);
  mlir::Value exchange(mlir::Value address, mlir::Value expected, mlir::Value desired,
                       AccessOrder order);
  mlir::Value instruction(llvm::StringRef operation, AccessOrder order, mlir::ValueRange operands);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  MemoryAccess &memory;
  Views &views;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_ATOMICS_H
