// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ViewAccess.h.

#include "tilewright/cpu/emit/ViewAccess.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Regions and addresses -----------------------------------------------------------------===//

TileRegion ViewAccess::regionOf(mlir::Operation *op, mlir::OperandRange indices) {
  Value view = llvm::cast<tile::MemoryAccessOpInterface>(op).getAddressed();
  auto type = llvm::cast<tile::TileView>(view.getType());
  const emit::ViewValue &tensor = descriptors.of(view);
  TileRegion region{
      &plan.accesses.find(op)->second, type.getTensorView().getElementType(), tensor.base, {}, {}};
  for (auto [dim, extent] : llvm::enumerate(type.getTileShape())) {
    tile::DimensionRule rule = tile::ruleOf(type, dim);
    Axis axis{extent, {}, {}, tensor.extents[rule.tensorDim], tensor.strides[rule.tensorDim]};
    if (rule.isSparse) {
      axis.sparse = indices[dim];
    } else {
      axis.first = b.mul(b.zeroExtended(frame.scalar(indices[dim])), b.i64(rule.step));
      axis.fits = region.access->axes[dim].fits;
    }
    region.shape.push_back(extent);
    region.axes.push_back(axis);
  }
  return region;
}

/// Whether all elements are inside the tensor, as an i1; null if that is known.
Value ViewAccess::isInBounds(const TileRegion &region) {
  Value whole;
  for (const Axis &axis : region.axes) {
    if (axis.isSparse() || axis.fits)
      continue; // tested per element; or known
    // Uses the tile's last coordinate, not its end, which may be 2^64: extents are less than that.
    Value last = b.add(axis.first, b.i64(axis.tileExtent - 1));
    Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, last, axis.extent);
    whole = b.conjunction(whole, fits);
  }
  return whole;
}

Value ViewAccess::areContiguousInBounds(const TileRegions &regions) {
  Value all;
  for (const auto &[op, region] : regions) {
    all = b.conjunction(all, isInBounds(region));
    int64_t row = lastWideDimension(region.shape);
    if (row >= 0 && !region.access->axes[row].stride)
      all = b.conjunction(all, arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                                     region.axes[row].stride, b.i64(1)));
  }
  return all;
}

/// The induction variable starts at the lower bound, and tiles with an index below a limit are
/// inside. It is compared as unsigned, so a loop that begins below 0 has no such iterations.
Value ViewAccess::wholeIterations(tile::ForOp loop, llvm::ArrayRef<mlir::Operation *> loads,
                                  Value tripCount) {
  auto isKnownBefore = [&](Value value) {
    return !loop.getRegion().isAncestor(value.getParentRegion());
  };
  auto compare = [&](arith::CmpIPredicate how, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, how, lhs, rhs);
  };
  Value limit, areWhole;
  for (mlir::Operation *op : loads) {
    auto load = llvm::cast<tile::LoadViewOp>(op);
    if (!isKnownBefore(load.getView()))
      return {};
    const emit::ViewValue &tensor = descriptors.of(load.getView());
    auto type = llvm::cast<tile::TileView>(load.getView().getType());
    SmallVector<int64_t> shape(type.getTileShape().begin(), type.getTileShape().end());
    int64_t row = lastWideDimension(shape);
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      tile::DimensionRule rule = tile::ruleOf(type, dim);
      const KnownAxis &known = plan.accesses.find(op)->second.axes[dim];
      if (int64_t(dim) == row && !known.stride)
        areWhole = b.conjunction(
            areWhole, compare(arith::CmpIPredicate::eq, tensor.strides[rule.tensorDim], b.i64(1)));
      Value index = load.getIndex()[dim];
      bool isCounted = index == loop.inductionVar();
      if (rule.isSparse || (!isCounted && !isKnownBefore(index)))
        return {};
      if (known.fits)
        continue;
      Value size = tensor.extents[rule.tensorDim];
      Value isLarge = compare(arith::CmpIPredicate::uge, size, b.i64(extent));
      Value below = arith::SelectOp::create(
          b, isLarge,
          b.add(arith::DivUIOp::create(b, arith::SubIOp::create(b, size, b.i64(extent)),
                                       b.i64(rule.step)),
                b.i64(1)),
          b.i64(0));
      if (isCounted)
        limit = limit ? arith::MinUIOp::create(b, limit, below).getResult() : below;
      else
        areWhole = b.conjunction(areWhole, compare(arith::CmpIPredicate::ult,
                                                   b.zeroExtended(frame.scalar(index)), below));
    }
  }
  Value whole = tripCount;
  if (limit) {
    Value first = b.zeroExtended(frame.scalar(loop.getLowerBound()));
    Value step = b.zeroExtended(frame.scalar(loop.getStep()));
    step = arith::MaxUIOp::create(b, step, b.i64(1)); // a step of 0 is undefined
    // Not below 0: of the values first, first + step, ..., counts those below the limit.
    Value distance = LLVM::USubSat::create(b, limit, first);
    Value count =
        b.add(arith::DivUIOp::create(b, distance, step),
              arith::ExtUIOp::create(b, b.getI64Type(),
                                     compare(arith::CmpIPredicate::ne,
                                             arith::RemUIOp::create(b, distance, step), b.i64(0))));
    whole = arith::MinUIOp::create(b, tripCount, count);
  }
  return areWhole ? arith::SelectOp::create(b, areWhole, whole, b.i64(0)).getResult() : whole;
}

