// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes tiles in memory. Their words are in a buffer in the arena or in constant data,
// in row-major order.

#ifndef TILEWRIGHT_CPU_EMIT_BUFFERS_H
#define TILEWRIGHT_CPU_EMIT_BUFFERS_H

#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/emit/ModuleGlobals.h"
#include "tilewright/cpu/plan/Operations.h"

namespace tilewright::cpu {

class Arena;
class Placements;

class Buffers {
public:
  Buffers(LoopBuilder &b, ModuleGlobals &globals, const Placements &placements, const Arena &arena,
          const Frame &frame)
      : b(b), globals(globals), placements(placements), arena(arena), frame(frame) {}

  mlir::Value arenaAddress(int64_t offset);
  /// The address `bytes` into a part of an operation's scratch memory (plan/Scratch.h).
  mlir::Value scratch(mlir::Operation *op, unsigned part = 0, int64_t bytes = 0);
  /// The packed-operand cache of a product's operand (plan/SharedFactors.h), and the headers of its
  /// entries.
  mlir::Value slots(mlir::Operation *product, unsigned operand);
  mlir::Value slotHeaders(mlir::Operation *product, unsigned operand);
  /// Marks all packed-operand cache entries of the kernel as empty.
  void clearSlotHeaders();
  bool hasScratch(mlir::Operation *op) const;
  /// Whether both tiles occupy the same bytes.
  bool areShared(mlir::Value a, mlir::Value b) const;
  /// The address of the tile's buffer.
  mlir::Value addressOf(mlir::Value tile);
  /// The address of a tile that has a buffer or is a constant.
  mlir::Value memoryOf(mlir::Value tile);
  mlir::Value read(mlir::Value tile, const Position &position);
  void write(mlir::Value base, tile::TileType type, const Position &position, mlir::Value value);
  /// Writes elements to the tile's buffer, which may be a part of a larger one.
  void writeTile(mlir::Value tile, Position position, mlir::Value value);

private:
  mlir::Value constantAddress(tile::ConstantOp op);

  LoopBuilder &b;
  ModuleGlobals &globals;
  const Placements &placements;
  const Arena &arena;
  const Frame &frame;
  llvm::DenseMap<mlir::Operation *, mlir::LLVM::GlobalOp> constants;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_BUFFERS_H
