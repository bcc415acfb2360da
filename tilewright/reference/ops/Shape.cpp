// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes operations that create or rearrange tiles, by computing where each element comes from
// (operations, 4.1 to 4.7 and 4.10; arithmetic, 4.29).

#include "tilewright/support/Shape.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/ops/Operations.h"
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

//===-- Making tiles --------------------------------------------------------------------------===//

static LogicalResult execute(TileBlock &block, tile::ConstantOp op) {
  return block.define(op.getResult(), block.launch().program.constant(op));
}

static LogicalResult execute(TileBlock &block, tile::IotaOp op) {
  Tile result(op.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.set(i, Element::integer(result.format(), i));
  return block.define(op.getResult(), std::move(result));
}

static Tile coordinate(int32_t value) { return Tile::scalar(Element::integer(Format::I32, value)); }

static LogicalResult execute(TileBlock &block, tile::GetTileBlockIdOp op) {
  const runtime::Block &id = block.id();
  block.defineAll(op->getResults(), {coordinate(id.x), coordinate(id.y), coordinate(id.z)});
  return llvm::success();
}

static LogicalResult execute(TileBlock &block, tile::GetNumTileBlocksOp op) {
  const runtime::Grid &grid = block.launch().grid;
  block.defineAll(op->getResults(),
                  {coordinate(grid.x()), coordinate(grid.y()), coordinate(grid.z())});
  return llvm::success();
}

//===-- Rearranging elements ----------------------------------------------===//

static LogicalResult execute(TileBlock &block, tile::CatOp op) {
  const Tile &lhs = block.tile(op.getLhs()), &rhs = block.tile(op.getRhs());
  // In each operand, the elements along `dim` and the dimensions behind it are contiguous.
  auto runOf = [&](const Tile &operand) {
    return support::strideOf(operand.shape(), op.getDim()) * operand.shape()[op.getDim()];
  };
  int64_t lhsRun = runOf(lhs), rhsRun = runOf(rhs);
  Tile result(op.getType());
  for (int64_t i = 0, to = 0; to < result.size(); ++i, to += lhsRun + rhsRun) {
    result.copyFrom(lhs, i * lhsRun, to, lhsRun);
    result.copyFrom(rhs, i * rhsRun, to + lhsRun, rhsRun);
  }
  return block.define(op.getResult(), std::move(result));
}

/// Whether the dimension has a slice with this number; reports it if not, and sets `isReported` to
/// whether the check is enabled.
static bool isSlice(TileBlock &block, mlir::Operation *op, size_t dim, uint64_t slice,
                    uint64_t slices, bool *isReported = nullptr) {
  if (slice < slices)
    return true;
  bool reported = block.reportOnce(Check::IndexSpace, op,
                                   "there is no slice " + llvm::Twine(slice) + " along dimension " +
                                       llvm::Twine(dim) + ", which has " + llvm::Twine(slices));
  if (isReported)
    *isReported = reported;
  return false;
}

/// A slice that does not exist leaves the destination unchanged (13.4, section 2).
static LogicalResult execute(TileBlock &block, tile::InsertOp op) {
  const Tile &source = block.tile(op.getSource()), &destination = block.tile(op.getDestination());
  // Copy the words: other values may share those of the destination.
  Tile result(destination.format(), destination.shape());
  result.copyFrom(destination, 0, 0, destination.size());
  auto steps = support::rowMajorStrides<SmallVector<int64_t>>(result.shape());
  int64_t start = 0;
  for (auto [dim, operand] : llvm::enumerate(op.getIndices())) {
    if (llvm::failed(requireDefined(block, op, operand, "index " + llvm::Twine(dim))))
      return llvm::failure();
    uint64_t slice = block.scalar(operand).asUnsigned();
    if (!isSlice(block, op, dim, slice, result.shape()[dim] / source.shape()[dim]))
      return block.define(op.getResult(), std::move(result));
    start += int64_t(slice) * source.shape()[dim] * steps[dim];
  }
  int64_t row = source.rank() ? source.shape().back() : 1;
  for (int64_t from = 0; from < source.size(); from += row) {
    int64_t to = start;
    for (auto [at, step] :
         llvm::zip_equal(support::coordinatesOf<SmallVector<int64_t>>(source.shape(), from), steps))
      to += at * step;
    for (int64_t i = 0; result.mayHavePoison() && i < row; ++i)
      result.setMark(to + i, Mark::None); // forget the mark of the overwritten element
    result.copyFrom(source, from, to, row);
  }
  return block.define(op.getResult(), std::move(result));
}

/// Selectors are unsigned indices of slices (operations, 4.7).
static LogicalResult execute(TileBlock &block, tile::RearrangementOpInterface op) {
  mlir::Value made = op->getResult(0);
  const Tile &source = block.tile(op.getMoved());
  ArrayRef<int64_t> shape = llvm::cast<tile::TileType>(made.getType()).getShape();
  SmallVector<int64_t> selectorSteps = op.getSelectorSteps();
  int64_t start = 0;
  for (auto [dim, operand] : llvm::enumerate(op.getSelectors())) {
    if (llvm::failed(requireDefined(block, op, operand, "index " + llvm::Twine(dim))))
      return llvm::failure();
    Element index = block.scalar(operand);
    uint64_t slices = source.shape()[dim] / shape[dim];
    bool isReported = false;
    if (!isSlice(block, op, dim, index.asUnsigned(), slices, &isReported)) {
      Element nothing = Element::poisoned(source.format());
      return block.define(made, Tile::splat(shape, isReported ? withoutMark(nothing) : nothing));
    }
    start += int64_t(index.asUnsigned()) * selectorSteps[dim];
  }
  SmallVector<int64_t> steps = op.getElementSteps();
  bool keepsOrder = llvm::product_of(shape) == source.size() &&
                    llvm::equal(steps, support::rowMajorStrides<SmallVector<int64_t>>(shape));
  return block.define(made,
                      keepsOrder ? source.reshaped(shape) : source.walked(shape, start, steps));
}

//===-- Bytes -------------------------------------------------------------===//

static Tile tileWith(tile::TileType type, ArrayRef<Element> elements) {
  Tile result(type);
  for (auto [i, element] : llvm::enumerate(elements))
    result.set(i, element);
  return result;
}

/// Applies move(elements) to the bits without marks, and adds the marks afterwards.
template <typename Move>
static Tile movedWithMarks(const Tile &source, tile::TileType type, Move move) {
  Tile result = tileWith(type, move(source.withoutMarks().elements()));
  if (source.mayHavePoison())
    result.addMarks(tileWith(type, move(source.elements())), Mark::Unspecified);
  if (source.mayHaveUndefined())
    result.addMarks(tileWith(type, move(source.onlyUndefined().elements())), Mark::Undefined);
  return result;
}

/// Whether the words of a tile equal its packed bytes.
static bool isPacked(const Tile &tile) {
  return numerics::info(tile.format()).bits == 8 * tile.wordBytes() && !tile.mayHavePoison();
}

/// The same words under another type.
static Tile reinterpreted(const Tile &source, tile::TileType type) {
  Tile result(type);
  std::memcpy(result.words(), source.words(), source.size() * source.wordBytes());
  return result;
}

static LogicalResult execute(TileBlock &block, tile::PackOp op) {
  const Tile &source = block.tile(op.getSource());
  auto type = llvm::cast<tile::TileType>(op.getResult().getType());
  if (isPacked(source))
    return block.define(op.getResult(), reinterpreted(source, type));
  auto pack = [](const std::vector<Element> &elements) { return numerics::pack(elements); };
  return block.define(op.getResult(), movedWithMarks(source, type, pack));
}

static LogicalResult execute(TileBlock &block, tile::UnpackOp op) {
  const Tile &bytes = block.tile(op.getSource());
  auto type = llvm::cast<tile::TileType>(op.getResult().getType());
  Format format = *tile::formatOf(type.getElementType());
  if (isPacked(bytes) && numerics::info(format).bits == 8 * Tile::wordBytesOf(format))
    return block.define(op.getResult(), reinterpreted(bytes, type));
  auto unpack = [=](const std::vector<Element> &elements) {
    return numerics::unpack(elements, format);
  };
  return block.define(op.getResult(), movedWithMarks(bytes, type, unpack));
}

Execute reference::shapeExecutor(mlir::Operation *op) {
  return firstOf<tile::ConstantOp, tile::IotaOp, tile::RearrangementOpInterface, tile::CatOp,
                 tile::InsertOp, tile::PackOp, tile::UnpackOp, tile::GetTileBlockIdOp,
                 tile::GetNumTileBlocksOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
