// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thresholds by which the CPU compiler decides. They are tuned for speed and for compile time,
// and belong to a target (Target.h). The hidden option --tuning of `tilewright compile` and
// `tilewright run` sets one, so that a benchmark can sweep it and a test can pin it. Code is
// correct with any values that the table in Tuning.cpp allows; some, such as the numbers of lanes
// and chains, determine the order in which reductions, scans and products combine elements.
//
// Costs and work are in additions per element (Operations.h, costOf). Numbers in parentheses are
// those of docs/decisions/cpu-loops.md and of the measurements in docs/notes/cpu-loops.md. A
// comment without a measurement means that none is recorded.

#ifndef TILEWRIGHT_CPU_TUNING_H
#define TILEWRIGHT_CPU_TUNING_H

#include "tilewright/codegen/Tuning.h"

namespace tilewright::cpu {

struct Tuning {
  //===-- Placement: which tiles are fused (PlaceValues.cpp) -------------------------------===//

  /// The highest cost of a tile that is rematerialized for each of several users.
  int64_t mostCheapCost = 4;
  /// The highest cost of a chain of fused operations: registers are few, and compile time is
  /// superlinear in the length of a basic block. Operands that are read twice count twice: without
  /// a limit, 300 times x = x * x do not compile in 8 minutes.
  int64_t mostFusedCost = 320;
  /// Rows of at least this many bytes, loaded through pointers, are loaded again by each pass over
  /// the row, instead of being copied to a buffer. On a Zen 5, RMS norm is faster if rows of 4 KiB
  /// are copied (reloading has 0.95 to 0.98 of the speed), rows of 8 KiB are equal, and rows of 16
  /// KiB are 1.28 times as fast if they are loaded again (10).
  int64_t leastReloadedRowBytes = 8192;

  //===-- Fusion groups: which operations share loops (FusionGroups.cpp) -------------------===//

  /// The most members of a group, and the most work of the members that share an inner loop:
  /// registers are few, and compile time is superlinear in the length of a basic block (12).
  int64_t mostGroupMembers = 64;
  int64_t mostLoopWork = 640;
  /// In an inner loop with less work than this, memory accesses and the latency of combining two
  /// vectors take most of the time. Such a loop gets more chains, and does not prefetch if it
  /// stores, unless its stores wait for memory.
  int64_t leastBusyWork = 20;

  //===-- Vectors: how many elements an iteration computes ---------------------------------===//

  /// The size of the vectors in a group or view access, for its widest words: a cache line. A
  /// vector has at least `leastAccessLanes` elements, and at least 2.
  int64_t accessBytes = 64;
  int64_t leastAccessLanes = 16;
  /// Elements per vector outside of groups: where a whole tile is computed, copied, or accessed
  /// through pointers, and in a reduction or scan along another dimension than that of the lanes.
  int64_t tileLanes = 16;
  /// Atomic updates with tile block scope per loop iteration; with a single one, loop overhead
  /// would take most of the time (19).
  int64_t atomicUpdates = 8;
  /// Up to this cost, each lane of a gather computes its address and mask with scalar instructions:
  /// an index loaded from memory becomes an address without passing through a vector (18).
  int64_t mostScalarAddressCost = 12;

  /// Vectors per iteration of an inner loop with little work and without reductions or scans, to
  /// share the loop overhead. On a Zen 5, an addition of two vectors of 65,536 is 1.1 times as fast
  /// with two as with one, and four are slower.
  int64_t independentVectors = 2;
  /// Vectors per iteration of an inner loop with reductions or scans: enough to hide the latency of
  /// combining them. Used if the loop has little work, or, with AVX-512, if each vector fits in one
  /// register and no long function takes others.
  int64_t chains = 4;
  /// The same where registers are scarce. On a Zen 5 with AVX-512, sums of `sin` and `pow` have
  /// 0.88 and 0.83 of the speed with four vectors (28).
  int64_t chainsOfFewRegisters = 2;

  /// The fewest bytes that a scan combines within a vector before it adds the prefix; with AVX-512,
  /// a register has more. With 16 bytes, prefix sums for x86-64 without AVX have 0.91 to 0.94 of
  /// the speed on an Emerald Rapids.
  int64_t leastScanBytes = 32;

  //===-- Register-resident accumulators (RowLoops.cpp) ------------------------------------===//

