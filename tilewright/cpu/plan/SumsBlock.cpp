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

SumsBlock cpu::sumsBlockOf(mlir::Operation *mma, const MatmulForm &form, const Target &target) {
  auto lhs = tileTypeOf(mma->getOperand(0)).getShape(),
       rhs = tileTypeOf(mma->getOperand(1)).getShape();
  int64_t m = lhs[lhs.size() - 2], n = rhs.back();
  bool isByTiles = form.usesTiles();
  const Tuning &tuning = target.tuning;
  SumsBlock block;
  block.width = std::min(n, isByTiles ? amxExtent : target.vectorBytes / wordBytesOf(form));
  // With fewer columns, blocks have more rows. Accumulators take four of the eight AMX tiles.
  int64_t sums = target.hasAvx512 ? tuning.accumulatorsOfAvx512 : tuning.accumulators;
  int64_t mostVectors = target.hasAvx512 ? tuning.columnVectorsOfAvx512 : tuning.columnVectors;
  block.vectors = std::min(n / block.width, isByTiles ? 2 : mostVectors);
  block.rows = std::min(m, isByTiles ? 2 * amxExtent : std::max<int64_t>(sums / block.vectors, 1));
  bool hasRoomForMore =
      target.hasFma && !target.hasAvx512 && form.kind == MmaKind::Fma && block.vectors == 2;
  if (hasRoomForMore && m > tuning.rowsOfTwoVectors)
    block.rows = tuning.rowsOfTwoVectors;
  block.lastRows = std::min(m, tuning.rowsOfLastBlocks);
  return block;
}

llvm::SmallVector<RowBlocks, 2> SumsBlock::rowBlocks(int64_t m) const {
  int64_t count = m / rows;
  if (m % rows == 0)
    return {{0, count, rows, 1}};
  while ((m - count * rows) % lastRows != 0)
    --count;
  RowBlocks most = {0, count, rows, 1},
            rest = {most.end(), (m - most.end()) / lastRows, lastRows, 1};
  if (count == 0)
    return {rest};
  return {most, rest};
}

llvm::SmallVector<RowBlocks, 2> cpu::rowBlocksOf(mlir::Operation *mma, const MatmulForm &form,
                                                 const SumsBlock &sums, const Tuning &tuning) {
  auto lhs = tileTypeOf(mma->getOperand(0)).getShape();
  llvm::SmallVector<RowBlocks, 2> all = sums.rowBlocks(lhs[lhs.size() - 2]);
  if (form.usesTiles())
    return all;
  const int64_t steps = lhs.back() / form.perWord;
  for (RowBlocks &blocks : all) {
    uint64_t enough = uint64_t(tuning.unrolledProducts / (blocks.rows * sums.vectors));
    blocks.unroll =
        std::clamp<int64_t>(llvm::bit_floor(enough), 1, std::min(steps, tuning.mostUnrolledSteps));
  }
  return all;
}

/// Steps along k per block of accumulators.
static int64_t stepsTogether(mlir::Operation *mma, const MatmulForm &form, bool leftInTensor,
                             const Target &target) {
  const Tuning &tuning = target.tuning;
  if (form.usesTiles())
    return tuning.stepsOfTiles;
  if (form.kind == MmaKind::Int8Dot)
    return tuning.manySteps;
  int64_t panel = tuning.manySteps * sumsBlockOf(mma, form, target).columns() * wordBytesOf(form);
  bool hasRoom = tuning.panelDenominator * panel <= tuning.panelNumerator * target.firstCacheBytes;
  bool gains = form.kind == MmaKind::Bf16Dot || (form.kind == MmaKind::Fma && leftInTensor);
  return gains && hasRoom ? tuning.manySteps : tuning.steps;
}

int64_t cpu::iterationsTogether(mlir::Operation *mma, const MatmulForm &form, bool leftInTensor,
                                const Target &target) {
  auto sums = llvm::cast<tile::TileType>(mma->getResult(0).getType());
  if (registerType(sums.getElementType()) != form.accumulator)
    return 1; // it is rounded after each iteration
  int64_t steps = tileTypeOf(mma->getOperand(0)).getShape().back() / form.perWord;
  return std::max<int64_t>(1, stepsTogether(mma, form, leftInTensor, target) / steps);
}
