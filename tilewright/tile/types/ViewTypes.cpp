// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules and text of partition, strided and gather/scatter views, and the indices that they accept.
// All three are a tensor view plus a rule that maps an index to a tile (types, 4.4 to 4.7, 4.11).

#include "tilewright/tile/types/Types.h"

#include "mlir/IR/Builders.h"
#include <cstring>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

using EmitError = function_ref<InFlightDiagnostic()>;

static constexpr int64_t maxInt32 = std::numeric_limits<int32_t>::max();

TensorViewType TileView::getTensorView() { return cast<TensorViewType>(getTensorViewType()); }

int64_t TileView::getIndexRank() { return getTileShape().size(); }

TileType TileView::getTileType() {
  SmallVector<int64_t> shape(getTileShape().begin(), getTileShape().end());
  return TileType::get(shape, getTensorView().getElementType());
}

//===-- Rules, in the order of types, 4.4 ----------------------------------------------===//

static LogicalResult verifyRank(EmitError emitError, ArrayRef<int32_t> tileShape,
                                TensorViewType tensorView) {
  if (tileShape.empty())
    return emitError() << "0-dimension tile shape is not supported";
  if (tensorView.getRank() != int64_t(tileShape.size()))
    return emitError() << "expected tensor_view rank and tile rank to match, got tensor_view of "
                          "rank "
                       << tensorView.getRank() << " and tiles of rank " << tileShape.size();
  return success();
}

static LogicalResult verifyDimMapLength(EmitError emitError, ArrayRef<int32_t> dimMap,
                                        size_t rank) {
  if (dimMap.size() == rank)
    return success();
  return emitError() << "expected dim_map to map exactly all " << rank
                     << " dimensions of the tile, got " << dimMap.size() << " mappings";
}

static LogicalResult verifyTileExtents(EmitError emitError, ArrayRef<int32_t> tileShape) {
  if (llvm::any_of(tileShape, [](int32_t extent) { return extent <= 0; }))
    return emitError() << "tile shape dimensions must have positive length but got [" << tileShape
                       << "]";
  if (!llvm::all_of(tileShape, [](int32_t extent) { return llvm::isPowerOf2_32(extent); }))
    return emitError() << "tile shape dimensions must have power of two length but got ["
                       << tileShape << "]";
  return success();
}

static LogicalResult verifyDimMap(EmitError emitError, ArrayRef<int32_t> dimMap, int64_t rank) {
  for (auto [tileDim, target] : llvm::enumerate(dimMap)) {
    if (target < 0)
      return emitError() << "target dimension must not be negative, got " << target;
    if (target >= rank)
      return emitError() << "target dimension is outside of tensor view dimensions, expected "
                            "strictly less than "
                         << rank << ", got " << target;
    const int32_t *earlier = llvm::find(dimMap.take_front(tileDim), target);
    if (earlier != dimMap.begin() + tileDim)
      return emitError() << "target dimension " << target
                         << " mapped at least twice (for tile dimensions "
                         << (earlier - dimMap.begin()) << " and " << tileDim << ")";
  }
  return success();
}

static LogicalResult verifyTileAndPadding(EmitError emitError, ArrayRef<int32_t> tileShape,
                                          TensorViewType tensorView, PaddingValueAttr padding) {
  Type elementType = tensorView.getElementType();
  SmallVector<int64_t> shape(tileShape.begin(), tileShape.end());
  if (failed(TileType::verify(emitError, shape, elementType)))
    return failure();
  if (padding && padding.getValue() != PaddingValue::Zero && !isa<FloatType>(elementType))
    return emitError() << "padding_value " << stringifyPaddingValue(padding.getValue())
                       << " can only be used with floating point element types, got "
                       << elementType;
  return success();
}

static LogicalResult verifyGrid(EmitError emitError, ArrayRef<int32_t> tileShape,
                                TensorViewType tensorView, ArrayRef<int32_t> dimMap,
                                PaddingValueAttr padding) {
  return success(succeeded(verifyRank(emitError, tileShape, tensorView)) &&
                 succeeded(verifyDimMapLength(emitError, dimMap, tileShape.size())) &&
                 succeeded(verifyTileExtents(emitError, tileShape)) &&
                 succeeded(verifyDimMap(emitError, dimMap, tensorView.getRank())) &&
                 succeeded(verifyTileAndPadding(emitError, tileShape, tensorView, padding)));
}

