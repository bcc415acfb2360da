// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits accesses through tiles of pointers. Each element of such a tile is an address.

#ifndef TILEWRIGHT_NVIDIA_EMIT_POINTERS_H
#define TILEWRIGHT_NVIDIA_EMIT_POINTERS_H

#include "tilewright/nvidia/emit/MemoryAccess.h"
#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class Pointers {
public:
  Pointers(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared,
           MemoryAccess &memory)
      : b(b), plan(plan), tiles(tiles), shared(shared), memory(memory) {}

  void emit(tile::LoadPtrOp op);
  void emit(tile::StorePtrOp op);
  void emit(tile::AllocaOp op);

private:
  mlir::Value isRun(mlir::Value pointers, mlir::Value mask, const Own &first, int64_t width);
  Own ownAt(const TileLayout &layout, const Own &first, int64_t number);
  mlir::Value load(tile::LoadPtrOp op, const Own &own, mlir::Value isReader);
  void store(tile::StorePtrOp op, const Own &own, mlir::Value isWriter);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  MemoryAccess &memory;
};

/// The pointee type of a tile of pointers.
mlir::Type pointeeOf(mlir::Value pointers);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_POINTERS_H
