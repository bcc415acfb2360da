// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes memory accesses through views. Each tile dimension has a list of coordinates in one
// tensor dimension: consecutive ones, or those of a sparse index. A coordinate inside the tensor
// contributes coordinate * stride to the position of an element. The three kinds of views differ
// only in these lists (tile/types/ViewGeometry.h; operations, 8).

#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include <unordered_map>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

namespace {
using Offset = unsigned __int128;

/// The coordinates that one tile dimension covers in its tensor dimension. The coordinates of a
/// dense axis are consecutive, and inside the tensor up to some point.
struct Axis {
  int64_t tileExtent;
  uint64_t extent, stride;
  Offset first;                 ///< Coordinate of position 0, if dense.
  const Tile *sparse = nullptr; ///< All coordinates, if not.

  Offset coordinate(int64_t at) const { return sparse ? Offset((*sparse)[at].bits) : first + at; }
  bool isInside(int64_t at) const { return coordinate(at) < extent; }
  /// The number of positions of a dense axis that are inside the tensor.
  int64_t insideCount() const {
    return first >= extent ? 0 : int64_t(std::min<Offset>(tileExtent, extent - first));
  }
  /// The largest offset that a position inside the tensor adds; 0 if there is none.
  Offset largestOffset() const {
    Offset largest = 0;
    if (!sparse)
      return insideCount() ? (first + insideCount() - 1) * stride : 0;
    for (int64_t at = 0; at < tileExtent; ++at)
      if (isInside(at))
        largest = std::max(largest, coordinate(at) * stride);
    return largest;
  }
};
} // namespace

/// The exclusive upper bound of an element offset (types, 5.2). Extents and strides have at most 64
/// bits, so a product fits into Offset; sums saturate at this bound.
static constexpr Offset offsetLimit = Offset(1) << 63;

static Offset sum(Offset a, Offset b) {
  return std::min(std::min(a, offsetLimit) + std::min(b, offsetLimit), offsetLimit);
}

/// Offsets may need more than 64 bits.
static std::string numberText(Offset number) {
  return number >> 64 ? "2^64 or more" : std::to_string(uint64_t(number));
}

//===-- Descriptors -------------------------------------------------------===//

/// Extents or strides: static ones from the type, dynamic ones from the operands, which are
/// unsigned.
static SmallVector<Element, 4> sizesOf(TileBlock &block, ArrayRef<int64_t> fromType,
                                       mlir::OperandRange dynamic) {
  SmallVector<Element, 4> sizes;
  for (int64_t size : fromType) {
    if (!mlir::ShapedType::isDynamic(size)) {
      sizes.push_back(Element::integer(Format::I64, size));
      continue;
    }
    Element element = block.scalar(dynamic.front());
    sizes.push_back({element.bits, Format::I64, element.poison});
    dynamic = dynamic.drop_front();
  }
  return sizes;
}

/// The marks of the same extents or strides.
static SmallVector<Mark, 4> marksOf(TileBlock &block, ArrayRef<int64_t> fromType,
                                    mlir::OperandRange dynamic) {
  SmallVector<Mark, 4> marks;
  for (int64_t size : fromType) {
    bool isDynamic = mlir::ShapedType::isDynamic(size);
    marks.push_back(isDynamic ? block.tile(dynamic.front()).markOf(0) : Mark::None);
    if (isDynamic)
      dynamic = dynamic.drop_front();
  }
  return marks;
}

static LogicalResult execute(TileBlock &block, tile::MakeTensorViewOp op) {
  auto type = llvm::cast<tile::TensorViewType>(op.getResult().getType());
  TensorView view{block.scalar(op.getBase()), sizesOf(block, type.getShape(), op.getDynamicShape()),
                  sizesOf(block, type.getStrides(), op.getDynamicStrides()),
                  marksOf(block, type.getShape(), op.getDynamicShape())};
  checkStrideAssumptions(block, op, view);
  return block.define(op.getResult(), std::move(view));
}

// The view type defines how the view walks over its tensor, so the value is that of the tensor
// view.
static LogicalResult execute(TileBlock &block, tile::MakePartitionViewOp op) {
  return block.define(op.getResult(), block.get(op.getTensorView()));
}
static LogicalResult execute(TileBlock &block, tile::MakeStridedViewOp op) {
  return block.define(op.getResult(), block.get(op.getTensorView()));
}
static LogicalResult execute(TileBlock &block, tile::MakeGatherScatterViewOp op) {
  return block.define(op.getResult(), block.get(op.getTensorView()));
}