/// A mask of the first `count` lanes, or all. Lane numbers are as wide as most elements, not as
/// addresses, which would fill several vectors.
static Value firstLanes(LoopBuilder &b, Value count, int64_t width) {
  mlir::Type word = b.getI32Type();
  Value atMost = arith::MinUIOp::create(b, count, b.i64(width));
  llvm::SmallVector<int32_t> numbers(width);
  std::iota(numbers.begin(), numbers.end(), 0);
  Value lanes = arith::ConstantOp::create(b, b.getI32VectorAttr(numbers));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lanes,
                               b.splat(arith::TruncIOp::create(b, word, atMost), width));
}

/// Splits a value into another one (null for 0) and a constant to add: addresses of adjacent
/// vectors then differ only by the displacement in their instructions.
static std::pair<Value, int64_t> withoutConstant(Value value) {
  if (std::optional<int64_t> constant = mlir::getConstantIntValue(value))
    return {Value(), *constant};
  auto sum = value.getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> constant =
      sum ? mlir::getConstantIntValue(sum.getRhs()) : std::optional<int64_t>();
  return constant ? std::pair(sum.getLhs(), *constant) : std::pair(value, int64_t(0));
}

AddressSet ViewAccess::addressesAt(const TileRegion &region, const Position &position,
                                   Lanes lanes) {
  int64_t width = position.width;
  Value offset = b.i64(0), laneOffset, mask, laneMask;
  int64_t further = 0; // elements after the offset
  for (auto [dim, axis] : llvm::enumerate(region.axes)) {
    bool isLanes = width > 1 && int64_t(dim) == position.lanes;
    bool mayBeOutside = !axis.fits && (axis.isSparse() || lanes != Lanes::Contiguous);
    Value coordinate;
    std::optional<int64_t> stride = mlir::getConstantIntValue(axis.stride);
    if (isLanes && stride && !axis.isSparse() && lanes == Lanes::Contiguous) {
      auto [rest, constant] = withoutConstant(position.at[dim]);
      coordinate = rest ? b.add(axis.first, rest) : axis.first;
      offset = b.add(offset, b.mul(coordinate, axis.stride));
      further += constant * *stride;
      continue;
    }
    if (axis.isSparse()) {
      Position row{{position.at[dim]}, 0, isLanes ? width : 1};
      coordinate = evaluator.evaluate(axis.sparse, row);
      mlir::Type wide = shapedLike(b.getI64Type(), coordinate.getType());
      if (coordinate.getType() != wide)
        coordinate = arith::ExtUIOp::create(b, wide, coordinate);
    } else {
      coordinate = b.add(axis.first, position.at[dim]);
    }
    if (!isLanes) {
      offset = b.add(offset, b.mul(coordinate, axis.stride));
      if (mayBeOutside)
        mask = b.conjunction(
            mask, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate, axis.extent));
      continue;
    }
    if (!axis.isSparse() && lanes != Lanes::Gathered) {
      offset = b.add(offset, b.mul(coordinate, axis.stride));
      if (mayBeOutside)
        laneMask = firstLanes(b, LLVM::USubSat::create(b, axis.extent, coordinate), width);
      continue;
    }
    if (!axis.isSparse())
      coordinate = arith::AddIOp::create(b, b.splat(coordinate, width), b.stepVector(width));
    if (axis.isSparse() || lanes == Lanes::Gathered)
      laneOffset = arith::MulIOp::create(b, coordinate, b.splat(axis.stride, width));
    if (mayBeOutside)
      laneMask = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate,
                                       b.splat(axis.extent, width));
  }
  if (mask && width > 1)
    mask = b.splat(mask, width);
  mask = b.conjunction(mask, laneMask);

  AddressSet result;
  result.mask = mask;
  unsigned bits = numerics::info(*tile::formatOf(region.elementType)).storageBits;
  if (bits < 8) {
    offset = b.add(offset, b.i64(further));
    // Two f4E2M1FN share a byte, the lower half first (types, 2.3).
    Value half = arith::AndIOp::create(b, offset, b.i64(1));
    half = arith::ShLIOp::create(b, half, b.i64(2));
    result.shift = arith::TruncIOp::create(b, b.getI8Type(), half);
    result.address = b.add(region.base, arith::ShRUIOp::create(b, offset, b.i64(1)));
    return result;
  }
  Value base = b.add(region.base, b.mul(offset, b.i64(bits / 8)));
  base = b.add(base, b.i64(further * (bits / 8)));
  if (laneOffset)
    result.addresses = arith::AddIOp::create(
        b, b.splat(base, width),
        arith::MulIOp::create(b, laneOffset, b.splat(b.i64(bits / 8), width)));
  else
    result.address = base;
  return result;
}