LogicalResult PartitionViewType::verify(EmitError emitError, ArrayRef<int32_t> tileShape,
                                        TensorViewType tensorView, ArrayRef<int32_t> dimMap,
                                        PaddingValueAttr padding) {
  return verifyGrid(emitError, tileShape, tensorView, dimMap, padding);
}

LogicalResult StridedViewType::verify(EmitError emitError, ArrayRef<int32_t> tileShape,
                                      ArrayRef<int32_t> traversalStrides, TensorViewType tensorView,
                                      ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  if (failed(verifyGrid(emitError, tileShape, tensorView, dimMap, padding)))
    return failure();
  if (traversalStrides.size() != tileShape.size())
    return emitError() << "expected " << tileShape.size() << " traversal strides, got "
                       << traversalStrides.size();
  if (llvm::any_of(traversalStrides, [](int32_t stride) { return stride <= 0; }))
    return emitError() << "traversal strides must be strictly positive but got ["
                       << traversalStrides << "]";
  return success();
}

LogicalResult GatherScatterViewType::verify(EmitError emitError, ArrayRef<int32_t> tileShape,
                                            TensorViewType tensorView, uint32_t sparseDim,
                                            PaddingValueAttr padding) {
  if (failed(verifyRank(emitError, tileShape, tensorView)) ||
      failed(verifyTileExtents(emitError, tileShape)))
    return failure();
  if (sparseDim >= tensorView.getRank())
    return emitError() << "gather dimension is outside of tensor view dimensions, expected "
                          "strictly less than "
                       << tensorView.getRank() << ", got " << sparseDim;
  return verifyTileAndPadding(emitError, tileShape, tensorView, padding);
}

//===-- Index operands (types, 4.11) ---------------------------------------------------===//

static bool isIntTile(Type type, int64_t rank) {
  auto tile = dyn_cast<TileType>(type);
  return tile && tile.getRank() == rank && tile.getElementType().isSignlessInteger() &&
         !tile.getElementType().isInteger(4);
}

static LogicalResult verifyIndexCount(EmitError emitError, TypeRange indices, size_t rank) {
  if (indices.size() == rank)
    return success();
  return emitError() << "expected " << rank << " index operands (based on view type), got "
                     << indices.size();
}

/// Partition and strided views: scalars of one type.
static LogicalResult verifyScalarIndices(EmitError emitError, TypeRange indices, size_t rank) {
  if (failed(verifyIndexCount(emitError, indices, rank)))
    return failure();
  for (auto [i, type] : llvm::enumerate(indices)) {
    if (!isIntTile(type, 0))
      return emitError() << "expected index type to be a scalar tile, got " << type;
    if (type != indices.front())
      return emitError() << "expected index type " << i << " to be the same as other index types ("
                         << indices.front() << "), got " << type;
  }
  return success();
}

LogicalResult PartitionViewType::verifyIndices(TypeRange indices, EmitError emitError) const {
  return verifyScalarIndices(emitError, indices, getTileShape().size());
}

LogicalResult StridedViewType::verifyIndices(TypeRange indices, EmitError emitError) const {
  return verifyScalarIndices(emitError, indices, getTileShape().size());
}

/// The index along the sparse dimension is a list of coordinates.
static LogicalResult verifySparseIndex(EmitError emitError, Type type, uint32_t dim,
                                       int64_t extent) {
  auto tile = dyn_cast<TileType>(type);
  if (!tile || !isIntTile(type, 1))
    return emitError() << "expected index at sparse_dim position " << dim
                       << " to be a 1D tensor for GatherScatterView, got rank "
                       << (tile ? tile.getRank() : 0);
  if (tile.getDimSize(0) != extent)
    return emitError() << "expected gather/scatter index size (" << tile.getDimSize(0)
                       << ") to match tile shape at gather/scatter dimension " << dim << " ("
                       << extent << ")";
  return success();
}

