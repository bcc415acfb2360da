// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates block-lifetime memory that other blocks can access, and memory for tensor maps. A pool
// in global memory has a part for each block that a GPU can run at a time. A block takes a free
// part when it begins, and releases it when it ends.

#ifndef TILEWRIGHT_NVIDIA_EMIT_GLOBALPOOL_H
#define TILEWRIGHT_NVIDIA_EMIT_GLOBALPOOL_H

#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class GlobalPool {
public:
  GlobalPool(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared)
      : b(b), plan(plan), tiles(tiles), shared(shared) {}

  /// Parts of the pool: no GPU runs more CTAs at a time. With fewer parts, blocks would wait for
  /// others.
  static constexpr int64_t parts = 4096;

  void declare(mlir::ModuleOp into);
  /// Emitted at the beginning and, behind a barrier, at the end of the function; nothing if no part
  /// is needed.
  void take();
  void giveBack();
  /// The address of the memory of an `alloca`.
  mlir::Value addressOf(tile::AllocaOp op);
  /// The address of this byte of the block's part.
  mlir::Value addressAt(int64_t offset);

private:
  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  mlir::LLVM::GlobalOp memory, marks;
  mlir::Value mark, part; ///< Pointers to the mark of the block's part, and to the part.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_GLOBALPOOL_H
