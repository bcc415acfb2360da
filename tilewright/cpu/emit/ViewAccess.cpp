// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ViewAccess.h.

#include "tilewright/cpu/emit/ViewAccess.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

static std::optional<int64_t> constantOf(Value value) {
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

//===-- Descriptors ---------------------------------------------------------------------------===//

ViewValue ViewAccess::makeTensorView(tile::MakeTensorViewOp op) {
  auto type = llvm::cast<tile::TensorViewType>(op.getResult().getType());
  auto sizes = [&](llvm::ArrayRef<int64_t> fromType, mlir::OperandRange dynamic) {
    SmallVector<Value, 4> values;
    for (int64_t size : fromType) {
      if (!mlir::ShapedType::isDynamic(size)) {
        values.push_back(b.i64(size));
        continue;
      }
      values.push_back(b.zeroExtended(frame.scalar(dynamic.front())));
      dynamic = dynamic.drop_front();
    }
    return values;
  };
  return {frame.scalar(op.getBase()), sizes(type.getShape(), op.getDynamicShape()),
          sizes(type.getStrides(), op.getDynamicStrides())};
}

void ViewAccess::emitView(mlir::Operation *op) {
  if (auto make = llvm::dyn_cast<tile::MakeTensorViewOp>(op)) {
    views[make.getResult()] = makeTensorView(make);
    return;
  }
  ViewValue view = views.lookup(op->getOperand(0));
  if (!llvm::isa<tile::GetTensorShapeOp, tile::GetIndexSpaceShapeOp>(op)) {
    views[op->getResult(0)] = view; // the type says how it walks over the tensor
    return;
  }
  for (auto [dim, result] : llvm::enumerate(op->getResults())) {
    Value extent;
    if (auto space = llvm::dyn_cast<tile::GetIndexSpaceShapeOp>(op)) {
      auto rule = tile::ruleOf(llvm::cast<tile::TileView>(space.getSrc().getType()), dim);
      // DimensionRule::indexCount, without forming extent + step
      Value by = b.i64(rule.step), size = view.extents[rule.tensorDim];
      Value whole = b.createOrFold<arith::DivUIOp>(size, by);
      Value rest = b.createOrFold<arith::RemUIOp>(size, by);
      Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest, b.i64(0));
      extent = b.add(whole, arith::ExtUIOp::create(b, b.getI64Type(), more));
    } else {
      extent = view.extents[dim];
    }
    mlir::Type type = registerType(llvm::cast<tile::TileType>(result.getType()).getElementType());
    frame.scalars[result] =
        type.isInteger(64) ? extent : arith::TruncIOp::create(b, type, extent).getResult();
  }
}

bool ViewAccess::emitAssume(tile::AssumeOp op) {
  auto found = views.find(op.getValue());
  if (found == views.end())
    return false;
  ViewValue copy = found->second;
  views[op->getResult(0)] = copy;
  return true;
}

//===-- From an index to elements -------------------------------------------------------------===//

TileRegion ViewAccess::regionOf(tile::TileView type, Value view, mlir::OperandRange indices) {
  const ViewValue &tensor = views.find(view)->second;
  TileRegion region{type.getTensorView().getElementType(), tensor.base, {}, {}};
  for (auto [dim, extent] : llvm::enumerate(type.getTileShape())) {
    tile::DimensionRule rule = tile::ruleOf(type, dim);
    Axis axis{extent, {}, {}, tensor.extents[rule.tensorDim], tensor.strides[rule.tensorDim]};
    auto known = constantOf(axis.extent);
    axis.fits = known && rule.step == extent && *known % extent == 0;
    if (rule.isSparse)
      axis.sparse = indices[dim];
    else
      axis.first = b.mul(b.zeroExtended(frame.scalar(indices[dim])), b.i64(rule.step));
    region.shape.push_back(extent);
    region.axes.push_back(axis);
  }
  return region;
}

TileRegion ViewAccess::regionOf(tile::LoadViewOp load) {
  return regionOf(load.getView().getType(), load.getView(), load.getIndex());
}

TileRegion ViewAccess::regionOf(tile::StoreViewOp store) {
  return regionOf(store.getView().getType(), store.getView(), store.getIndex());
}

/// Whether all elements are inside of the tensor, as an i1; null if that is known.
Value ViewAccess::isInBounds(const TileRegion &region) {
  Value whole;
  for (const Axis &axis : region.axes) {
    if (axis.isSparse() || axis.fits)
      continue; // tested for each element; known
    // Not the end of the tile, which may be 2^64: extents are less than that.
    Value last = b.add(axis.first, b.i64(axis.tileExtent - 1));
    Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, last, axis.extent);
    whole = b.conjunction(whole, fits);
  }
  return whole;
}

std::optional<int64_t> TileRegion::rowStride() const {
  int64_t dim = lastWideDimension(shape);
  return dim < 0 ? 1 : constantOf(axes[dim].stride);
}

bool cpu::mayBeContiguous(const TileRegions &regions) {
  return llvm::all_of(regions,
                      [](auto &entry) { return entry.second.rowStride().value_or(1) == 1; });
}

Value ViewAccess::areContiguousInBounds(const TileRegions &regions) {
  Value all;
  for (const auto &[op, region] : regions) {
    all = b.conjunction(all, isInBounds(region));
    if (!region.rowStride())
      all = b.conjunction(all, arith::CmpIOp::create(
                                   b, arith::CmpIPredicate::eq,
                                   region.axes[lastWideDimension(region.shape)].stride, b.i64(1)));
  }
  return all;
}

