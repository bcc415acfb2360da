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

/// Rows of a block of two vectors, where half of sixteen registers would be too few sums.
static constexpr int64_t moreRows = 6;

SumsBlock cpu::sumsBlockOf(mlir::Operation *mma, const MatmulForm &form, const Target &target) {
  auto lhs = tileTypeOf(mma->getOperand(0)).getShape(),
       rhs = tileTypeOf(mma->getOperand(1)).getShape();
  int64_t m = lhs[lhs.size() - 2], n = rhs.back();
  bool isByTiles = form.usesTiles();
  SumsBlock block;
  block.width = std::min(n, isByTiles ? amxExtent : target.vectorBytes / wordBytesOf(form));
  // Sixteen registers of sums of thirty-two, or eight of sixteen; four tiles of eight. Where there
  // are fewer columns, more rows: with less sums, each would wait for its own last product.
  int64_t sums = target.hasAvx512 ? 16 : 8, mostVectors = target.hasAvx512 ? 4 : 2;
  block.vectors = std::min(n / block.width, isByTiles ? 2 : mostVectors);
  block.rows = std::min(m, isByTiles ? 2 * amxExtent : sums / block.vectors);
  // With eight sums, two multiply-adds a cycle wait for the ones before them as soon as anything
  // else is late. Twelve sums, two vectors of columns and a repeated word have 15 of the 16
  // registers of AVX2, which products of pairs, added up by another instruction, would exceed.
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

/// Steps for a block of the accumulator: with four vectors of columns, panels of 16 KiB, half of
/// the smallest first cache.
static constexpr int64_t fewSteps = 64;
/// Of bytes, twice as many: iterations have few steps, and corrections are taken off for each run
/// of them. So have, if the panel leaves a third of the first cache to left factors, pairs of bf16,
/// and where left factors are read in the tensor: rows are read in longer runs.
static constexpr int64_t manySteps = 128;
/// Of tiles, panels of 32 KiB: all processors with AMX have 48 in the first cache, and left factors
/// pass by it.
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
