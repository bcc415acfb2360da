// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which matrices does a multiply-accumulate consist of? One per batch, or one in all;
// what happens in each is decided by numerics (arithmetic, 4.30 to 4.32). Matrices
// without poison are handed over as arrays of words, others and the scaled ones as
// elements.

#include "tilewright/numerics/Mma.h"
#include "tilewright/reference/Operations.h"
#include "tilewright/reference/TileBlock.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using numerics::MmaShape;

//===-- As words --------------------------------------------------------------------===//

static bool isSpecified(const Tile &tile) { return !tile.mayHavePoison(); }

/// The words of one of the matrices that lie behind each other in a tile.
static const uint8_t *matrixIn(const Tile &tile, int64_t batch) {
  int64_t size = tile.shape()[tile.rank() - 2] * tile.shape()[tile.rank() - 1];
  return tile.words() + batch * size * tile.wordBytes();
}

/// Calls multiply(shape, lhs, rhs, acc, result) with the words of every matrix of the
/// batch; none if there is poison.
template <typename Op, typename Multiply>
static std::optional<Tile> multiplyWords(TileBlock &block, Op op, Multiply multiply) {
  const Tile &lhs = block.tile(op.getLhs()), &rhs = block.tile(op.getRhs());
  const Tile &acc = block.tile(op.getAcc());
  if (!isSpecified(lhs) || !isSpecified(rhs) || !isSpecified(acc))
    return std::nullopt;
  MmaShape shape{acc.shape()[acc.rank() - 2], acc.shape()[acc.rank() - 1],
                 lhs.shape()[lhs.rank() - 1]};
  Tile result(acc.format(), acc.shape());
  for (int64_t batch = 0; batch * shape.m * shape.n < acc.size(); ++batch)
    multiply(shape, matrixIn(lhs, batch), matrixIn(rhs, batch), matrixIn(acc, batch),
             result.words() + (matrixIn(acc, batch) - acc.words()));
  return result;
}

//===-- As elements -----------------------------------------------------------------===//

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

//===-- Operations ------------------------------------------------------------------===//

static bool isExact(TileBlock &block) { return block.launch().options.mma == MmaMode::Exact; }

LogicalResult reference::execute(TileBlock &block, tile::MmaFOp op) {
  std::optional<Tile> product;
  if (!isExact(block))
    product = multiplyWords(
        block, op,
        [factors = tile::formatOfTile(op.getLhs()), sum = tile::formatOfTile(op.getAcc())](
            MmaShape shape, const void *lhs, const void *rhs, const void *acc, void *result) {
          numerics::mmafWords(shape, factors, lhs, rhs, sum, acc, result);
        });
  if (product)
    return block.define(op.getResult(), *std::move(product));
  Matrices lhs(block.tile(op.getLhs())), rhs(block.tile(op.getRhs()));
  return multiplyAll(block, op, lhs.columns,
                     [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                         llvm::MutableArrayRef<Element> result) {
                       auto mmaf = isExact(block) ? numerics::mmafExact : numerics::mmaf;
                       mmaf(shape, lhs[batch], rhs[batch], acc, result);
                     });
}

LogicalResult reference::execute(TileBlock &block, tile::MmaIOp op) {
  auto lhsSignedness = tile::modeOf(op.getSignednessLhs());
  auto rhsSignedness = tile::modeOf(op.getSignednessRhs());
  std::optional<Tile> product = multiplyWords(
      block, op,
      [=](MmaShape shape, const void *lhs, const void *rhs, const void *acc, void *result) {
        numerics::mmaiWords(shape, lhs, rhs, acc, lhsSignedness, rhsSignedness, result);
      });
  if (product)
    return block.define(op.getResult(), *std::move(product));
  Matrices lhs(block.tile(op.getLhs())), rhs(block.tile(op.getRhs()));
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
                       auto mmaf =
                           isExact(block) ? numerics::mmafScaledExact : numerics::mmafScaled;
                       mmaf(shape, lhsScale.columns, lhs[batch], rhs[batch], acc, lhsScale[batch],
                            rhsScale[batch], result);
                     });
}