LogicalResult GatherScatterViewType::verifyIndices(TypeRange indices, EmitError emitError) const {
  if (failed(verifyIndexCount(emitError, indices, getTileShape().size())))
    return failure();
  Type scalarType;
  for (auto [i, type] : llvm::enumerate(indices)) {
    if (i == getSparseDim()) {
      if (failed(verifySparseIndex(emitError, type, i, getTileShape()[i])))
        return failure();
      continue;
    }
    if (!isIntTile(type, 0))
      return emitError() << "expected index " << i << " to be a scalar tile for GatherScatterView";
    if (scalarType && type != scalarType)
      return emitError() << "expected scalar index " << i
                         << " to have the same type as other scalar indices (" << scalarType
                         << "), got " << type;
    scalarType = type;
  }
  return success();
}

//===-- Parsing ----------------------------------------------------------------------===//

namespace {
/// The parts in the brackets of any view.
struct ViewParts {
  SmallVector<int32_t> tileShape, traversalStrides, dimMap;
  PaddingValueAttr padding;
  TensorViewType tensorView;
};
} // namespace

/// `tile=(16x8)`
static ParseResult parseTileShape(AsmParser &parser, SmallVectorImpl<int32_t> &tileShape) {
  SMLoc keywordLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("masked"))) {
    InFlightDiagnostic diag = parser.emitError(keywordLoc) << "expected 'tile'";
    diag.attachNote() << "views are no longer marked 'masked': stores never write outside the "
                         "tensor, and 'padding_value = zero' behind the tile shape makes loads "
                         "read zeros there";
    return diag;
  }
  SmallVector<int64_t> shape;
  if (parser.parseKeyword("tile") || parser.parseEqual() || parser.parseLParen())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseRParen())
    return failure();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent <= 0 || extent > maxInt32)
      return parser.emitError(loc)
             << "tile dimension " << dim << " exceeds i32 limitations (got " << extent
             << ", expected strictly positive and less than or equal to " << maxInt32 << ")";
    tileShape.push_back(extent);
  }
  return success();
}

/// `[1, 0]`
static ParseResult parseInt32List(AsmParser &parser, SmallVectorImpl<int32_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

/// `padding_value = zero,`, if it is there.
static ParseResult parsePadding(AsmParser &parser, PaddingValueAttr &padding) {
  if (failed(parser.parseOptionalKeyword("padding_value")))
    return success();
  if (parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<PaddingValue> value = symbolizePaddingValue(word);
  if (!value)
    return parser.emitError(loc) << "invalid padding_value attribute specification. Got \"" << word
                                 << "\" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf";
  padding = PaddingValueAttr::get(parser.getContext(), *value);
  return parser.parseComma();
}

/// Whether the source text continues with `word =`. It ends with a null character.
static bool isFollowedByEqual(const char *text, StringRef word) {
  if (strncmp(text, word.data(), word.size()) != 0)
    return false;
  text += word.size();
  while (*text == ' ')
    ++text;
  return *text == '=';
}

static ParseResult parseTensorView(AsmParser &parser, TensorViewType &tensorView) {
  SMLoc loc = parser.getCurrentLocation();
  // A draft of 13.1 had this keyword before the tensor view.
  if (isFollowedByEqual(loc.getPointer(), "tensor_view")) {
    InFlightDiagnostic diag = parser.emitError(loc) << "expected '<'";
    diag.attachNote() << "there is no keyword before the tensor view: drop 'tensor_view='";
    return diag;
  }
  Type type;
  if (parseShortType(parser, type))
    return failure();
  tensorView = dyn_cast<TensorViewType>(type);
  if (!tensorView)
    return parser.emitError(loc) << "expected 'tensor_view' type, but got " << type;
  return success();
}

/// `, dim_map=[1, 0]`, if it is there; else the identity.
static ParseResult parseDimMap(AsmParser &parser, ViewParts &parts) {
  if (failed(parser.parseOptionalComma())) {
    llvm::append_range(parts.dimMap, llvm::seq<int32_t>(0, parts.tileShape.size()));
    return success();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("padding_value"))) {
    InFlightDiagnostic diag = parser.emitError(loc) << "expected 'dim_map'";
    diag.attachNote() << "'padding_value' stands before the tensor view";
    return diag;
  }
  return failure(parser.parseKeyword("dim_map") || parser.parseEqual() ||
                 parseInt32List(parser, parts.dimMap));
}

Type PartitionViewType::parse(AsmParser &parser) {
  ViewParts parts;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseTileShape(parser, parts.tileShape) || parser.parseComma() ||
      parsePadding(parser, parts.padding) || parseTensorView(parser, parts.tensorView) ||
      parseDimMap(parser, parts) || parser.parseGreater())
    return {};
  return parser.getChecked<PartitionViewType>(loc, parser.getContext(), ArrayRef(parts.tileShape),
                                              parts.tensorView, ArrayRef(parts.dimMap),
                                              parts.padding);
}

