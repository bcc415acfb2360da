// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings the scales of block-scaled `tcgen05.mma` to tensor memory (plan/TensorScales.h). The
// producer copies them into a pipeline stage of the operands, if an array has them in the order of
// a stage; otherwise, consumers write them there, some iterations ahead of the multiplier. This
// copies them by `tcgen05.cp` in front of the products. Copies and products of a thread are
// executed in order (PTX ISA, 9.7.16.6), so the columns of scales are written again without a wait.
//
// In a pair, the producer or the consumers of each CTA fill its stage with the scales that it
// needs, and a copy by the multiplier of CTA 0 is executed in both CTAs.

#ifndef TILEWRIGHT_NVIDIA_EMIT_STAGEDSCALES_H
#define TILEWRIGHT_NVIDIA_EMIT_STAGEDSCALES_H

#include "tilewright/nvidia/emit/Rings.h"

namespace tilewright::nvidia {

class TensorScales;

/// The modifier of tcgen05 instructions.
const char *ctaGroupOf(const Plan &plan);

class StagedScales {
public:
  StagedScales(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared, Rings &rings)
      : b(b), plan(plan), tiles(tiles), shared(shared), rings(rings) {}

  /// Consumers write the scales of the next product that the producer does not copy.
  void write(tile::MmaFScaledOp op);
  /// The multiplier copies them; `columns` is the address of the accumulators.
  void copy(tile::MmaFScaledOp op, mlir::Value columns);

private:
  mlir::Value baseOf(tile::MmaFScaledOp op, bool isLhs, mlir::Value stage);
  mlir::Value placeOf(const TensorScales &places, mlir::Value line, mlir::Value block);
  void write(tile::MmaFScaledOp op, bool isLhs, mlir::Value stage);
  void copy(tile::MmaFScaledOp op, bool isLhs, mlir::Value columns);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  Rings &rings;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_STAGEDSCALES_H
