// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sources.h.

#include "tilewright/reference/watch/Sources.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::SmallVector;
using mlir::Value;

using Coordinates = SmallVector<int64_t>;

static Coordinates coordinatesIn(const Tile &tile, int64_t element) {
  return support::coordinatesOf<Coordinates>(tile.shape(), element);
}

static int64_t numberIn(const Tile &tile, llvm::ArrayRef<int64_t> coordinates) {
  return support::numberOf(tile.shape(), coordinates);
}

/// The number of the element of the source.
static int64_t movedFrom(const TileBlock &block, tile::RearrangementOpInterface op,
                         const Tile &result, int64_t element) {
  int64_t from = 0;
  for (auto [at, step] : llvm::zip_equal(coordinatesIn(result, element), op.getElementSteps()))
    from += at * step;
  for (auto [selector, step] : llvm::zip_equal(op.getSelectors(), op.getSelectorSteps()))
    from += int64_t(block.scalar(selector).bits) * step;
  return from;
}

/// The elements that `reduce` or `scan` has combined in this operand.
template <typename Add>
static void addCombined(const TileBlock &block, mlir::Operation *op, Value operand,
                        const Tile &result, int64_t element, Add add) {
  const Tile &from = block.tile(operand);
  Coordinates at = coordinatesIn(result, element);
  auto scan = llvm::dyn_cast<tile::ScanOp>(op);
  const size_t dim = scan ? scan.getDim() : llvm::cast<tile::ReduceOp>(op).getDim();
  int64_t first = 0, last = from.shape()[dim] - 1;
  if (!scan)
    at.insert(at.begin() + dim, 0);
  else
    (scan.getReverse() ? first : last) = at[dim];
  for (int64_t number = first; number <= last; ++number) {
    at[dim] = number;
    add(operand, numberIn(from, at));
  }
}

/// The element of the accumulator, then a row of lhs and a column of rhs.
template <typename Add>
static void addFactors(const TileBlock &block, tile::MatmulOpInterface op, const Tile &result,
                       int64_t element, Add add) {
  add(op.getAcc(), element);
  const Tile &lhs = block.tile(op.getLhs()), &rhs = block.tile(op.getRhs());
  Coordinates left = coordinatesIn(result, element), right = left;
  const size_t rank = left.size();
  for (int64_t k = 0; k < lhs.shape().back(); ++k) {
    left[rank - 1] = right[rank - 2] = k;
    add(op.getLhs(), numberIn(lhs, left));
    add(op.getRhs(), numberIn(rhs, right));
  }
}

SmallVector<Source> reference::sourcesOf(const TileBlock &block, mlir::OpResult result,
                                         int64_t element) {
  mlir::Operation *op = result.getOwner();
  const Tile &made = block.tile(result);
  SmallVector<Source> sources;
  const auto add = [&](Value value, int64_t at) { sources.push_back({value, at}); };
  if (auto choice = llvm::dyn_cast<tile::SelectOp>(op)) {
    const bool isTrue = block.tile(choice.getCond())[element].bits;
    add(isTrue ? choice.getValIfTrue() : choice.getValIfFalse(), element);
  } else if (llvm::isa<tile::ElementwiseOpInterface>(op)) {
    for (Value operand : op->getOperands())
      add(operand, element);
  } else if (auto moves = llvm::dyn_cast<tile::RearrangementOpInterface>(op)) {
    add(moves.getMoved(), movedFrom(block, moves, made, element));
  } else if (auto cat = llvm::dyn_cast<tile::CatOp>(op)) {
    Coordinates at = coordinatesIn(made, element);
    const int64_t inLhs = block.tile(cat.getLhs()).shape()[cat.getDim()];
    const bool isLeft = at[cat.getDim()] < inLhs;
    at[cat.getDim()] -= isLeft ? 0 : inLhs;
    const Value from = isLeft ? cat.getLhs() : cat.getRhs();
    add(from, numberIn(block.tile(from), at));
  } else if (tile::isAggregate(op)) {
    addCombined(block, op, op->getOperand(result.getResultNumber()), made, element, add);
  } else if (auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op)) {
    addFactors(block, product, made, element, add);
  } else {
    for (Value operand : op->getOperands())
      if (const auto *tile = std::get_if<Tile>(&block.get(operand)))
        for (int64_t at = 0; at < tile->size(); ++at)
          add(operand, at);
  }
  return sources;
}