/// Defines a result as the low bits of an extent. An extent that does not fit is undefined
/// (operations, 8.4).
static void defineExtent(TileBlock &block, mlir::Operation *op, unsigned dim, Element extent,
                         Mark mark) {
  mlir::Value result = op->getResult(dim);
  Format format = tile::formatOfTile(result);
  Element low{extent.bits & numerics::info(format).mask(), format};
  if (low.bits != extent.bits)
    block.reportOnce(Check::IndexSpace, op,
                     "extent " + Twine(extent.bits) + " of dimension " + Twine(dim) +
                         " does not fit " + numerics::info(format).spelling);
  Tile content = Tile::scalar(low);
  content.setMark(0, mark);
  (void)block.define(result, std::move(content));
}

static LogicalResult execute(TileBlock &block, tile::GetTensorShapeOp op) {
  const TensorView &view = block.view(op.getSrc());
  for (auto [dim, extent] : llvm::enumerate(view.extents))
    defineExtent(block, op, dim, extent, view.extentMarks[dim]);
  return llvm::success();
}

static LogicalResult execute(TileBlock &block, tile::GetIndexSpaceShapeOp op) {
  const TensorView &view = block.view(op.getSrc());
  for (auto [dim, rule] :
       llvm::enumerate(tile::rulesOf(llvm::cast<tile::TileView>(op.getSrc().getType())))) {
    Element count = view.extents[rule.tensorDim];
    count.bits = rule.indexCount(count.bits);
    defineExtent(block, op, dim, count, view.extentMarks[rule.tensorDim]);
  }
  return llvm::success();
}

//===-- From an index to elements -----------------------------------------===//

/// The axis of one tile dimension. Indices are unsigned, and no arithmetic wraps.
static Axis axisOf(const TensorView &view, const tile::DimensionRule &rule, int64_t tileExtent,
                   const Tile &index) {
  Axis axis{tileExtent, view.extents[rule.tensorDim].bits, view.strides[rule.tensorDim].bits, 0};
  if (rule.isSparse)
    axis.sparse = &index;
  else
    axis.first = Offset(index.scalar().bits) * rule.step;
  return axis;
}

/// Reports an index outside the index space. A sparse index may lie outside (types, 5.3).
static void checkIndex(TileBlock &block, mlir::Operation *op, const TensorView &view, size_t dim,
                       const tile::DimensionRule &rule, const Tile &index) {
  if (rule.isSparse)
    return;
  uint64_t count = rule.indexCount(view.extents[rule.tensorDim].bits);
  if (index.scalar().bits >= count)
    block.reportOnce(Check::IndexSpace, op,
                     "index " + Twine(dim) + " is " + Twine(index.scalar().bits) +
                         ", but the view has only " + Twine(count) + " along this dimension");
}

/// Reports the first coordinate outside the tensor in a dimension for which the program claims that
/// there is none (13.4, section 6). The access is masked nevertheless.
static void checkInbounds(TileBlock &block, mlir::Operation *op, size_t dim,
                          const tile::DimensionRule &rule, const Axis &axis) {
  for (int64_t at = 0; at < axis.tileExtent; ++at)
    if (!axis.isInside(at)) {
      block.reportOnce(Check::Assumption, op,
                       "the assumption 'inbounds' is false for index " + Twine(dim) +
                           ": coordinate " + numberText(axis.coordinate(at)) + " along dimension " +
                           Twine(rule.tensorDim) + " of the tensor, whose extent is " +
                           Twine(axis.extent));
      return;
    }
}

namespace {
/// Visits the elements of a tile in row-major order and collects segments.
class SegmentFinder {
public:
  SegmentFinder(const TensorView &view, Format format, std::vector<Segment> &segments,
                llvm::function_ref<void(int64_t, int64_t)> outside)
      : base(view.base.bits), format(format), bits(numerics::info(format).storageBits),
        segments(segments), outside(outside) {}

  /// `offset` is the sum over the dimensions visited so far.
  void visit(ArrayRef<Axis> axes, uint64_t offset) {
    if (axes.empty())
      return add(offset, 1);
    const Axis &axis = axes.front();
    if (axes.size() == 1 && !axis.sparse)
      return visitRow(axis, offset);
    int64_t inner = 1;
    for (const Axis &other : axes.drop_front())
      inner *= other.tileExtent;
    for (int64_t at = 0; at < axis.tileExtent; ++at) {
      if (axis.isInside(at))
        visit(axes.drop_front(), offset + uint64_t(axis.coordinate(at)) * axis.stride);
      else
        skip(inner);
    }
  }

private:
  /// Visits the innermost dimension, which is contiguous if its stride is 1.
  void visitRow(const Axis &axis, uint64_t offset) {
    int64_t inside = axis.insideCount();
    offset += uint64_t(axis.first) * axis.stride;
    if (axis.stride == 1 && bits >= 8 && inside)
      add(offset, inside);
    else
      for (int64_t at = 0; at < inside; ++at)
        add(offset + at * axis.stride, 1);
    if (inside < axis.tileExtent)
      skip(axis.tileExtent - inside);
  }

