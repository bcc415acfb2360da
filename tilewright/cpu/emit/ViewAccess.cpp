// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are tiles of tensor views read and written? An index and the type of the view give an
// axis per tile dimension: where it begins, in which tensor dimension, with what extent and
// stride (types, 5.2). A tile that lies inside of its tensor, along an axis of stride 1, is
// a nest of plain vector accesses; one that reaches over an edge is another nest, under
// masks. Which of the two runs is decided at run time, once per tile.

#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

ViewValue KernelEmitter::makeTensorView(tile::MakeTensorViewOp op) {
  auto type = llvm::cast<tile::TensorViewType>(op.getResult().getType());
  auto sizes = [&](llvm::ArrayRef<int64_t> fromType, mlir::OperandRange dynamic) {
    SmallVector<Value, 4> values;
    for (int64_t size : fromType) {
      if (!mlir::ShapedType::isDynamic(size)) {
        values.push_back(b.i64(size));
        continue;
      }
      values.push_back(b.zeroExtended(scalar(dynamic.front())));
      dynamic = dynamic.drop_front();
    }
    return values;
  };
  return {scalar(op.getBase()), sizes(type.getShape(), op.getDynamicShape()),
          sizes(type.getStrides(), op.getDynamicStrides())};
}

LogicalResult KernelEmitter::emitView(mlir::Operation *op) {
  if (auto make = llvm::dyn_cast<tile::MakeTensorViewOp>(op)) {
    views[make.getResult()] = makeTensorView(make);
    return llvm::success();
  }
  ViewValue view = views.lookup(op->getOperand(0));
  if (!llvm::isa<tile::GetTensorShapeOp, tile::GetIndexSpaceShapeOp>(op)) {
    views[op->getResult(0)] = view; // the type says how it walks over the tensor
    return llvm::success();
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
    scalars[result] =
        type.isInteger(64) ? extent : arith::TruncIOp::create(b, type, extent).getResult();
  }
  return llvm::success();
}

//===-- From an index to elements -------------------------------------------------------------===//

KernelEmitter::Window KernelEmitter::windowOf(tile::TileView type, Value view,
                                              mlir::OperandRange indices) {
  const ViewValue &tensor = views.find(view)->second;
  Window window{type.getTensorView().getElementType(), tensor.base, {}, {}};
  for (auto [dim, extent] : llvm::enumerate(type.getTileShape())) {
    tile::DimensionRule rule = tile::ruleOf(type, dim);
    Axis axis{extent, {}, {}, tensor.extents[rule.tensorDim], tensor.strides[rule.tensorDim]};
    auto known = constantOf(axis.extent);
    axis.fits = known && rule.step == extent && *known % extent == 0;
    if (rule.isSparse)
      axis.sparse = indices[dim];
    else
      axis.first = b.mul(b.zeroExtended(scalar(indices[dim])), b.i64(rule.step));
    window.shape.push_back(extent);
    window.axes.push_back(axis);
  }
  return window;
}

/// Whether all elements are inside of the tensor, as an i1; null if that is known.
Value KernelEmitter::isWhole(const Window &window) {
  Value whole;
  for (const Axis &axis : window.axes) {
    if (axis.isSparse() || axis.fits)
      continue; // asked for each element; known
    // Not the end of the tile, which may be 2^64: extents are less than that.
    Value last = b.add(axis.first, b.i64(axis.tileExtent - 1));
    Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, last, axis.extent);
    whole = b.conjunction(whole, fits);
  }
  return whole;
}

std::optional<int64_t> KernelEmitter::strideOf(const Window &window) {
  int64_t dim = lastWideDimension(window.shape);
  return dim < 0 ? 1 : constantOf(window.axes[dim].stride);
}

bool KernelEmitter::mayBePlain(const Windows &windows) {
  return llvm::all_of(windows, [](auto &entry) { return strideOf(entry.second).value_or(1) == 1; });
}

/// Whether all rows are vectors of neighbours inside of their tensors; null if that is known.
Value KernelEmitter::arePlain(const Windows &windows) {
  Value plain;
  for (const auto &[op, window] : windows) {
    plain = b.conjunction(plain, isWhole(window));
    if (!strideOf(window))
      plain = b.conjunction(
          plain,
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                window.axes[lastWideDimension(window.shape)].stride, b.i64(1)));
  }
  return plain;
}

