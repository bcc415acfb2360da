// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AxisInfo.h.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/types/Types.h"

using namespace tilewright;
using analysis::AxisInfo;
using mlir::Operation;
using mlir::Value;
using tile::RearrangementOpInterface;

static llvm::ArrayRef<int64_t> shapeOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type ? type.getShape() : llvm::ArrayRef<int64_t>();
}

static std::optional<llvm::APInt> splatOf(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  if (!constant || !constant.getValue().isSplat() ||
      !llvm::isa<mlir::IntegerType>(type.getElementType()))
    return std::nullopt;
  return constant.getValue().getSplatValue<llvm::APInt>();
}

//===-- Strides -------------------------------------------------------------------------------===//

/// The source dimension that dimension `dim` of the result follows, element by element; none if
/// there is none.
static std::optional<unsigned> sourceDimension(RearrangementOpInterface op, unsigned dim) {
  int64_t extent = shapeOf(op->getResult(0))[dim], step = op.getElementSteps()[dim], rest = 1;
  llvm::ArrayRef<int64_t> source = shapeOf(op.getMoved());
  for (unsigned from = source.size(); from-- > 0; rest *= source[from])
    if (source[from] == extent && rest == step)
      return from;
  return std::nullopt;
}

/// The stride along a whole dimension that an assumption implies: one `div_by` run, or equal
/// elements.
static std::optional<int64_t> assumedStride(tile::AssumeOp op, unsigned dim) {
  int64_t extent = shapeOf(op.getResult())[dim];
  mlir::Attribute predicate = op.getPredicate();
  if (auto divBy = llvm::dyn_cast<tile::DivByAttr>(predicate))
    if (divBy.getAlong() == int64_t(dim) && *divBy.getEvery() >= extent)
      return 1;
  if (auto same = llvm::dyn_cast<tile::SameElementsAttr>(predicate))
    if (same.getValues()[dim] >= extent)
      return 0;
  return std::nullopt;
}

std::optional<int64_t> AxisInfo::stride(Value tile, unsigned dim) {
  std::optional<Growth> found = growth(tile, dim);
  return found ? std::optional(found->stride) : std::nullopt;
}

std::optional<AxisInfo::Growth> AxisInfo::growth(Value tile, unsigned dim) {
  if (auto found = known.find({tile, dim}); found != known.end())
    return found->second;
  std::optional<Growth> growth = computeGrowth(tile, dim);
  known[{tile, dim}] = growth;
  return growth;
}

std::optional<AxisInfo::Growth> AxisInfo::computeGrowth(Value tile, unsigned dim) {
  llvm::ArrayRef<int64_t> shape = shapeOf(tile);
  Operation *op = tile.getDefiningOp();
  if (shape.empty() || shape[dim] == 1)
    return Growth{0};
  if (!op)
    return std::nullopt;
  if (llvm::isa<tile::IotaOp>(op))
    return Growth{1};
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    return ofConstant(constant, dim);
  if (auto moved = llvm::dyn_cast<RearrangementOpInterface>(op)) {
    if (moved.getElementSteps()[dim] == 0)
      return Growth{0};
    std::optional<unsigned> from = sourceDimension(moved, dim);
    return from ? growth(moved.getMoved(), *from) : std::nullopt;
  }
  if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op)) {
    std::optional<int64_t> assumed = assumedStride(assume, dim);
    return assumed ? std::optional(Growth{*assumed}) : growth(assume.getValue(), dim);
  }
  if (!llvm::isa<tile::ElementwiseOpInterface>(op))
    return std::nullopt;
  if (llvm::all_of(op->getOperands(), [&](Value v) { return stride(v, dim) == 0; }))
    return Growth{0};
  return ofElementwise(op, dim);
}

/// The growth of a constant whose neighbouring elements all differ by the same amount.
std::optional<AxisInfo::Growth> AxisInfo::ofConstant(tile::ConstantOp op, unsigned dim) {
  if (op.getValue().isSplat())
    return Growth{0};
  auto integers = llvm::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue());
  if (!integers)
    return std::nullopt;
  llvm::ArrayRef<int64_t> shape = shapeOf(op.getResult());
  int64_t inner = support::strideOf(shape, dim);
  auto values = integers.getValues<llvm::APInt>();
  llvm::APInt step = values[inner] - values[0];
  for (int64_t i = inner; i < integers.getNumElements(); ++i)
    if (i / inner % shape[dim] != 0 && values[i] - values[i - inner] != step)
      return std::nullopt;
  return Growth{step.getSExtValue()};
}

