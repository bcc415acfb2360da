// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and rules of views: creating, querying and accessing them (operations, 8).

#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/ops/Memory.h"
#include "tilewright/tile/text/Assembly.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- make_tensor_view -----------------------------------------------------------------===//

namespace {
/// One size list of `make_tensor_view`: literals, and a marker for each operand.
struct SizeList {
  SmallVector<int64_t> sizes;
  SmallVector<UnresolvedOperand> operands;
  SMLoc loc;
};
} // namespace

/// `shape = [64, %n]`
static ParseResult parseSizeList(OpAsmParser &parser, StringRef keyword, SizeList &list) {
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  list.loc = parser.getCurrentLocation();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
    UnresolvedOperand operand;
    OptionalParseResult value = parser.parseOptionalOperand(operand);
    if (value.has_value()) {
      list.operands.push_back(operand);
      list.sizes.push_back(ShapedType::kDynamic);
      return *value;
    }
    SMLoc loc = parser.getCurrentLocation();
    OptionalParseResult literal = parser.parseOptionalInteger(list.sizes.emplace_back());
    if (!literal.has_value())
      return parser.emitError(loc) << "expected either integer or SSA value";
    return *literal;
  });
}

/// Checks that the list matches the type: literals equal static sizes, operands stand for `?`.
static ParseResult checkSizes(OpAsmParser &parser, const SizeList &list, ArrayRef<int64_t> expected,
                              StringRef name) {
  if (list.sizes.size() != expected.size())
    return parser.emitError(list.loc)
           << "expected " << name << " declaration to contain " << expected.size()
           << " elements due to tensor_view type, but " << list.sizes.size() << " were provided";
  auto spelled = [](int64_t size) {
    return ShapedType::isDynamic(size) ? std::string("dynamic") : std::to_string(size);
  };
  for (auto [dim, written, typed] : llvm::enumerate(list.sizes, expected))
    if (written != typed)
      return parser.emitError(list.loc) << "input " << name << " dimension " << dim
                                        << " does not match tensor_view type (expected "
                                        << spelled(typed) << ", got " << spelled(written) << ")";
  return success();
}

/// `TYPE`, `SIZE -> TYPE` or, for pointers with an attribute (13.4), `BASE[, SIZE] -> TYPE`.
static ParseResult parseViewTypes(OpAsmParser &parser, bool isDynamic, Type &base, Type &size,
                                  Type &result) {
  Type first;
  if (parseShortType(parser, first))
    return failure();
  auto tile = dyn_cast<TileType>(first);
  if (tile && isa<PointerType>(tile.getElementType())) {
    base = first;
    if (isDynamic && (parser.parseComma() || parseShortType(parser, size)))
      return failure();
    return failure(parser.parseArrow() || parseShortType(parser, result));
  }
  if (!isDynamic) {
    result = first;
    return success();
  }
  size = first;
  return failure(parser.parseArrow() || parseShortType(parser, result));
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser, OperationState &result) {
  UnresolvedOperand base;
  SizeList shape, strides;
  Type baseType, sizeType, resultType;
  SMLoc baseLoc = parser.getCurrentLocation();
  if (parser.parseOperand(base) || parser.parseComma() || parseSizeList(parser, "shape", shape) ||
      parser.parseComma() || parseSizeList(parser, "strides", strides) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  bool isDynamic = !shape.operands.empty() || !strides.operands.empty();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parseViewTypes(parser, isDynamic, baseType, sizeType, resultType))
    return failure();
  auto view = dyn_cast<TensorViewType>(resultType);
  if (!view)
    return parser.emitError(typeLoc) << "expected tensor_view, got " << resultType;
  if (checkSizes(parser, shape, view.getShape(), "shape") ||
      checkSizes(parser, strides, view.getStrides(), "stride"))
    return failure();

  if (!baseType)
    baseType = TileType::get({}, PointerType::get(view.getElementType(), view.getAttribute()));
  if (parser.resolveOperands(ArrayRef(base), ArrayRef(baseType), baseLoc, result.operands) ||
      parser.resolveOperands(shape.operands, sizeType, result.operands) ||
      parser.resolveOperands(strides.operands, sizeType, result.operands))
    return failure();
  result.addTypes(view);
  llvm::copy(
      ArrayRef<int32_t>({1, int32_t(shape.operands.size()), int32_t(strides.operands.size())}),
      result.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  return success();
}

static void printSizeList(OpAsmPrinter &printer, StringRef keyword, ArrayRef<int64_t> sizes,
                          OperandRange operands) {
  printer << ", " << keyword << " = [";
  auto operand = operands.begin();
  llvm::interleaveComma(sizes, printer, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      printer << *operand++;
    else
      printer << size;
  });
  printer << "]";
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  printer << " " << getBase();
  printSizeList(printer, "shape", getType().getShape(), getDynamicShape());
  printSizeList(printer, "strides", getType().getStrides(), getDynamicStrides());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : ";
  SmallVector<Type, 2> types;
  if (getType().getAttribute())
    types.push_back(getBase().getType());
  if (getNumOperands() > 1)
    types.push_back(getOperand(1).getType());
  printTileTypes(printer, *this, types);
  if (!types.empty())
    printer << " -> ";
  printShortType(printer, getType());
}

