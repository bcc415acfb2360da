// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SumsBlock.h.

#include "tilewright/cpu/plan/SumsBlock.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;

static int64_t wordBytesOf(const MatmulForm &form) {
  return form.word().getIntOrFloatBitWidth() / 8;
}

/// Rows of a block of two vectors, where accumulators in half of the sixteen registers would be too
/// few.
static constexpr int64_t moreRows = 6;

SumsBlock cpu::sumsBlockOf(mlir::Operation *mma, const MatmulForm &form, const Target &target) {
  auto lhs = tileTypeOf(mma->getOperand(0)).getShape(),
       rhs = tileTypeOf(mma->getOperand(1)).getShape();
  int64_t m = lhs[lhs.size() - 2], n = rhs.back();
  bool isByTiles = form.usesTiles();
  SumsBlock block;
  block.width = std::min(n, isByTiles ? amxExtent : target.vectorBytes / wordBytesOf(form));
  // Accumulators take sixteen of thirty-two registers, eight of sixteen, or four of eight AMX
  // tiles. With fewer columns, blocks have more rows: with fewer accumulators, each would wait for
  // its own last product.
  int64_t sums = target.hasAvx512 ? 16 : 8, mostVectors = target.hasAvx512 ? 4 : 2;
  block.vectors = std::min(n / block.width, isByTiles ? 2 : mostVectors);
  block.rows = std::min(m, isByTiles ? 2 * amxExtent : sums / block.vectors);
  // With eight accumulators, two multiply-adds per cycle stall as soon as anything else is late.
  // Twelve accumulators, two vectors of columns and a broadcast word take 15 of AVX2's 16
  // registers. Products of pairs, added by another instruction, would need more.
  bool hasRoomForMore =
      target.hasFma && !target.hasAvx512 && form.kind == MmaKind::Fma && block.vectors == 2;
  if (hasRoomForMore && m > moreRows)
    block.rows = moreRows;
  return block;
}

llvm::SmallVector<RowBlocks, 2> SumsBlock::rowBlocks(int64_t m) const {
  int64_t count = m / rows;
  if (m % rows == 0)
    return {{0, count, rows}};
  while ((m - count * rows) % restRows != 0)
    --count;
  RowBlocks most = {0, count, rows}, rest = {most.end(), (m - most.end()) / restRows, restRows};
  if (count == 0)
    return {rest};
  return {most, rest};
}

/// Steps along k per block of accumulators: with four vectors of columns, a panel has 16 KiB, half
/// of the smallest L1 cache.
static constexpr int64_t fewSteps = 64;
/// Twice as many for bytes: iterations have few steps, and each run of them has its corrections
/// subtracted. Also, if the panel leaves a third of the L1 cache to lhs, for pairs of bf16, and
/// where lhs is read in place: rows are then read in longer runs.
static constexpr int64_t manySteps = 128;
/// For AMX tiles, panels of 32 KiB: all processors with AMX have an L1 cache of 48 KiB, and lhs
/// bypasses it.
static constexpr int64_t stepsOfTiles = 256;

static int64_t stepsTogether(mlir::Operation *mma, const MatmulForm &form, bool leftInTensor,
                             const Target &target) {
  if (form.usesTiles())
    return stepsOfTiles;
  if (form.kind == MmaKind::Int8Dot)
    return manySteps;
  int64_t panel = manySteps * sumsBlockOf(mma, form, target).columns() * wordBytesOf(form);
  bool hasRoom = 3 * panel <= 2 * target.firstCacheBytes;
  bool gains = form.kind == MmaKind::Bf16Dot || (form.kind == MmaKind::Fma && leftInTensor);
  return gains && hasRoom ? manySteps : fewSteps;
}

int64_t cpu::iterationsTogether(mlir::Operation *mma, const MatmulForm &form, bool leftInTensor,
                                const Target &target) {
  auto sums = llvm::cast<tile::TileType>(mma->getResult(0).getType());
  if (registerType(sums.getElementType()) != form.accumulator)
    return 1; // it is rounded after each iteration
  int64_t steps = tileTypeOf(mma->getOperand(0)).getShape().back() / form.perWord;
  return std::max<int64_t>(1, stepsTogether(mma, form, leftInTensor, target) / steps);
}