  void add(uint64_t offset, int64_t count) {
    uint64_t address = base + uint64_t(Offset(offset) * bits / 8);
    if (!segments.empty()) {
      Segment &last = segments.back();
      // Rows may be adjacent in memory.
      if (last.element + last.count == next && last.at(last.count).address == address &&
          bits >= 8) {
        last.count += count;
        next += count;
        return;
      }
    }
    segments.push_back({next, count, Place{address, format, offset * bits % 8 != 0}});
    next += count;
  }

  void skip(int64_t count) {
    outside(next, count);
    next += count;
  }

  uint64_t base;
  Format format;
  unsigned bits;
  std::vector<Segment> &segments;
  llvm::function_ref<void(int64_t, int64_t)> outside;
  int64_t next = 0;
};
} // namespace

/// Whether every element has a valid address.
static bool areAddressable(ArrayRef<Axis> axes, uint64_t base, unsigned bits) {
  Offset largest = 0;
  for (const Axis &axis : axes)
    largest = sum(largest, axis.largestOffset());
  return largest < offsetLimit && base + largest * bits / 8 <= ~uint64_t(0);
}

/// The first element in row-major order without a valid address; none if all inside elements have
/// one.
static std::optional<int64_t> firstWithoutAddress(ArrayRef<Axis> axes, Offset offset, uint64_t base,
                                                  unsigned bits, int64_t element = 0) {
  if (axes.empty())
    return offset >= offsetLimit || base + offset * bits / 8 > ~uint64_t(0) ? std::optional(element)
                                                                            : std::nullopt;
  for (int64_t at = 0; at < axes.front().tileExtent; ++at) {
    if (!axes.front().isInside(at))
      continue;
    Offset inner = sum(offset, axes.front().coordinate(at) * axes.front().stride);
    int64_t index = element * axes.front().tileExtent + at;
    if (auto found = firstWithoutAddress(axes.drop_front(), inner, base, bits, index))
      return found;
  }
  return std::nullopt;
}

/// Reports repeated rows of a scatter, whose contents are undefined (types, 5.3).
static void checkDistinct(TileBlock &block, mlir::Operation *op, const Tile &index,
                          uint64_t extent) {
  // Any number may be a row, but llvm::DenseMap reserves two keys.
  std::unordered_map<uint64_t, int64_t> rows;
  for (int64_t i = 0; i < index.size(); ++i) {
    uint64_t row = index[i].bits;
    // Rows outside the tensor are not written (types, 5.3).
    if (row >= extent)
      continue;
    auto [first, isNew] = rows.try_emplace(row, i);
    if (!isNew) {
      block.reportOnce(Check::Scatter, op,
                       "the sparse index has " + Twine(row) + " at " +
                           support::coordinateText(index.shape(), first->second) +
                           " and again at " + support::coordinateText(index.shape(), i));
      return;
    }
  }
}

/// The undefined part of a view: `the base`, `extent 1`, `stride 0`.
static std::string undefinedPart(const TensorView &view) {
  if (view.base.poison)
    return "the base";
  for (size_t dim = 0; dim < view.extents.size(); ++dim)
    if (view.extents[dim].poison || view.strides[dim].poison)
      return (view.extents[dim].poison ? "extent " : "stride ") + std::to_string(dim);
  llvm_unreachable("a part of the view is undefined");
}

LogicalResult reference::findSegments(TileBlock &block, mlir::Operation *op,
                                      mlir::TypedValue<tile::TileView> viewValue,
                                      mlir::OperandRange indices, ArrayRef<bool> inbounds,
                                      std::vector<Segment> &segments,
                                      llvm::function_ref<void(int64_t, int64_t)> outside) {
  tile::TileView type = viewValue.getType();
  const TensorView &view = block.view(viewValue);
  if (view.anyPoison() &&
      !block.reportFatal(Check::Undefined, op, undefinedPart(view) + " of the view is undefined"))
    return llvm::failure();

  ArrayRef<int32_t> tileShape = type.getTileShape();
  SmallVector<Axis, 4> axes;
  for (auto [dim, rule] : llvm::enumerate(tile::rulesOf(type))) {
    if (llvm::failed(requireDefined(block, op, indices[dim], "index " + Twine(dim))))
      return llvm::failure();
    const Tile &index = block.tile(indices[dim]);
    checkIndex(block, op, view, dim, rule, index);
    if (rule.isSparse && llvm::isa<tile::StoreViewOp>(op))
      checkDistinct(block, op, index, view.extents[rule.tensorDim].bits);
    axes.push_back(axisOf(view, rule, tileShape[dim], index));
    if (!inbounds.empty() && inbounds[dim])
      checkInbounds(block, op, dim, rule, axes.back());
  }

  Format format = *tile::formatOf(type.getTensorView().getElementType());
  unsigned bits = numerics::info(format).storageBits;
  if (!areAddressable(axes, view.base.bits, bits))
    if (auto element = firstWithoutAddress(axes, 0, view.base.bits, bits)) {
      SmallVector<int64_t> shape(tileShape);
      // The access cannot continue without a valid address.
      Finding finding = block.finding(FindingKind::Misbehaviour, op,
                                      nameOf(op) + ": " + elementPrefix(shape, *element) +
                                          "the offset from the base is too large");
      finding.rule = &ruleOf(Check::Bounds);
      block.add(std::move(finding));
      return llvm::failure();
    }
  SegmentFinder(view, format, segments, outside).visit(axes, 0);
  return llvm::success();
}

