// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes matrix multiply-accumulate: one matrix product per batch. `numerics` defines each
// product (arithmetic, 4.30 to 4.32). The bits are computed from arrays of words, except for scaled
// products. Scaled products, and the marks of all products, are computed from elements.

#include "tilewright/numerics/Mma.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using numerics::MmaShape;

// ===-- Words -----------------------------------------------------------------------===//

/// The words of one matrix of a batch, in a tile that stores them one after the other.
static const uint8_t *matrixIn(const Tile &tile, int64_t batch) {
  int64_t size = tile.shape()[tile.rank() - 2] * tile.shape()[tile.rank() - 1];
  return tile.words() + batch * size * tile.wordBytes();
}

/// Calls multiply(shape, lhs, rhs, acc, result) with the words of every matrix of the batch.
template <typename Multiply>
static Tile multiplyWords(const Tile &lhs, const Tile &rhs, const Tile &acc, Multiply multiply) {
  MmaShape shape{acc.shape()[acc.rank() - 2], acc.shape()[acc.rank() - 1],
                 lhs.shape()[lhs.rank() - 1]};
  Tile result(acc.format(), acc.shape());
  for (int64_t batch = 0; batch * shape.m * shape.n < acc.size(); ++batch)
    multiply(shape, matrixIn(lhs, batch), matrixIn(rhs, batch), matrixIn(acc, batch),
             result.words() + (matrixIn(acc, batch) - acc.words()));
  return result;
}

// ===-- Elements --------------------------------------------------------------------===//

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
template <typename Multiply>
static Tile multiplyAll(const Tile &accTile, int64_t k, Multiply multiply) {
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
  return result;
}

//===-- Operations ------------------------------------------------------------------===//

static bool isExact(TileBlock &block) { return block.launch().options.mma == MmaMode::Exact; }

/// The bits are computed from operands without marks, and the marks from elements.
template <typename Op, typename Compute, typename ComputeElements>
static LogicalResult define(TileBlock &block, Op op, Compute compute,
                            ComputeElements computeElements) {
  llvm::SmallVector<Tile, 5> marked, plain, undefined;
  for (mlir::Value operand : op->getOperands()) {
    marked.push_back(block.tile(operand));
    plain.push_back(marked.back().withoutMarks());
  }
  Tile result = compute(ArrayRef<Tile>(plain));
  if (llvm::none_of(marked, [](const Tile &tile) { return tile.mayHavePoison(); }))
    return block.define(op.getResult(), std::move(result));
  // A negative scale in unspecified bits violates no rule, so these marks are Unspecified.
  for (const Tile &tile : marked)
    undefined.push_back(tile.onlyUndefined());
  result = result.withoutMarks();
  result.addMarks(computeElements(ArrayRef<Tile>(marked)), Mark::Unspecified);
  result.addMarks(computeElements(ArrayRef<Tile>(undefined)), Mark::Undefined);
  return block.define(op.getResult(), std::move(result));
}

static LogicalResult execute(TileBlock &block, tile::MmaFOp op) {
  auto byElements = [&](ArrayRef<Tile> in) {
    Matrices lhs(in[0]), rhs(in[1]);
    auto mmaf = isExact(block) ? numerics::mmafExact : numerics::mmaf;
    return multiplyAll(in[2], lhs.columns,
                       [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                           llvm::MutableArrayRef<Element> result) {
                         mmaf(shape, lhs[batch], rhs[batch], acc, result);
                       });
  };
  auto byWords = [](ArrayRef<Tile> in) {
    return multiplyWords(
        in[0], in[1], in[2],
        [&](MmaShape shape, const void *lhs, const void *rhs, const void *acc, void *result) {
          numerics::mmafWords(shape, in[0].format(), lhs, rhs, in[2].format(), acc, result);
        });
  };
  return isExact(block) ? define(block, op, byElements, byElements)
                        : define(block, op, byWords, byElements);
}

static LogicalResult execute(TileBlock &block, tile::MmaIOp op) {
  auto lhsSignedness = tile::modeOf(op.getSignednessLhs());
  auto rhsSignedness = tile::modeOf(op.getSignednessRhs());
  auto byWords = [=](ArrayRef<Tile> in) {
    return multiplyWords(
        in[0], in[1], in[2],
        [=](MmaShape shape, const void *lhs, const void *rhs, const void *acc, void *result) {
          numerics::mmaiWords(shape, lhs, rhs, acc, lhsSignedness, rhsSignedness, result);
        });
  };
  auto byElements = [=](ArrayRef<Tile> in) {
    Matrices lhs(in[0]), rhs(in[1]);
    return multiplyAll(in[2], lhs.columns,
                       [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                           llvm::MutableArrayRef<Element> result) {
                         numerics::mmai(shape, lhs[batch], rhs[batch], acc, lhsSignedness,
                                        rhsSignedness, result);
                       });
  };
  return define(block, op, byWords, byElements);
}

static LogicalResult execute(TileBlock &block, tile::MmaFScaledOp op) {
  auto mmaf = isExact(block) ? numerics::mmafScaledExact : numerics::mmafScaled;
  auto byElements = [&](ArrayRef<Tile> in) {
    Matrices lhs(in[0]), rhs(in[1]), lhsScale(in[3]), rhsScale(in[4]);
    return multiplyAll(in[2], lhs.columns,
                       [&](int64_t batch, MmaShape shape, ArrayRef<Element> acc,
                           llvm::MutableArrayRef<Element> result) {
                         mmaf(shape, lhsScale.columns, lhs[batch], rhs[batch], acc, lhsScale[batch],
                              rhsScale[batch], result);
                       });
  };
  return define(block, op, byElements, byElements);
}

Execute reference::matrixExecutor(mlir::Operation *op) {
  return firstOf<tile::MmaFOp, tile::MmaIOp, tile::MmaFScaledOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