void ViewAccess::forEachAddressSet(
    const TileRegion &region, llvm::function_ref<void(const Position &, const AddressSet &)> body) {
  const Access &access = *region.access;
  auto nest = [&](Lanes lanes) {
    b.forEach(
        region.shape, access.width,
        [&](const Position &position) { body(position, addressesAt(region, position, lanes)); },
        access.laneDim);
  };
  if (access.rows == Rows::Apart)
    return nest(access.outside);
  if (access.rows == Rows::Contiguous)
    return nest(Lanes::Contiguous);
  Value fast = isInBounds(region);
  if (!access.axes[access.laneDim].stride) {
    Value isDense = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          region.axes[access.laneDim].stride, b.i64(1));
    fast = b.conjunction(isDense, fast);
  }
  b.branch(fast, [&] { nest(Lanes::Contiguous); }, [&] { nest(access.outside); });
}

//===-- Operations ----------------------------------------------------------------------------===//

Value ViewAccess::paddingOf(tile::TileView type) {
  std::optional<numerics::Element> padding = tile::paddingOf(type);
  mlir::Type elementType = type.getTensorView().getElementType();
  if (!padding)
    return {};
  return b.constantElement(elementType, padding->bits);
}

void ViewAccess::emitLoad(tile::LoadViewOp op) {
  TileRegion region = regionOf(op);
  LLVM::AtomicOrdering ordering = orderingOf(op.getOrdering());
  Value padding = paddingOf(op.getView().getType());
  Value result = op.getTile();
  forEachAddressSet(region, [&](const Position &position, const AddressSet &from) {
    Value fill = padding ? b.splat(padding, position.width) : Value();
    Value value = memory.read(from, region.elementType, fill, position.width, ordering);
    if (tileTypeOf(result))
      buffers.writeTile(result, position, value);
    else
      frame.scalars.define(result, value);
  });
}

void ViewAccess::emitStore(tile::StoreViewOp op) {
  TileRegion region = regionOf(op);
  LLVM::AtomicOrdering ordering = orderingOf(op.getOrdering());
  forEachAddressSet(region, [&](const Position &position, const AddressSet &to) {
    memory.write(to, region.elementType, evaluator.evaluate(op.getTile(), position), ordering);
  });
}