//===-- Operations --------------------------------------------------------===//

std::string reference::outsideText(const TileBlock &block, tile::LoadViewOp op, int64_t element) {
  tile::TileView type = op.getView().getType();
  llvm::StringRef lacking = tile::lackingForPadding(type);
  if (tile::paddingOf(type) && lacking.empty())
    return "";
  const TensorView &view = block.view(op.getView());
  SmallVector<int64_t> shape(type.getTileShape());
  auto place = support::coordinatesOf<SmallVector<int64_t>>(shape, element);
  for (auto [dim, rule, at] : llvm::enumerate(tile::rulesOf(type), place)) {
    auto *index = std::get_if<Tile>(&block.get(op.getIndex()[dim]));
    if (!index)
      return "";
    Axis axis = axisOf(view, rule, shape[dim], *index);
    if (!axis.isInside(at))
      return "outside of the tensor, at " + numberText(axis.coordinate(at)) + " of " +
             std::to_string(axis.extent) + " along dimension " + std::to_string(rule.tensorDim) +
             (lacking.empty() ? ", and the view has no padding value"
                              : ", and the format has no " + lacking.str() + " to pad with");
  }
  return "";
}

using ViewValue = mlir::TypedValue<tile::TileView>;

template <typename Op> static LogicalResult load(TileBlock &block, Op op, ViewValue view) {
  mlir::Value loaded = op.getLoaded();
  // Elements outside the tensor have no value if the view has no padding (operations, 8.1).
  std::optional<Element> padding = tile::paddingOf(view.getType());
  Mark mark = tile::lackingForPadding(view.getType()).empty() ? Mark::None : Mark::Unspecified;
  Tile result(llvm::cast<tile::TileType>(loaded.getType()));
  MemoryOperation load{op, Effect::Load, semanticsOf(op), block.token(op.getToken())};
  if constexpr (std::is_same_v<Op, tile::MultimemLoadReduceViewOp>) {
    load.reducesCopies = true;
    load.mode =
        tile::atomicModeOf(op.getReduction(), view.getType().getTensorView().getElementType());
  }
  auto pad = [&](int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i)
      padding ? result.set(i, *padding, mark) : block.setUnspecified(result, i);
  };
  if (llvm::failed(
          findSegments(block, op, view, op.getIndex(), op.getInbounds(), load.segments, pad)))
    return llvm::failure();
  load.result = std::move(result);
  return issue(block, std::move(load), loaded, op.getResultToken());
}

template <typename Op> static LogicalResult store(TileBlock &block, Op op, ViewValue view) {
  MemoryOperation store{op, Effect::Store, semanticsOf(op), block.token(op.getToken())};
  store.operand = block.tile(op.getTile());
  if (llvm::failed(findSegments(block, op, view, op.getIndex(), op.getInbounds(), store.segments,
                                [](int64_t, int64_t) {})))
    return llvm::failure();
  return issue(block, std::move(store), nullptr, op.getResultToken());
}

static LogicalResult execute(TileBlock &block, tile::LoadViewOp op) {
  return load(block, op, op.getView());
}

static LogicalResult execute(TileBlock &block, tile::StoreViewOp op) {
  return store(block, op, op.getView());
}

static LogicalResult execute(TileBlock &block, tile::MultimemLoadReduceViewOp op) {
  return load(block, op, llvm::cast<ViewValue>(op.getAddressed()));
}

static LogicalResult execute(TileBlock &block, tile::MultimemStoreViewOp op) {
  return store(block, op, llvm::cast<ViewValue>(op.getAddressed()));
}

Execute reference::viewAccessExecutor(mlir::Operation *op) {
  return firstOf<tile::MakeTensorViewOp, tile::MakePartitionViewOp, tile::MakeStridedViewOp,
                 tile::MakeGatherScatterViewOp, tile::GetIndexSpaceShapeOp, tile::GetTensorShapeOp,
                 tile::LoadViewOp, tile::StoreViewOp, tile::MultimemLoadReduceViewOp,
                 tile::MultimemStoreViewOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