KernelEmitter::Reach KernelEmitter::reach(const Window &window, const Position &position,
                                          Lanes lanes) {
  int64_t width = position.width;
  Value offset = b.i64(0), laneOffset, mask, laneMask;
  for (auto [dim, axis] : llvm::enumerate(window.axes)) {
    bool isLanes = width > 1 && int64_t(dim) == position.lanes;
    bool mayBeOutside = axis.isSparse() || (lanes != Lanes::Whole && !axis.fits);
    Value coordinate;
    if (axis.isSparse()) {
      Position row{{position.at[dim]}, 0, isLanes ? width : 1};
      coordinate = evaluate(axis.sparse, row);
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
    if (!axis.isSparse() && lanes != Lanes::Apart) {
      offset = b.add(offset, b.mul(coordinate, axis.stride));
      if (!mayBeOutside)
        continue;
    }
    if (!axis.isSparse())
      coordinate = arith::AddIOp::create(b, b.splat(coordinate, width), b.stepVector(width));
    if (axis.isSparse() || lanes == Lanes::Apart)
      laneOffset = arith::MulIOp::create(b, coordinate, b.splat(axis.stride, width));
    if (mayBeOutside)
      laneMask = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate,
                                       b.splat(axis.extent, width));
  }
  if (mask && width > 1)
    mask = b.splat(mask, width);
  mask = b.conjunction(mask, laneMask);

  Reach result;
  result.mask = mask;
  unsigned bits = numerics::info(*tile::formatOf(window.elementType)).storageBits;
  if (bits < 8) {
    // Two f4E2M1FN share a byte, the lower half first (types, 2.3).
    Value half = arith::AndIOp::create(b, offset, b.i64(1));
    half = arith::ShLIOp::create(b, half, b.i64(2));
    result.shift = arith::TruncIOp::create(b, b.getI8Type(), half);
    result.address = b.add(window.base, arith::ShRUIOp::create(b, offset, b.i64(1)));
    return result;
  }
  Value base = b.add(window.base, b.mul(offset, b.i64(bits / 8)));
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

void KernelEmitter::forEachReach(const Window &window, bool oneByOne,
                                 llvm::function_ref<void(const Position &, const Reach &)> body) {
  auto nest = [&](int64_t width, Lanes lanes, int64_t dim) {
    b.forEach(
        window.shape, width,
        [&](const Position &position) { body(position, reach(window, position, lanes)); }, dim);
  };
  bool sharesBytes = llvm::isa<mlir::Float4E2M1FNType>(window.elementType);
  if (oneByOne || sharesBytes) {
    remark(b.getLoc(), sharesBytes
                           ? "accessed element by element: two share a byte"
                           : "accessed element by element: it is ordered, or atomic, or a scalar");
    return nest(1, Lanes::Masked, -1);
  }
  int64_t dim = pickLanes(
      window.shape, [&](unsigned d) { return window.axes[d].isSparse(); },
      [&](unsigned d) { return constantOf(window.axes[d].stride); });
  int64_t width = std::clamp<int64_t>(64 / wordBytes(window.elementType), 16, 64);
  if (dim < 0) {
    remark(b.getLoc(), "accessed element by element: there is only one");
    return nest(1, Lanes::Masked, -1);
  }

  const Axis &axis = window.axes[dim];
  auto stride = constantOf(axis.stride);
  Value whole = isWhole(window);
  if (axis.isSparse() || (stride && *stride != 1)) {
    remark(b.getLoc(), llvm::Twine("gathered or scattered: ") +
                           (axis.isSparse() ? "coordinates come from a tile" : "no stride is 1"));
    return nest(width, Lanes::Apart, dim);
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
    return nest(width, Lanes::Whole, dim);
  b.branch(
      fast, [&] { nest(width, Lanes::Whole, dim); },
      [&] { nest(width, stride ? Lanes::Masked : Lanes::Apart, dim); });
}

//===-- Operations ----------------------------------------------------------------------------===//

Value KernelEmitter::paddingOf(tile::TileView type) {
  std::optional<numerics::Element> padding = tile::paddingOf(type);
  mlir::Type elementType = type.getTensorView().getElementType();
  if (!padding)
    return {};
  uint64_t bits = padding->bits << (llvm::isa<mlir::FloatTF32Type>(elementType) ? 13 : 0);
  return b.constantBits(registerType(elementType), bits);
}

LogicalResult KernelEmitter::emitLoadView(tile::LoadViewOp op) {
  tile::TileView type = op.getView().getType();
  Window window = windowOf(type, op.getView(), op.getIndex());
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  bool atomically = ordering != LLVM::AtomicOrdering::not_atomic;
  Value padding = paddingOf(type), result = op.getTile();
  forEachReach(window, atomically || !tileTypeOf(result),
               [&](const Position &position, const Reach &from) {
                 Value fill = padding ? b.splat(padding, position.width) : Value();
                 Value value = read(from, window.elementType, fill, position.width, ordering);
                 if (tileTypeOf(result))
                   writeTile(result, position, value);
                 else
                   scalars[result] = value;
               });
  return llvm::success();
}

LogicalResult KernelEmitter::emitStoreView(tile::StoreViewOp op) {
  Window window = windowOf(op.getView().getType(), op.getView(), op.getIndex());
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  bool atomically = ordering != LLVM::AtomicOrdering::not_atomic;
  forEachReach(window, atomically, [&](const Position &position, const Reach &to) {
    write(to, window.elementType, evaluate(op.getTile(), position), ordering);
  });
  return llvm::success();
}

//===-- Fused loads ---------------------------------------------------------------------------===//

void KernelEmitter::withLoads(Value tile, llvm::function_ref<void()> body) {
  fusedLoads.clear();
  plan->forEachMaker(tile, [&](mlir::Operation *op) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(op);
    if (load && plan->home(load.getTile()) == Home::Fused)
      fusedLoads[op] = windowOf(load.getView().getType(), load.getView(), load.getIndex());
  });
  auto version = [&](bool isPlain) {
    cache.clear();
    fusedLoadsArePlain = isPlain;
    body();
    cache.clear();
  };
  if (!mayBePlain(fusedLoads))
    return version(false);
  if (Value plain = arePlain(fusedLoads))
    return b.branch(
        plain, [&] { version(true); }, [&] { version(false); });
  version(true);
}

Value KernelEmitter::evaluateLoad(tile::LoadViewOp load, const Position &position) {
  const Window &window = fusedLoads.find(load)->second;
  bool areNeighbours = position.width == 1 || (position.lanes == lastWideDimension(window.shape) &&
                                               (fusedLoadsArePlain || strideOf(window) == 1));
  Lanes lanes = !areNeighbours ? Lanes::Apart : fusedLoadsArePlain ? Lanes::Whole : Lanes::Masked;
  Value padding = paddingOf(load.getView().getType());
  return read(reach(window, position, lanes), window.elementType,
              padding ? b.splat(padding, position.width) : Value(), position.width,
              LLVM::AtomicOrdering::not_atomic);
}