AddressSet ViewAccess::addressesAt(const TileRegion &region, const Position &position,
                                   Lanes lanes) {
  int64_t width = position.width;
  Value offset = b.i64(0), laneOffset, mask, laneMask;
  for (auto [dim, axis] : llvm::enumerate(region.axes)) {
    bool isLanes = width > 1 && int64_t(dim) == position.lanes;
    bool mayBeOutside = axis.isSparse() || (lanes != Lanes::Contiguous && !axis.fits);
    Value coordinate;
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
      if (!mayBeOutside)
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
    // Two f4E2M1FN share a byte, the lower half first (types, 2.3).
    Value half = arith::AndIOp::create(b, offset, b.i64(1));
    half = arith::ShLIOp::create(b, half, b.i64(2));
    result.shift = arith::TruncIOp::create(b, b.getI8Type(), half);
    result.address = b.add(region.base, arith::ShRUIOp::create(b, offset, b.i64(1)));
    return result;
  }
  Value base = b.add(region.base, b.mul(offset, b.i64(bits / 8)));
  if (laneOffset)
    result.addresses = arith::AddIOp::create(
        b, b.splat(base, width),
        arith::MulIOp::create(b, laneOffset, b.splat(b.i64(bits / 8), width)));
  else
    result.address = base;
  return result;
}

/// Along which dimension neighbours are accessed together: one whose stride is known to be 1,
/// else the last dense one, else the last.
static int64_t pickLanes(llvm::ArrayRef<int64_t> shape, llvm::function_ref<bool(unsigned)> isSparse,
                         llvm::function_ref<std::optional<int64_t>(unsigned)> stride) {
  int64_t last = -1, dense = -1, unit = -1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent == 1)
      continue;
    last = dim;
    if (isSparse(dim))
      continue;
    dense = dim;
    if (stride(dim) == 1)
      unit = dim;
  }
  return unit >= 0 ? unit : dense >= 0 ? dense : last;
}

void ViewAccess::forEachAddressSet(
    const TileRegion &region, bool oneByOne,
    llvm::function_ref<void(const Position &, const AddressSet &)> body) {
  auto nest = [&](int64_t width, Lanes lanes, int64_t dim) {
    b.forEach(
        region.shape, width,
        [&](const Position &position) { body(position, addressesAt(region, position, lanes)); },
        dim);
  };
  bool sharesBytes = llvm::isa<mlir::Float4E2M1FNType>(region.elementType);
  if (oneByOne || sharesBytes) {
    remark(b.getLoc(), sharesBytes
                           ? "accessed element by element: two share a byte"
                           : "accessed element by element: it is ordered, or atomic, or a scalar");
    return nest(1, Lanes::ContiguousMasked, -1);
  }
  int64_t dim = pickLanes(
      region.shape, [&](unsigned d) { return region.axes[d].isSparse(); },
      [&](unsigned d) { return constantOf(region.axes[d].stride); });
  int64_t width = std::clamp<int64_t>(64 / wordBytes(region.elementType), 16, 64);
  if (dim < 0) {
    remark(b.getLoc(), "accessed element by element: there is only one");
    return nest(1, Lanes::ContiguousMasked, -1);
  }

  const Axis &axis = region.axes[dim];
  auto stride = constantOf(axis.stride);
  Value whole = isInBounds(region);
  if (axis.isSparse() || (stride && *stride != 1)) {
    remark(b.getLoc(), llvm::Twine("gathered or scattered: ") +
                           (axis.isSparse() ? "coordinates come from a tile" : "no stride is 1"));
    return nest(width, Lanes::Gathered, dim);
  }
  Value fast = whole;
  if (!stride) {
    fast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, axis.stride, b.i64(1));
    if (whole)
      fast = arith::AndIOp::create(b, fast, whole);
  }
  remark(
      b.getLoc(),
      llvm::Twine("accessed by vectors along dimension ") + llvm::Twine(dim) +
          (!fast ? ""
           : stride
               ? "; under masks at the edge of the tensor"
               : "; gathered or scattered if its stride is not 1, or at the edge of the tensor"));
  if (!fast)
    return nest(width, Lanes::Contiguous, dim);
  b.branch(
      fast, [&] { nest(width, Lanes::Contiguous, dim); },
      [&] { nest(width, stride ? Lanes::ContiguousMasked : Lanes::Gathered, dim); });
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
  tile::TileView type = op.getView().getType();
  TileRegion region = regionOf(type, op.getView(), op.getIndex());
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  bool atomically = ordering != LLVM::AtomicOrdering::not_atomic;
  Value padding = paddingOf(type), result = op.getTile();
  forEachAddressSet(region, atomically || !tileTypeOf(result),
                    [&](const Position &position, const AddressSet &from) {
                      Value fill = padding ? b.splat(padding, position.width) : Value();
                      Value value =
                          memory.read(from, region.elementType, fill, position.width, ordering);
                      if (tileTypeOf(result))
                        buffers.writeTile(result, position, value);
                      else
                        frame.scalars[result] = value;
                    });
}

void ViewAccess::emitStore(tile::StoreViewOp op) {
  TileRegion region = regionOf(op);
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  bool atomically = ordering != LLVM::AtomicOrdering::not_atomic;
  forEachAddressSet(region, atomically, [&](const Position &position, const AddressSet &to) {
    memory.write(to, region.elementType, evaluator.evaluate(op.getTile(), position), ordering);
  });
}
