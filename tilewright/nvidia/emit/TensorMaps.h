// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits tensor maps, and stores by them (plan/Roles.h). A role makes its own maps before the first
// product with a ring: the producer those of loads, the first warp of the consumers those of
// stores. Copies of stores form bulk groups of the first thread, which waits for them where a token
// orders a later access, before their memory is written again, and at the end of the kernel.

#ifndef TILEWRIGHT_NVIDIA_EMIT_TENSORMAPS_H
#define TILEWRIGHT_NVIDIA_EMIT_TENSORMAPS_H

#include "tilewright/nvidia/emit/GlobalPool.h"
#include "tilewright/nvidia/emit/Views.h"

namespace tilewright::nvidia {

class TensorMaps {
public:
  TensorMaps(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared, Views &views,
             Role role)
      : b(b), plan(plan), tiles(tiles), shared(shared), views(views), role(role) {}

  /// All threads of the role execute it.
  void makeForRole(GlobalPool &pool);
  mlir::Value addressOf(size_t map) const { return addresses[map]; }
  /// The coordinates of the CTA's part of an access's tile in the order of the map.
  llvm::SmallVector<mlir::Value> coordinatesOf(const TensorMap &map,
                                               tile::MemoryAccessOpInterface access,
                                               mlir::OperandRange indices, size_t rowDim,
                                               const CopiedPart &part);

  /// The copies between an image in shared memory and global memory. `text` is the instruction, in
  /// which {0} is the rank and {1} the coordinates of a box, the operands behind the `count` that
  /// `operandsAt` returns for the offset of the box in the image; `constraints` are those of the
  /// latter. A box has a panel and up to 256 rows of it.
  void copyBoxes(const TensorMap &map, const SharedImage &image, size_t rowDim,
                 llvm::ArrayRef<mlir::Value> first, const char *text, std::string constraints,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>(int64_t)> operandsAt);

  /// Consumers: stores a tile by its map.
  void store(tile::StoreViewOp op);
  /// Waits until the thread's stores have read shared memory, or also written global memory.
  void waitForStores(bool untilWritten);

private:
  int64_t offsetOf(size_t map) const { return int64_t(map) * TensorMap::bytes; }
  void make(const TensorMap &map, mlir::Value at);
  void makeAll(size_t first, size_t end, GlobalPool &pool);
  void write(mlir::Value tile, const TensorStore &store);
  void copy(tile::StoreViewOp op, const TensorStore &store);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  Views &views;
  const Role role;
  llvm::SmallVector<mlir::Value> addresses;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_TENSORMAPS_H
