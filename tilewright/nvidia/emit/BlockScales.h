// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales the partial sums of block-scaled products (arithmetic, 4.32). Operands are multiplied
// unscaled; the sum over the steps along k that share their scales is multiplied by both scales,
// and added to the accumulator. So no scaled operand is ever rounded, and none overflows.

#ifndef TILEWRIGHT_NVIDIA_EMIT_BLOCKSCALES_H
#define TILEWRIGHT_NVIDIA_EMIT_BLOCKSCALES_H

#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class BlockScales {
public:
  BlockScales(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared)
      : b(b), plan(plan), tiles(tiles), shared(shared) {}

  /// The scale of a row of lhs or of a column of rhs. A power of two is the product of two, because
  /// the product of two scales may exceed the range of f32.
  struct Scale {
    mlir::Value first, second; ///< f32; `second` is null unless the scale is a power of two.
  };

  /// Writes the scales to shared memory, from where all threads may read them behind a barrier.
  void write(tile::MmaFScaledOp op);
  /// The scale of a row of lhs or a column of rhs in this block along k, as an i8.
  mlir::Value read(tile::MmaFScaledOp op, bool isLhs, mlir::Value batch, mlir::Value line,
                   mlir::Value block);
  /// The same for the row or column of an element of the result.
  Scale read(tile::MmaFScaledOp op, bool isLhs, const Own &own, mlir::Value block);
  /// round(sums * lhs * rhs + accumulator)
  mlir::Value multiplyAdd(mlir::Value sums, const Scale &lhs, const Scale &rhs,
                          mlir::Value accumulator);

private:
  mlir::Value baseOf(tile::MmaFScaledOp op, bool isLhs);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_BLOCKSCALES_H
