// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the matrix instructions that can compute a product. `wgmma` takes 8-bit rhs only if its
// columns are contiguous in shared memory, so the order of rhs in memory decides, too.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/support/Shape.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;

static llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getShape();
}

/// Whether the columns of the operand are contiguous in the memory that it is loaded from, through
/// rearrangements and elementwise operations; false if its origin is unknown.
static bool hasContiguousColumns(Value rhs) {
  Value tile = rhs;
  SmallVector<tile::RearrangementOpInterface> moves;
  auto isHeld = [](Value operand) { return tileTypeOf(operand) && !isRecomputed(operand); };
  for (mlir::Operation *op = tile.getDefiningOp(); op; op = tile.getDefiningOp()) {
    if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op)) {
      moves.push_back(moved);
      tile = moved.getMoved();
    } else if (llvm::isa<tile::ElementwiseOpInterface, tile::AssumeOp>(op)) {
      auto held = llvm::make_filter_range(op->getOperands(), isHeld);
      if (held.empty())
        return false;
      tile = *held.begin();
    } else {
      break;
    }
  }
  auto load = tile.getDefiningOp<tile::MemoryAccessOpInterface>();
  bool isLoaded = load && load.getLoaded() == tile && tileTypeOf(tile);
  int64_t dim = isLoaded ? contiguousDimensionOf(load) : -1;
  if (dim < 0)
    return false;
  // The distance to the neighbour's number.
  int64_t step = support::strideOf(shapeOf(tile), dim);
  for (tile::RearrangementOpInterface moved : llvm::reverse(moves)) {
    auto shape = shapeOf(moved->getResult(0));
    int64_t before = step;
    step = 0;
    for (auto [dim, sourceStep] : llvm::enumerate(moved.getElementSteps()))
      if (shape[dim] > 1 && sourceStep == before)
        step = support::strideOf(shape, dim);
  }
  auto shape = shapeOf(rhs);
  return step == support::strideOf(shape, shape.size() - 2);
}

SmallVector<MatrixProduct> nvidia::matrixProductsFor(tile::MatmulOpInterface product,
                                                     const Target &target, int64_t threads) {
  SmallVector<MatrixProduct> candidates;
  const bool isAlongColumns = hasContiguousColumns(product.getRhs());
  auto byWarpgroups = warpgroupProductOf(product, target, threads);
  if (byWarpgroups && (byWarpgroups->elementBytes > 1 || isAlongColumns))
    candidates.push_back(*byWarpgroups);
  auto byWarps = matrixProductOf(product, target, threads);
  if (!byWarps)
    return candidates;
  byWarps->isPaired = byWarps->canBePaired() && !isAlongColumns;
  candidates.push_back(*byWarps);
  if (byWarps->canBePaired()) {
    byWarps->isPaired = !byWarps->isPaired;
    candidates.push_back(*byWarps);
  }
  return candidates;
}