/// "attribute 'multicast'", or "no attribute".
static std::string attributeInWords(PointerAttributeAttr attribute) {
  if (!attribute)
    return "no attribute";
  return ("attribute '" + stringifyPointerAttribute(attribute.getValue()) + "'").str();
}

LogicalResult MakeTensorViewOp::verify() {
  auto pointer = cast<PointerType>(getBase().getType().getElementType());
  if (pointer.getPointeeType() != getType().getElementType())
    return emitOpError() << "expected pointer to " << getType().getElementType()
                         << " to build tensor_view of this type, got " << pointer.getPointeeType();
  if (pointer.getAttribute() != getType().getAttribute())
    return emitOpError() << "expected the base to have the attribute of the tensor_view, "
                         << attributeInWords(getType().getAttribute()) << ", got "
                         << attributeInWords(pointer.getAttribute());
  if (int64_t(getDynamicShape().size()) != getType().getNumDynamicExtents())
    return emitOpError() << "expected " << getType().getNumDynamicExtents()
                         << " dynamic shape operands, got " << getDynamicShape().size();
  if (int64_t(getDynamicStrides().size()) != getType().getNumDynamicStrides())
    return emitOpError() << "expected " << getType().getNumDynamicStrides()
                         << " dynamic stride operands, got " << getDynamicStrides().size();
  if (!llvm::all_equal(getOperands().drop_front().getTypes()))
    return emitOpError() << "expected all dynamic shape and stride operands to have the same type";
  return success();
}

//===-- get_tensor_shape, get_index_space_shape -------------------------------------------===//

/// `%src : VIEW -> tile<INT>`: the type is written once, whatever the number of results.
static ParseResult parseShapeQuery(OpAsmParser &parser, OperationState &result,
                                   function_ref<std::optional<int64_t>(Type)> rankOf,
                                   StringRef expected) {
  UnresolvedOperand source;
  Type sourceType, resultType;
  if (parser.parseOperand(source) || parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parseShortType(parser, sourceType))
    return failure();
  std::optional<int64_t> rank = rankOf(sourceType);
  if (!rank)
    return parser.emitError(typeLoc) << "expected " << expected << ", got " << sourceType;
  if (parser.parseArrow() || parseShortType(parser, resultType) ||
      parser.resolveOperand(source, sourceType, result.operands))
    return failure();
  result.types.append(*rank, resultType);
  return success();
}

static void printShapeQuery(OpAsmPrinter &printer, Operation *op) {
  printer << " " << op->getOperand(0) << " : ";
  printShortType(printer, op->getOperand(0).getType());
  printer << " -> ";
  // With rank 0 there is no result to take the type from; any type parses.
  Type i32 = TileType::get({}, IntegerType::get(op->getContext(), 32));
  printShortType(printer, op->getNumResults() ? op->getResult(0).getType() : i32);
}

static LogicalResult verifyShapeQuery(Operation *op, int64_t rank, StringRef what) {
  if (op->getNumResults() != rank)
    return op->emitOpError() << "expected " << rank << " results due to " << what
                             << " rank, but got " << op->getNumResults();
  if (!llvm::all_equal(op->getResultTypes()))
    return op->emitOpError() << "expected all results to have the same type";
  return success();
}