Type StridedViewType::parse(AsmParser &parser) {
  ViewParts parts;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseTileShape(parser, parts.tileShape) || parser.parseComma() ||
      parser.parseKeyword("traversal_strides") || parser.parseEqual() ||
      parseInt32List(parser, parts.traversalStrides) || parser.parseComma() ||
      parsePadding(parser, parts.padding) || parseTensorView(parser, parts.tensorView) ||
      parseDimMap(parser, parts) || parser.parseGreater())
    return {};
  return parser.getChecked<StridedViewType>(loc, parser.getContext(), ArrayRef(parts.tileShape),
                                            ArrayRef(parts.traversalStrides), parts.tensorView,
                                            ArrayRef(parts.dimMap), parts.padding);
}

Type GatherScatterViewType::parse(AsmParser &parser) {
  ViewParts parts;
  int64_t sparseDim;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseTileShape(parser, parts.tileShape) || parser.parseComma() ||
      parsePadding(parser, parts.padding) || parseTensorView(parser, parts.tensorView) ||
      parser.parseComma() || parser.parseKeyword("sparse_dim") || parser.parseEqual())
    return {};
  SMLoc dimLoc = parser.getCurrentLocation();
  if (parser.parseInteger(sparseDim))
    return {};
  // Stored in 32 bits: a written -1 becomes 4294967295, which is not a dimension.
  if (sparseDim < std::numeric_limits<int32_t>::min() ||
      sparseDim > int64_t(std::numeric_limits<uint32_t>::max())) {
    parser.emitError(dimLoc) << "sparse_dim does not fit in 32 bits, got " << sparseDim;
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<GatherScatterViewType>(loc, parser.getContext(),
                                                  ArrayRef(parts.tileShape), parts.tensorView,
                                                  uint32_t(sparseDim), parts.padding);
}

//===-- Printing ------------------------------------------------------------------------===//

static void printTileShape(AsmPrinter &printer, ArrayRef<int32_t> tileShape) {
  printer << "<tile=(";
  llvm::interleave(tileShape, printer.getStream(), "x");
  printer << "), ";
}

static void printTensorView(AsmPrinter &printer, PaddingValueAttr padding,
                            TensorViewType tensorView) {
  if (padding)
    printer << "padding_value = " << stringifyPaddingValue(padding.getValue()) << ", ";
  printShortType(printer, tensorView);
}

static void printDimMap(AsmPrinter &printer, ArrayRef<int32_t> dimMap) {
  bool identity = llvm::equal(dimMap, llvm::seq<int32_t>(0, dimMap.size()));
  if (!identity)
    printer << ", dim_map=[" << dimMap << "]";
}

void PartitionViewType::print(AsmPrinter &printer) const {
  printTileShape(printer, getTileShape());
  printTensorView(printer, getPaddingValue(), getTensorView());
  printDimMap(printer, getDimMap());
  printer << ">";
}

void StridedViewType::print(AsmPrinter &printer) const {
  printTileShape(printer, getTileShape());
  printer << "traversal_strides=[";
  llvm::interleave(getTraversalStrides(), printer.getStream(), ",");
  printer << "], ";
  printTensorView(printer, getPaddingValue(), getTensorView());
  printDimMap(printer, getDimMap());
  printer << ">";
}

void GatherScatterViewType::print(AsmPrinter &printer) const {
  printTileShape(printer, getTileShape());
  printTensorView(printer, getPaddingValue(), getTensorView());
  printer << ", sparse_dim=" << getSparseDim() << ">";
}