/// The growth of an elementwise operation whose operands are not all constant along the dimension.
std::optional<AxisInfo::Growth> AxisInfo::ofElementwise(Operation *op, unsigned dim) {
  if (auto offset = llvm::dyn_cast<tile::OffsetOp>(op))
    return ofOffset(offset, dim);
  if (auto extension = llvm::dyn_cast<tile::ExtIOp>(op))
    return ofExtension(extension.getFrom(), dim);
  if (auto add = llvm::dyn_cast<tile::AddIOp>(op))
    return ofSum(add.getLhs(), add.getRhs(), 1, dim);
  if (auto sub = llvm::dyn_cast<tile::SubIOp>(op))
    return ofSum(sub.getLhs(), sub.getRhs(), -1, dim);
  if (auto mul = llvm::dyn_cast<tile::MulIOp>(op)) {
    std::optional<Growth> product = ofProduct(mul.getLhs(), mul.getRhs(), dim);
    return product ? product : ofProduct(mul.getRhs(), mul.getLhs(), dim);
  }
  return std::nullopt;
}

/// The growth of a + factor * b. If both operands grow and one of them is extended, their
/// wrap-arounds could cancel between the first and the last element, but not in between; then there
/// is none.
std::optional<AxisInfo::Growth> AxisInfo::ofSum(Value a, Value b, int64_t factor, unsigned dim) {
  std::optional<Growth> first = growth(a, dim), second = growth(b, dim);
  if (!first || !second)
    return std::nullopt;
  bool isExtended = first->isExtended || second->isExtended;
  if (isExtended && first->stride != 0 && second->stride != 0)
    return std::nullopt;
  return Growth{int64_t(uint64_t(first->stride) + uint64_t(factor) * uint64_t(second->stride)),
                isExtended};
}

/// The growth of a product with a constant.
std::optional<AxisInfo::Growth> AxisInfo::ofProduct(Value a, Value b, unsigned dim) {
  std::optional<llvm::APInt> factor = splatOf(b);
  std::optional<Growth> first = factor ? growth(a, dim) : std::nullopt;
  if (!first)
    return std::nullopt;
  return Growth{int64_t(uint64_t(first->stride) * uint64_t(factor->getSExtValue())),
                first->isExtended};
}

/// At most one extension is allowed: an integer that wraps around at two widths could reach the
/// expected value again at the last element.
std::optional<AxisInfo::Growth> AxisInfo::ofExtension(Value narrow, unsigned dim) {
  std::optional<Growth> from = growth(narrow, dim);
  if (!from || from->isExtended)
    return std::nullopt;
  auto type = llvm::cast<tile::TileType>(narrow.getType());
  return Growth{llvm::SignExtend64(from->stride, type.getElementType().getIntOrFloatBitWidth()),
                /*isExtended=*/true};
}

/// Each offset is extended separately: if two of them wrap around, the address jumps twice.
std::optional<AxisInfo::Growth> AxisInfo::ofOffset(tile::OffsetOp op, unsigned dim) {
  std::optional<Growth> from = growth(op.getPtr(), dim);
  auto type = llvm::cast<tile::TileType>(op.getOffset().getType());
  bool isWide = type.getElementType().getIntOrFloatBitWidth() == 64;
  std::optional<Growth> by =
      isWide ? growth(op.getOffset(), dim) : ofExtension(op.getOffset(), dim);
  if (!from || !by)
    return std::nullopt;
  return from->stride == 0 ? by : by->stride == 0 ? from : std::nullopt;
}

int64_t analysis::contiguousDimension(Value pointers) {
  llvm::ArrayRef<int64_t> shape = shapeOf(pointers);
  AxisInfo info;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim)
    if (shape[dim] > 1 && info.stride(pointers, dim) == 1)
      return dim;
  return -1;
}
