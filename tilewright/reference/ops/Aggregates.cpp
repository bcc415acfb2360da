// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes reduce and scan. reduce combines elements in a balanced tree over contiguous halves,
// with the earlier half as accumulator and without the identity. scan is a left fold that starts
// with the identity (operations, 4.11 and 4.12). The specification allows other orders.
//
// Independent combinations are computed together. If all operations of the body have row functions,
// they run over arrays of words (RowBody.h). If the body is elementwise, its scalars are replaced
// by tiles over all positions. Any other body runs once per position.

#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/reference/ops/RowBody.h"
#include "tilewright/support/Shape.h"
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

/// One tile per operand of the aggregate, all of the same shape.
using Tiles = SmallVector<Tile, 2>;

//===-- The body ----------------------------------------------------------===//

/// Whether the operations of the body compute the same when its scalars are replaced by tiles: all
/// are elementwise or take no operands.
static bool isElementwise(mlir::Block &body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation &op) {
    if (op.getNumResults() != 1)
      return false;
    auto type = llvm::dyn_cast<tile::TileType>(op.getResult(0).getType());
    return type && type.getRank() == 0 &&
           (llvm::isa<tile::ElementwiseOpInterface>(op) || op.getNumOperands() == 0);
  });
}

/// Runs the body once, with these tiles as arguments 2k and 2k+1. None if that fails.
static std::optional<Tiles> runOnce(TileBlock &block, mlir::Block &body, ArrayRef<Tile> elements,
                                    ArrayRef<Tile> accumulators) {
  for (size_t k = 0; k < elements.size(); ++k) {
    (void)block.define(body.getArgument(2 * k), elements[k]);
    (void)block.define(body.getArgument(2 * k + 1), accumulators[k]);
  }
  for (const Instruction &instruction : ArrayRef(block.launch().program.body(&body)).drop_back())
    if (llvm::failed(instruction.execute(block, instruction.op)))
      return std::nullopt;
  Tiles results;
  for (mlir::Value yielded : body.getTerminator()->getOperands())
    results.push_back(block.tile(yielded));
  return results;
}

/// A result that does not depend on the arguments is still a scalar: repeats it for all positions.
static Tile spread(const Tile &result, ArrayRef<int64_t> shape) {
  return result.rank() == 0 ? result.walked(shape, 0, SmallVector<int64_t>(shape.size())) : result;
}

/// Runs the body on every position of the tiles.
static std::optional<Tiles> combine(TileBlock &block, mlir::Block &body, ArrayRef<Tile> elements,
                                    ArrayRef<Tile> accumulators) {
  ArrayRef<int64_t> shape = elements.front().shape();
  if (isElementwise(body)) {
    std::optional<Tiles> results = runOnce(block, body, elements, accumulators);
    if (results)
      for (Tile &result : *results)
        result = spread(result, shape);
    return results;
  }

  auto scalarsAt = [](ArrayRef<Tile> tiles, int64_t i) {
    return Tiles(llvm::map_range(tiles, [i](const Tile &tile) { return tile.scalarAt(i); }));
  };
  Tiles results;
  for (const Tile &tile : elements)
    results.emplace_back(tile.format(), shape);
  for (int64_t i = 0; i < elements.front().size(); ++i) {
    std::optional<Tiles> one =
        runOnce(block, body, scalarsAt(elements, i), scalarsAt(accumulators, i));
    if (!one)
      return std::nullopt;
    for (auto [result, element] : llvm::zip_equal(results, *one))
      result.copyFrom(element, 0, i, 1);
  }
  return results;
}

/// The verifier lets a body yield tiles of any rank; only scalars are meaningful (operations,
/// 4.11).
static LogicalResult requireScalars(TileBlock &block, mlir::Operation *op, mlir::Block &body) {
  for (mlir::Type type : body.getTerminator()->getOperandTypes())
    if (llvm::cast<tile::TileType>(type).getRank() != 0)
      return block.unsupported(op, "a body that yields a tile of rank other than 0");
  return llvm::success();
}

//===-- Operands as arrays of words ---------------------------------------===//

namespace {
/// The common shape of the operands around the aggregated dimension: `outer` times `extent` runs of
/// `run` contiguous elements.
struct Runs {
  int64_t outer, extent, run;
};
} // namespace

static Runs runsOf(ArrayRef<int64_t> shape, int64_t dim) {
  int64_t run = support::strideOf(shape, dim);
  return {llvm::product_of(shape) / (run * shape[dim]), shape[dim], run};
}

/// The body as row functions, if it can run on these operands that way.
static std::optional<RowBody> rowBodyFor(TileBlock &block, mlir::Block &body,
                                         ArrayRef<Tile> operands) {
  if (llvm::any_of(operands, [](const Tile &tile) { return tile.mayHavePoison(); }))
    return std::nullopt;
  return RowBody::of(block, body);
}