  /// Vector registers for accumulators: half of the registers (24).
  int64_t rowRegisters = 8;
  int64_t rowRegistersOfAvx512 = 16;
  /// The most rows of a block of accumulators if the rows share values that an iteration computes
  /// outside of the group. Otherwise a block has one row, which is read as fast as several if lines
  /// are prefetched far ahead: on a Zen 5, `gemv` of 4096 f32 has 1.01 of the rate of four rows
  /// (24).
  int64_t mostBlockRows = 4;
  /// The most elements that an iteration may compute outside of the group, as a percentage of the
  /// block's elements. This work is repeated for each block (24).
  int64_t mostRepeatedPercent = 25;
  /// Up to this work per element, testing whether tiles are whole takes a notable part of an
  /// iteration, so that iterations with whole tiles get a loop of their own. On a Zen 5, this takes
  /// `gemv` of 4096 f32 with tiles of 4x64 from 46.9 to 50.3 GB/s (24). With more work, registers
  /// are few, and a second loop makes LLVM spill: int4 matrix-vector products become 10 % slower.
  int64_t mostWorkForWholeLoops = 8;

  //===-- Lane-shuffle programs (Networks.cpp) ---------------------------------------------===//

  /// The largest tile, in elements, in a lane-shuffle program, which tracks where each element is.
  int64_t mostTrackedElements = 4096;
  /// The most instructions of a program: compile time is superlinear in the length of a basic
  /// block. Sorting 256 elements takes 2080 steps with AVX2, and 1104 with AVX-512
  /// (test/cpu/sorts.test).
  int64_t mostShuffleWork = 4096;
  /// The cost of an operation (costOf) that counts as one more instruction of a program.
  int64_t costPerInstruction = 8;
  /// The most vectors in a piece of the largest tile: half of the AVX-512 registers, and as many
  /// bytes with AVX2. AVX2 has fewer registers, so LLVM spills some, which costs less than separate
  /// loops for the steps. A row of 256 f32 is one piece and sorts without such loops (26).
  int64_t shuffledVectors = 16;
  int64_t shuffledVectorsOfAvx2 = 32;

  //===-- Transposes -----------------------------------------------------------------------===//

  /// The most rows that are interleaved into one, or separated from one, instead of transposed in
  /// blocks (13).
  int64_t mostInterleavedRows = 4;
  /// The most rows of a transposed block, which are live at a time.
  int64_t mostTransposedRows = 16;

  //===-- Matrix products: the block of accumulators (MatmulForm.cpp, SumsBlock.cpp) -------===//

  /// AMX tiles, which have 16 rows, columns and words along k, are used for products with at least
  /// half of that.
  int64_t leastTileExtent = 8;
  /// Accumulators: half of the registers. With AVX-512, 24 of them (six rows of four vectors) have
  /// 0.62 to 1.00 of the speed on a Zen 5 (7).
  int64_t accumulators = 8;
  int64_t accumulatorsOfAvx512 = 16;
  /// The most vectors along the columns of a block. If a product has fewer columns, its blocks have
  /// more rows: with fewer accumulators, each multiply-add would wait for the previous one to the
  /// same accumulator. On a Zen 5 with AVX-512 and tiles of 32, blocks of four rows and two vectors
  /// have 0.75 to 0.98 of the speed of eight rows (21).
  int64_t columnVectors = 2;
  int64_t columnVectorsOfAvx512 = 4;
  /// Rows of a block of two vectors with the multiply-adds of AVX2. With eight accumulators, two
  /// multiply-adds per cycle stall as soon as anything else is late. Twelve accumulators, two
  /// vectors of columns and a broadcast word take 15 of the 16 registers. On a Zen 5 restricted to
  /// AVX2, this takes f32 products of 1024 from 84-86 to 91-96 % of the limit (7). Products of
  /// pairs, added by another instruction, would need more registers: i8 has 0.85 to 0.94 of its
  /// speed with six rows on a Zen 3.
  int64_t rowsOfTwoVectors = 6;
  /// Rows of the last blocks, if `rowsOfTwoVectors` does not divide the number of rows, a power of
  /// two.
  int64_t rowsOfLastBlocks = 4;

  //===-- Matrix products: steps along k (SumsBlock.cpp) -----------------------------------===//

  /// Steps along k per block of accumulators: with four vectors of columns, a panel has 16 KiB,
  /// half of the smallest L1 cache. On a Zen 4, 128 steps were slower (9).
  int64_t steps = 64;
  /// Steps for bytes: iterations have few steps, and correction terms are subtracted once per run
  /// of steps. Also for pairs of bf16 (1.3 % for products of 256), and where multiply-adds read lhs
  /// in place, which then read longer runs of its rows (f32, 1024: 4 to 5 %), if the panel takes at
  /// most two thirds of the L1 cache (27).
  int64_t manySteps = 128;
  int64_t panelNumerator = 2;
  int64_t panelDenominator = 3;
  /// For AMX tiles, panels of 32 KiB: all processors with AMX have an L1 cache of 48 KiB, and lhs
  /// bypasses it. On an Emerald Rapids, bf16 products of 1024 have 1.08 to 1.14 of their speed with
  /// 128 steps, and products of 256 0.91 to 1.02 (20).
  int64_t stepsOfTiles = 256;
  /// Multiply-adds per iteration of the innermost loop, which hide the loop's own overhead, and the
  /// most steps, which limit compile time.
  int64_t unrolledProducts = 32;
  int64_t mostUnrolledSteps = 4;
  /// Words of lhs that are packed at a time.
  int64_t packedWords = 16;
  /// The highest cost of an epilogue that a product computes before it stores its accumulators; it
  /// is emitted once for each vector of the block (15).
  int64_t mostEpilogueCost = 8;