ParseResult GetTensorShapeOp::parse(OpAsmParser &parser, OperationState &result) {
  auto rankOf = [](Type type) -> std::optional<int64_t> {
    auto view = dyn_cast<TensorViewType>(type);
    return view ? std::optional(view.getRank()) : std::nullopt;
  };
  return parseShapeQuery(parser, result, rankOf, "tensor_view");
}

void GetTensorShapeOp::print(OpAsmPrinter &printer) { printShapeQuery(printer, *this); }

LogicalResult GetTensorShapeOp::verify() {
  return verifyShapeQuery(*this, getSrc().getType().getRank(), "tensor");
}

ParseResult GetIndexSpaceShapeOp::parse(OpAsmParser &parser, OperationState &result) {
  auto rankOf = [](Type type) -> std::optional<int64_t> {
    auto view = dyn_cast<TileView>(type);
    return view ? std::optional(view.getIndexRank()) : std::nullopt;
  };
  return parseShapeQuery(parser, result, rankOf, "tile view");
}

void GetIndexSpaceShapeOp::print(OpAsmPrinter &printer) { printShapeQuery(printer, *this); }

LogicalResult GetIndexSpaceShapeOp::verify() {
  return verifyShapeQuery(*this, cast<TileView>(getSrc().getType()).getIndexRank(),
                          "view index space");
}

//===-- Accesses ---------------------------------------------------------------------------===//

LogicalResult tile::verifyInbounds(Operation *op, DenseBoolArrayAttr inbounds, size_t indices) {
  if (!inbounds || size_t(inbounds.size()) == indices)
    return success();
  return op->emitOpError() << "expected 'inbounds' to have one entry for each of the " << indices
                           << " indices, got " << inbounds.size();
}

LogicalResult tile::verifyNotMulticast(Operation *op, PointerAttributeAttr attribute) {
  if (!attribute || attribute.getValue() != PointerAttribute::Multicast)
    return success();
  return op->emitOpError() << "cannot access memory through a multicast address: only the multimem "
                              "operations can";
}

static LogicalResult verifyViewAccess(Operation *op, TileView view, TypeRange indices,
                                      TileType tile, DenseBoolArrayAttr inbounds) {
  if (failed(view.verifyIndices(indices, [&] { return op->emitOpError(); })) ||
      failed(verifyInbounds(op, inbounds, indices.size())))
    return failure();
  if (view.getTileType() != tile)
    return op->emitOpError() << "expected tile type to be " << view.getTileType()
                             << " (based on view type), got " << tile;
  return success();
}

/// Warns if the format cannot represent the padding value, which the public tools accept. Warns
/// once per view, and only if it is loaded from.
static void warnOfPadding(Operation *load, Value view) {
  auto type = cast<TileView>(view.getType());
  StringRef lacking = lackingForPadding(type);
  if (lacking.empty() ||
      load != *llvm::find_if(view.getUsers(), llvm::IsaPred<LoadViewOp, MultimemLoadReduceViewOp>))
    return;
  // The warning has no operation: printing the operation would verify it again.
  mlir::emitWarning(view.getLoc())
      << "padding_value " << stringifyPaddingValue(type.getPaddingValue().getValue())
      << " is unspecified, because "
      << numerics::info(*formatOf(type.getTensorView().getElementType())).spelling << " has no "
      << lacking;
}

LogicalResult LoadViewOp::verify() {
  auto view = cast<TileView>(getView().getType());
  if (failed(verifyLoadOrdering(*this, getMemoryOrderingSemantics(), getMemoryScope())) ||
      failed(verifyNotMulticast(*this, view.getTensorView().getAttribute())) ||
      failed(verifyViewAccess(*this, view, getIndex().getTypes(), getTile().getType(),
                              getInboundsAttr())))
    return failure();
  warnOfPadding(*this, getView());
  return verifyHints(*this, getOptimizationHintsAttr());
}

LogicalResult StoreViewOp::verify() {
  auto view = cast<TileView>(getView().getType());
  if (failed(verifyStoreOrdering(*this, getMemoryOrderingSemantics(), getMemoryScope())) ||
      failed(verifyNotMulticast(*this, view.getTensorView().getAttribute())) ||
      failed(verifyViewAccess(*this, view, getIndex().getTypes(), getTile().getType(),
                              getInboundsAttr())))
    return failure();
  return verifyHints(*this, getOptimizationHintsAttr());
}