/// Gathers every `step`-th run of `bytes` bytes into contiguous memory.
static void gather(uint8_t *to, const uint8_t *from, int64_t count, int64_t step, int64_t bytes) {
  auto gatherWords = [&](auto word) {
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(&word, from + i * step * sizeof word, sizeof word);
      std::memcpy(to + i * sizeof word, &word, sizeof word);
    }
  };
  if (bytes == 1)
    return gatherWords(uint8_t());
  if (bytes == 2)
    return gatherWords(uint16_t());
  if (bytes == 4)
    return gatherWords(uint32_t());
  if (bytes == 8)
    return gatherWords(uint64_t());
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * bytes, from + i * step * bytes, bytes);
}

//===-- Slices of the operands --------------------------------------------===//

/// Every `step`-th slice of each tile along the dimension, from slice `first` on.
static Tiles slices(ArrayRef<Tile> tiles, int64_t dim, int64_t first, int64_t step) {
  Tiles result;
  for (const Tile &tile : tiles) {
    SmallVector<int64_t> shape(tile.shape());
    auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
    int64_t start = first * strides[dim];
    shape[dim] = llvm::divideCeil(shape[dim] - first, step);
    strides[dim] *= step;
    result.push_back(tile.walked(shape, start, strides));
  }
  return result;
}

static Tiles operandsOf(TileBlock &block, mlir::OperandRange operands) {
  return Tiles(llvm::map_range(operands, [&](mlir::Value value) { return block.tile(value); }));
}

//===-- reduce ------------------------------------------------------------===//

namespace {
/// One operand during the tree reduction: the arguments of the next combination, and the result of
/// the last one.
struct Halves {
  explicit Halves(const Tile &tile)
      : later(tile.format(), tile.size() / 2), earlier(tile.format(), tile.size() / 2),
        combined(tile.format(), tile.size() / 2) {}

  Tile later, earlier, combined;
};
} // namespace

static ArrayRef<int64_t> shapeOf(mlir::Value tile) {
  return llvm::cast<tile::TileType>(tile.getType()).getShape();
}

/// The tree reduction with row functions; none if the body declines. `shape` is the result shape.
static std::optional<Tiles> reduceRows(RowBody &body, ArrayRef<Tile> operands, int64_t dim,
                                       ArrayRef<int64_t> shape) {
  Runs runs = runsOf(operands.front().shape(), dim);
  if (runs.extent == 1)
    return Tiles(operands);
  SmallVector<Halves, 2> halves(operands.begin(), operands.end());
  SmallVector<const uint8_t *> in;
  SmallVector<uint8_t *> out;
  for (Halves &half : halves) {
    in.append({half.later.words(), half.earlier.words()});
    out.push_back(half.combined.words());
  }
  int64_t pairs = operands.front().size() / 2;
  for (int64_t extent = runs.extent; extent > 1; extent /= 2, pairs /= 2) {
    for (auto [half, operand] : llvm::zip_equal(halves, operands)) {
      const uint8_t *words = extent == runs.extent ? operand.words() : half.combined.words();
      int64_t bytes = runs.run * operand.wordBytes();
      gather(half.earlier.words(), words, pairs / runs.run, 2, bytes);
      gather(half.later.words(), words + bytes, pairs / runs.run, 2, bytes);
    }
    if (!body.run(in, out, pairs))
      return std::nullopt;
  }
  Tiles results;
  for (const Halves &half : halves) {
    Tile &result = results.emplace_back(half.combined.format(), shape);
    result.copyFrom(half.combined, 0, 0, result.size());
  }
  return results;
}

static std::optional<Tiles> reduceTiles(TileBlock &block, mlir::Block &body, Tiles partial,
                                        int64_t dim) {
  while (partial.front().shape()[dim] > 1) {
    std::optional<Tiles> next = combine(block, body, /*elements=*/slices(partial, dim, 1, 2),
                                        /*accumulators=*/slices(partial, dim, 0, 2));
    if (!next)
      return std::nullopt;
    partial = std::move(*next);
  }
  return partial;
}

static LogicalResult execute(TileBlock &block, tile::ReduceOp op) {
  mlir::Block &body = op.getBody().front();
  if (llvm::failed(requireScalars(block, op, body)))
    return llvm::failure();
  int64_t dim = op.getDim();
  Tiles operands = operandsOf(block, op.getOperands());
  // Extents are powers of two, so the lowest level of the tree combines neighbours.
  std::optional<Tiles> reduced;
  if (std::optional<RowBody> rows = rowBodyFor(block, body, operands))
    reduced = reduceRows(*rows, operands, dim, shapeOf(op->getResult(0)));
  if (!reduced)
    reduced = reduceTiles(block, body, operands, dim);
  if (!reduced)
    return llvm::failure();
  for (auto [result, tile] : llvm::zip_equal(op.getResults(), *reduced)) {
    auto type = llvm::cast<tile::TileType>(result.getType());
    (void)block.define(result, tile.reshaped(type.getShape()));
  }
  return llvm::success();
}