  //===-- Packed-operand cache (FactorSlots.cpp; docs/decisions/cpu-shared-factors.md) -----===//

  /// The most bytes for one operand, without headers (256 columns and 4096 steps of 4 bytes), and
  /// for all operands of an entry.
  int64_t mostCachedOperandBytes = int64_t(4) << 20;
  int64_t mostCachedBytes = int64_t(16) << 20;
  /// How many columns of accumulators the interleaved tile blocks have in total, so that each
  /// packed row of lhs is reused for all of them, and the most tile blocks to interleave. On a Zen
  /// 5, 128 columns have 0.89 to 0.93 of the speed (f32, 2048).
  int64_t interleavedColumns = 256;
  int64_t mostInterleavedBlocks = 8;

  //===-- Prefetching and non-temporal stores ----------------------------------------------===//

  /// How far ahead the operands of register-resident accumulators are prefetched: two pages,
  /// because the hardware prefetcher stops at the end of each page. A C loop on a Zen 5 with AVX2
  /// reads 43 GB/s without this, 45 one page ahead, 51 two pages, and up to 55 with more (24).
  int64_t rowPrefetchBytes = 8192;
  /// How far ahead gathered rows are prefetched: far enough for memory latency, near enough for the
  /// L1 cache. On a Zen 5, gathering rows of 1 KiB has 1.01 to 1.05 of the speed of C if four rows
  /// are prefetched into L1 and each row is tested once, and 0.81 to 0.91 if two rows are
  /// prefetched into L2 (18).
  int64_t gatherPrefetchBytes = 4096;
  /// Gathered tiles with fewer rows are not prefetched. In others, rows are prefetched ahead by at
  /// most the number of rows divided by this, so that most rows are prefetched.
  int64_t leastPrefetchedRows = 4;
  /// Data of the next iteration are prefetched into L1, instead of L2, if they take at most this
  /// part of L1. On a Zen 5, softmax of rows of 8192 f32, which take two thirds, takes 7.5-8.0 ms
  /// instead of 8.6-8.9 (10).
  int64_t nearPrefetchNumerator = 2;
  int64_t nearPrefetchDenominator = 3;
  /// The fewest columns of a product for which cached packed words, and lhs in its tensor, are
  /// prefetched; with fewer columns, there are hardly more multiply-adds than lines. On a Zen 5
  /// with tiles of 32, products are 0.98 to 1.17 times as fast without the prefetch, with tiles of
  /// 64 0.91 to 1.03 (21).
  int64_t leastPrefetchedColumns = 64;
  /// Stores to a tensor that takes at least this part of the last-level cache are non-temporal. The
  /// rest of the cache is left to the inputs (10).
  int64_t nonTemporalNumerator = 1;
  int64_t nonTemporalDenominator = 2;
  /// The same with several threads, which share the memory bandwidth but have more cache bandwidth.
  /// On a Zen 5 with 32 MiB, RMS norm with a result of half the cache takes 384 us instead of 427
  /// with two threads; with one thread, it would take 737 us instead of 495 (10).
  int64_t sharedNonTemporalNumerator = 2;
  int64_t sharedNonTemporalDenominator = 3;

  //===-- Length of functions (OperationCalls.h, Outline.h) --------------------------------===//

  /// After this many generated operations in inline expansions of one operation, further ones
  /// become calls; and the size of the smallest expansion for which a call pays off. With AVX-512,
  /// an `exp` of f32 has about 35, a `pow` of f64 about 210. 400 times `tanh` and `pow` of f64
  /// compile in 0.7 s instead of 11.
  int64_t mostInlineOperations = 4096;
  int64_t leastCalledOperations = 32;
  /// The fewest generated operations of a part that is outlined, and of a kernel whose parts are.
  /// Softmax has 2,000. 2,000 exponentials compile in 1.0 s instead of 6.6 (12).
  int64_t leastOutlinedOperations = 2048;
  int64_t leastLongKernelOperations = 4096;
};

/// The names of all fields, in their order.
llvm::ArrayRef<codegen::Threshold<Tuning>> thresholds();

/// The elements of a vector access to words of this size: `accessBytes`, but at least
/// `leastAccessLanes` elements.
int64_t accessLanes(const Tuning &tuning, int64_t wordBytes);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_TUNING_H