//===-- Multicast (13.5, section 9.2) -------------------------------------------------------===//

/// Views of f16 and bf16 must have exactly one dimension that is statically contiguous (13.5,
/// section 14).
static LogicalResult verifyUnitStride(Operation *op, TensorViewType view) {
  if (view.getElementType().getIntOrFloatBitWidth() != 16 || llvm::count(view.getStrides(), 1) == 1)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "expected exactly one stride that is statically 1, as "
                                  << view.getElementType() << " needs, but got strides [";
  llvm::interleaveComma(view.getStrides(), diagnostic, [&](int64_t stride) {
    if (ShapedType::isDynamic(stride))
      diagnostic << "?";
    else
      diagnostic << stride;
  });
  return diagnostic << "]";
}

static LogicalResult verifyMultimem(Operation *op, PartitionViewType view, TypeRange indices,
                                    TileType tile, DenseBoolArrayAttr inbounds) {
  PointerAttributeAttr attribute = view.getTensorView().getAttribute();
  if (!attribute || attribute.getValue() != PointerAttribute::Multicast)
    return op->emitOpError() << "expected a view of a tensor_view with attribute 'multicast', got "
                             << attributeInWords(attribute);
  Type element = tile.getElementType();
  bool isInteger = element.isInteger(32) || element.isInteger(64);
  if (!isInteger && !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return op->emitOpError() << "works only on i32, i64, f16, bf16, f32 and f64, but not on "
                             << element;
  if (failed(verifyUnitStride(op, view.getTensorView())))
    return failure();
  return verifyViewAccess(op, view, indices, tile, inbounds);
}

/// Integers support all kinds, floats `add`, and f16 and bf16 also `min` and `max` if
/// `hasExtremes`.
static LogicalResult verifyReduction(Operation *op, MultimemReductionKind kind, Type element,
                                     bool hasExtremes) {
  if (element.isInteger() || kind == MultimemReductionKind::Add)
    return success();
  bool isExtreme = kind == MultimemReductionKind::Min || kind == MultimemReductionKind::Max;
  bool is16Bits = isa<Float16Type, BFloat16Type>(element);
  if (isExtreme && is16Bits && hasExtremes)
    return success();
  return op->emitOpError() << "reduction '" << stringifyMultimemReductionKind(kind)
                           << "' does not work on " << element << "; supported: "
                           << (is16Bits && hasExtremes ? "add, min, max" : "add");
}

LogicalResult MultimemLoadReduceViewOp::verify() {
  TileType tile = getReducedValues().getType();
  if (failed(verifyLoadOrdering(*this, getMemoryOrderingSemantics(), getMemoryScope())) ||
      failed(verifyMultimem(*this, getView().getType(), getIndex().getTypes(), tile,
                            getInboundsAttr())))
    return failure();
  warnOfPadding(*this, getView());
  return verifyReduction(*this, getReduction(), tile.getElementType(), /*hasExtremes=*/true);
}

LogicalResult MultimemReduceViewOp::verify() {
  TileType tile = getTile().getType();
  MemoryOrderingSemantics ordering = getMemoryOrderingSemantics();
  if (ordering != MemoryOrderingSemantics::Relaxed && ordering != MemoryOrderingSemantics::Release)
    return emitOpError() << "expect one of: relaxed, or release, but got: "
                         << stringifyMemoryOrderingSemantics(ordering);
  if (failed(verifyMultimem(*this, getView().getType(), getIndex().getTypes(), tile,
                            getInboundsAttr())))
    return failure();
  return verifyReduction(*this, getReduction(), tile.getElementType(), /*hasExtremes=*/false);
}

LogicalResult MultimemStoreViewOp::verify() {
  if (failed(verifyStoreOrdering(*this, getMemoryOrderingSemantics(), getMemoryScope())))
    return failure();
  return verifyMultimem(*this, getView().getType(), getIndex().getTypes(), getTile().getType(),
                        getInboundsAttr());
}

//===-- Names in printed text (textual format, 12.2) ---------------------------------------===//

void MakeTensorViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "tview");
}

void MakePartitionViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pview");
}

void MakeStridedViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "sview");
}

void MakeGatherScatterViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "gsview");
}

void LoadViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getTile(), "tile");
  setName(getResultToken(), "result_token");
}