//===-- scan --------------------------------------------------------------===//

/// An identity of type f16 may be given for bf16, and vice versa (operations, 4.11).
static Element identityOf(mlir::Attribute identity, Format format) {
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(identity)) {
    uint64_t bits = number.getValue().bitcastToAPInt().getZExtValue();
    return numerics::floatToFloat(Element::fromBits(*tile::formatOf(number.getType()), bits),
                                  format);
  }
  return Element::integer(format,
                          llvm::cast<mlir::IntegerAttr>(identity).getValue().getSExtValue());
}

/// Inserts a slice of extent 1 at position `at` of the dimension.
static void insertSlice(Tile &into, const Tile &slice, int64_t dim, int64_t at) {
  int64_t run = support::strideOf(into.shape(), dim), next = run * into.shape()[dim];
  for (int64_t i = 0; i * run < slice.size(); ++i)
    into.copyFrom(slice, i * run, i * next + at * run, run);
}

static Tiles identitiesOf(tile::ScanOp op, ArrayRef<Tile> operands, ArrayRef<int64_t> shape) {
  Tiles identities;
  for (auto [operand, identity] : llvm::zip_equal(operands, op.getIdentities()))
    identities.push_back(Tile::splat(shape, identityOf(identity, operand.format())));
  return identities;
}

/// The position along the dimension that step number `step` folds.
static int64_t positionOf(tile::ScanOp op, int64_t step, int64_t extent) {
  return op.getReverse() ? extent - 1 - step : step;
}

/// The fold with row functions; none if the body declines. Slices are copied out and back, and two
/// buffers alternate as the accumulator.
static std::optional<Tiles> scanRows(RowBody &body, tile::ScanOp op, ArrayRef<Tile> operands) {
  Runs runs = runsOf(operands.front().shape(), op.getDim());
  SmallVector<int64_t> sliceShape = {runs.outer, runs.run};
  Tiles results, elements, before = identitiesOf(op, operands, sliceShape), after;
  for (const Tile &operand : operands) {
    results.emplace_back(operand.format(), operand.shape());
    elements.emplace_back(operand.format(), sliceShape);
    after.emplace_back(operand.format(), sliceShape);
  }
  for (int64_t step = 0; step < runs.extent; ++step) {
    int64_t at = positionOf(op, step, runs.extent);
    SmallVector<const uint8_t *> in;
    SmallVector<uint8_t *> out;
    for (size_t k = 0; k < operands.size(); ++k) {
      int64_t bytes = runs.run * operands[k].wordBytes();
      gather(elements[k].words(), operands[k].words() + at * bytes, runs.outer, runs.extent, bytes);
      in.append({elements[k].words(), before[k].words()});
      out.push_back(after[k].words());
    }
    if (!body.run(in, out, runs.outer * runs.run))
      return std::nullopt;
    for (auto [result, slice] : llvm::zip_equal(results, after))
      insertSlice(result, slice, op.getDim(), at);
    std::swap(before, after);
  }
  return results;
}

static std::optional<Tiles> scanTiles(TileBlock &block, tile::ScanOp op, ArrayRef<Tile> operands) {
  int64_t dim = op.getDim(), extent = operands.front().shape()[dim];
  SmallVector<int64_t> sliceShape(operands.front().shape());
  sliceShape[dim] = 1;
  Tiles results, accumulators = identitiesOf(op, operands, sliceShape);
  for (const Tile &operand : operands)
    results.emplace_back(operand.format(), operand.shape());
  for (int64_t step = 0; step < extent; ++step) {
    int64_t at = positionOf(op, step, extent);
    std::optional<Tiles> next =
        combine(block, op.getBody().front(),
                /*elements=*/slices(operands, dim, at, extent), accumulators);
    if (!next)
      return std::nullopt;
    accumulators = std::move(*next);
    for (auto [result, slice] : llvm::zip_equal(results, accumulators))
      insertSlice(result, slice, dim, at);
  }
  return results;
}

static LogicalResult execute(TileBlock &block, tile::ScanOp op) {
  mlir::Block &body = op.getBody().front();
  if (llvm::failed(requireScalars(block, op, body)))
    return llvm::failure();
  Tiles operands = operandsOf(block, op.getOperands());
  std::optional<Tiles> results;
  if (std::optional<RowBody> rows = rowBodyFor(block, body, operands))
    results = scanRows(*rows, op, operands);
  if (!results)
    results = scanTiles(block, op, operands);
  if (!results)
    return llvm::failure();
  for (auto [result, tile] : llvm::zip_equal(op.getResults(), *results))
    (void)block.define(result, tile);
  return llvm::success();
}

Execute reference::aggregatesExecutor(mlir::Operation *op) {
  return firstOf<tile::ReduceOp, tile::ScanOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
