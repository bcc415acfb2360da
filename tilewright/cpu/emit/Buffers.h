// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where are the words of a tile that has memory, and how are they read and written? They are in a
// buffer in the arena or in constant data, in row-major order.

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
  /// So many bytes into a part of the memory that an operation needs while it runs
  /// (plan/Scratch.h).
  mlir::Value scratch(mlir::Operation *op, unsigned part = 0, int64_t bytes = 0);
  /// The slots of what tile blocks share of a product's operand (plan/SharedFactors.h), and so many
  /// bytes into their headers.
  mlir::Value slots(mlir::Operation *product, unsigned operand);
  mlir::Value slotHeaders(mlir::Operation *product, unsigned operand, int64_t bytes = 0);
  /// No slot of the entry is in use.
  void clearSlotHeaders();
  bool hasScratch(mlir::Operation *op) const;
  /// Whether both tiles are in the same bytes.
  bool areShared(mlir::Value a, mlir::Value b) const;
  /// Where the plan has given the tile a buffer.
  mlir::Value addressOf(mlir::Value tile);
  /// Where the words of a tile are that has a buffer or is a constant.
  mlir::Value memoryOf(mlir::Value tile);
  mlir::Value read(mlir::Value tile, const Position &position);
  void write(mlir::Value base, tile::TileType type, const Position &position, mlir::Value value);
  /// To the buffer of the tile, maybe a part of a larger one.
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
