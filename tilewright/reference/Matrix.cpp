// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which matrices does a multiply-accumulate consist of? One per batch, or one in all;
// what happens in each is decided by numerics (arithmetic, 4.30 to 4.32).

#include "tilewright/numerics/Mma.h"
#include "tilewright/reference/Operations.h"
#include "tilewright/reference/TileBlock.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using numerics::MmaShape;

namespace {
/// A tile as a batch of row-major matrices.
class Matrices {
public:
  explicit Matrices(const Tile &tile)
      : rows(tile.shape()[tile.rank() - 2]), columns(tile.shape()[tile.rank() - 1]),
        elements(tile.elements()) {}

  ArrayRef<Element> operator[](int64_t batch) const {
    return ArrayRef(elements).slice(batch * rows * columns, rows * columns);
  }

  const int64_t rows, columns;

private:
  std::vector<Element> elements;
};
} // namespace

/// Calls multiply(batch, shape, acc, result) for every matrix of the batch.
template <typename Op, typename Multiply>
static LogicalResult multiplyAll(TileBlock &block, Op op, int64_t k, Multiply multiply) {
  const Tile &accTile = block.tile(op.getAcc());
  Matrices acc(accTile);
  Tile result(accTile.format(), accTile.shape());
  MmaShape shape{acc.rows, acc.columns, k};
  int64_t matrixSize = acc.rows * acc.columns;
  std::vector<Element> product(matrixSize, Element::zero(accTile.format()));
  for (int64_t batch = 0; batch * matrixSize < accTile.size(); ++batch) {
    multiply(batch, shape, acc[batch], llvm::MutableArrayRef(product));
    for (int64_t i = 0; i < matrixSize; ++i)
      result.set(batch * matrixSize + i, product[i]);
  }
  return block.define(op.getResult(), std::move(result));
}

LogicalResult reference::execute(TileBlock &block, tile::MmaFOp op) {
  Matrices lhs(block.tile(op.getLhs())), rhs(block.tile(op.getRhs()));
  return multiplyAll(block, op, lhs.columns,
                     [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                         llvm::MutableArrayRef<Element> result) {
                       numerics::mmaf(shape, lhs[batch], rhs[batch], acc, result);
                     });
}

LogicalResult reference::execute(TileBlock &block, tile::MmaIOp op) {
  Matrices lhs(block.tile(op.getLhs())), rhs(block.tile(op.getRhs()));
  auto lhsSignedness = tile::modeOf(op.getSignednessLhs());
  auto rhsSignedness = tile::modeOf(op.getSignednessRhs());
  return multiplyAll(block, op, lhs.columns,
                     [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                         llvm::MutableArrayRef<Element> result) {
                       numerics::mmai(shape, lhs[batch], rhs[batch], acc, lhsSignedness,
                                      rhsSignedness, result);
                     });
}

LogicalResult reference::execute(TileBlock &block, tile::MmaFScaledOp op) {
  Matrices lhs(block.tile(op.getLhs())), rhs(block.tile(op.getRhs()));
  Matrices lhsScale(block.tile(op.getLhsScale())), rhsScale(block.tile(op.getRhsScale()));
  return multiplyAll(block, op, lhs.columns,
                     [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                         llvm::MutableArrayRef<Element> result) {
                       numerics::mmafScaled(shape, lhsScale.columns, lhs[batch], rhs[batch], acc,
                                            lhsScale[batch], rhsScale[batch], result);
                     });
}
