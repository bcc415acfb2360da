// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thresholds of this compiler: the numbers by which it plans a kernel, chosen for speed. Code
// is correct with any values; where layouts need powers of two, values are rounded down at their
// use. What the hardware or the PTX ISA fixes is no threshold, but a constant where it is used.
//
// Where no measurement is named, none is recorded.

#ifndef TILEWRIGHT_NVIDIA_TUNING_H
#define TILEWRIGHT_NVIDIA_TUNING_H

#include "tilewright/codegen/Tuning.h"

namespace tilewright::nvidia {

struct Tuning {
  //===-- Warps per CTA (plan/PlanThreads.cpp) -----------------------------------------------===//

  /// The fewest warps of a CTA, a power of two: a multiprocessor has four warp schedulers.
  int64_t leastWarps = 4;
  /// The most warps of a CTA without products, a power of two up to 32. With 8, tiles of 8192 and
  /// more elements were in local memory: an H200 took seven to ten times as long over softmax and
  /// layer norm with rows of 8192 as with rows of 4096 (docs/decisions/gpu-layout.md).
  int64_t mostWarps = 16;
  /// The most elements of one tile per thread, in a CTA without products that can have more warps.
  /// A few elements suffice to overlap memory accesses.
  int64_t mostElementsPerThread = 32;
  /// The most registers per thread that live tiles take, in a CTA without products that can have
  /// more warps. The others are for addresses and values in flight. With 4 warps instead of 8,
  /// ptxas spilled 304 bytes of layer norm backward with rows of 4096 (sm_90a).
  int64_t mostLiveRegisters = 128;
  /// Warps are doubled only if that leaves a thread at most this percentage of its live registers:
  /// it does not help if tiles have no more elements than the CTA has threads.
  int64_t doublingPercent = 75;
  /// The most warps of a CTA with products, a power of two up to 32.
  int64_t mostProductWarps = 8;
  /// The most accumulators per thread, in a CTA that can have more warps. The more a thread has,
  /// the less often it reads operands; but operands take registers, too.
  int64_t mostAccumulators = 64;
  /// The same if operands are copied to shared memory and take no registers. bf16 attention with
  /// tiles of 128x64 and heads of 128, which has 208, runs at 204 Tflop/s with 4 warps, and at 158
  /// with 8 (H200); f16 products with tiles of 128x128x32 at 433 with 128 accumulators, and at 252
  /// with 64 (docs/decisions/gpu-staging.md).
  int64_t mostLeanAccumulators = 208;
  /// The widest elements, in bytes, of operands that count as taking no registers.
  int64_t mostLeanBytes = 2;

  //===-- Registers (plan/PlanLayouts.cpp, PlanRegisters.cpp, MatrixProduct.cpp) -------------===//

  /// A thread's consecutive elements in tiles that no access determines, a power of two: four words
  /// take one access of 16 bytes to shared memory.
  int64_t defaultWidth = 4;
  /// A tile of which a thread has more elements than this is in local memory, by loops; else its
  /// code is unrolled, and its elements are in registers. A multiply-add product advances as many
  /// accumulators at a time, a power of two.
  int64_t mostUnrolledElements = 64;
  /// The same for operands of matrix instructions on their way to shared memory: their elements,
  /// most of them narrow, take a register each, which accumulators need more.
  int64_t mostUnrolledOperandElements = 32;
  /// The same for accumulators of matrix instructions, in registers: about half of those that a
  /// thread can have. More accumulators are in local memory, and are loaded piece by piece.
  int64_t mostAccumulatorRegisters = 128;
  /// A product whose accumulators take more pieces is computed by multiply-adds. f16 products with
  /// tiles of 256x256x64, which have 2 pieces with 8 warps, run at 80 Tflop/s (H200).
  int64_t mostAccumulatorPieces = 8;
  /// Tiles and addresses may take this many eighths of a thread's registers; the others are for
  /// scalars and values in flight. Beyond that, loads come in pieces, and innermost loops recompute
  /// addresses. That removed spills of 136 bytes of bf16 attention with tiles of 128x64 and heads
  /// of 128, and of 674 bytes of a sharpening filter (sm_90a, docs/decisions/gpu-layout.md).
  int64_t mostTileEighths = 5;
  /// The registers of a thread that addresses and values in flight take at least, beside live
  /// tiles. A hint for the occupancy is followed if it leaves as many: ptxas then spilled nothing
  /// of f16 products with tiles from 32x32x32 to 128x128x64 and 2 to 8 CTAs (sm_90a).
  int64_t leastFreeRegisters = 32;
  /// How many more they take at least if threads copy the operands of a product themselves, or load
  /// fragments. Without these, ptxas spilled 24 to 64 bytes of f16 products with tiles of 64x64x64
  /// and 8 CTAs, 128x64x32 and 5, and 128x128x64 and 3 (sm_80).
  int64_t leastOperandRegisters = 16;
  /// The registers per thread of a load that comes in pieces, a power of two.
  int64_t pieceRegisters = 32;
  /// A product by `wgmma` is delayed if its lhs, and all accumulators that are live at a time, take
  /// at most this many registers per thread; 0 delays none. With 176, as in attention with tiles of
  /// 128x64 and heads of 256, ptxas used 204 registers and spilled nothing.
  int64_t mostDelayedRegisters = 176;

  //===-- Rasterization order (plan/Rasterization.cpp) ---------------------------------------===//

  /// The rows of tile blocks in a panel of a matrix product, a power of two; 1 for blocks in the
  /// order of a launch. Published kernels for Hopper have panels of 4 to 16. Not measured here.
  int64_t panelBlocks = 8;

  //===-- Shared memory (plan/Plan.cpp, PlanStaging.cpp, MatrixProduct.cpp) ------------------===//

  /// A CTA whose tiles take this percentage of a multiprocessor's registers is alone there, because
  /// other values take registers, too; it may use all of the shared memory. With three stages
  /// instead of two, i8 products run at 696 instead of 665 Tflop/s with tiles of 256x128x128, and
  /// f16 ones at 372 instead of 365 with 128x256x64 (H200).
  int64_t alonePercent = 50;
  /// The most bytes for layout conversions and for operands of one product, so that a
  /// multiprocessor has several CTAs. Larger tiles are moved in chunks. A CTA that is alone may use
  /// all that its stages leave.
  int64_t mostExchangeBytes = 48 << 10;
  /// The most pipeline stages; none if below 2. More stages hide more latency, but leave less
  /// shared memory to other CTAs. f16 products with tiles of 128x128x32 run at 348, 433 and 435
  /// Tflop/s with 2, 3 and 4 stages, those of 64x64x64 at 286, 299 and 258 (H200,
  /// docs/decisions/gpu-staging.md).
  int64_t mostStages = 3;
  /// The most bytes of all stages, so that a multiprocessor has two CTAs. A CTA that is alone may
  /// use all of the shared memory.
  int64_t mostStagedBytes = 96 << 10;
  /// Stages leave at least this many bytes for layout conversions, even if none needs as many.
  int64_t reservedExchangeBytes = 16 << 10;
  /// A product of which the least number of steps along k takes more bytes is computed by
  /// multiply-adds.
  int64_t mostStepBytes = 32 << 10;
};

/// All fields of `Tuning`, in order.
llvm::ArrayRef<codegen::Threshold<Tuning>> thresholds();

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_TUNING_H
