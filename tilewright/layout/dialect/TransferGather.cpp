// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `transfer_gather`: its text form, its verifier, and its effects (layouts, 2.5). Where it behaves
// like vector.transfer_read, the checks have the same order and the same messages.

#include "tilewright/layout/dialect/Ops.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace tilewright::layout;

// --- Accessors ------------------------------------------------------------------------

SmallVector<unsigned> TransferGatherOp::getGatheredDims() {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < getIndexed().size(); ++dim)
    if (isGathered(dim))
      dims.push_back(dim);
  return dims;
}

SmallVector<AffineMap> TransferGatherOp::getIndexedMapValues() {
  return llvm::to_vector(getIndexedMaps().getAsValueRange<AffineMapAttr>());
}

SmallVector<int64_t> TransferGatherOp::getSliceShape() {
  AffineMap map = getPermutationMap();
  SmallVector<int64_t> shape(map.getNumDims(), 1);
  for (auto [result, extent] : llvm::zip(map.getResults(), getVectorType().getShape()))
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      shape[dim.getPosition()] = extent;
  return shape;
}

/// Rule 8: every result of the map is a distinct dimension or a broadcast. Returns what is wrong,
/// or an empty string.
static StringRef permutationProblem(AffineMap map) {
  llvm::SmallDenseSet<unsigned> seen;
  for (AffineExpr result : map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(result);
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim && !(constant && constant.getValue() == 0))
      return "requires a projected permutation_map (at most one dim or the zero constant can "
             "appear in each result)";
    if (dim && !seen.insert(dim.getPosition()).second)
      return "requires a permutation_map that is a permutation (found one dim used more than once)";
  }
  return {};
}

// --- Text (2.5.2) ---------------------------------------------------------------------

namespace {

/// The operands between the mnemonic and the attributes.
struct ParsedOperands {
  using Unresolved = OpAsmParser::UnresolvedOperand;
  Unresolved source, padding;
  SmallVector<Unresolved> indices, indexVecs;
  std::optional<Unresolved> mask;
  SmallVector<bool> indexed;
  SmallVector<Type> indexVecTypes;
};

struct ParsedTypes {
  SMLoc loc;
  ShapedType source;
  VectorType vector;
};

} // namespace

/// Parses `None`, or an index vector with its type.
static ParseResult parseGatherEntry(OpAsmParser &parser, ParsedOperands &operands) {
  bool contiguous = succeeded(parser.parseOptionalKeyword("None"));
  operands.indexed.push_back(!contiguous);
  if (contiguous)
    return success();
  OptionalParseResult operand = parser.parseOptionalOperand(operands.indexVecs.emplace_back());
  if (!operand.has_value())
    return parser.emitError(parser.getCurrentLocation(), "expected 'None' or an index vector");
  if (failed(*operand))
    return failure();
  return parser.parseColonType(operands.indexVecTypes.emplace_back());
}

static ParseResult parseOperands(OpAsmParser &parser, ParsedOperands &operands) {
  if (parser.parseOperand(operands.source) ||
      parser.parseOperandList(operands.indices, OpAsmParser::Delimiter::Square) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     [&] { return parseGatherEntry(parser, operands); }) ||
      parser.parseComma() || parser.parseOperand(operands.padding))
    return failure();
  if (failed(parser.parseOptionalComma()))
    return success();
  return parser.parseOperand(operands.mask.emplace());
}

static ParseResult parseTypes(OpAsmParser &parser, ParsedTypes &parsed) {
  parsed.loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseColonTypeList(types))
    return failure();
  if (types.size() != 2)
    return parser.emitError(parsed.loc, "requires two types");
  if (!isa<MemRefType, RankedTensorType>(types[0]))
    return parser.emitError(parsed.loc, "requires memref or ranked tensor type");
  parsed.source = cast<ShapedType>(types[0]);
  parsed.vector = dyn_cast<VectorType>(types[1]);
  if (!parsed.vector)
    return parser.emitError(parsed.loc, "requires vector type");
  return success();
}

/// Rejects attributes that the list in brackets or other parts of the text define.
static ParseResult refuseAttributesOfOtherPlaces(OpAsmParser &parser, SMLoc loc,
                                                 const OperationState &state) {
  static constexpr std::pair<StringLiteral, StringLiteral> places[] = {
      {"indexed", "the list in brackets says which dimensions are gathered"},
      {"gather_dims", "the list in brackets says which dimensions are gathered"},
      {"index_maps", "the maps of index vectors are called 'indexed_maps'"},
      {"operandSegmentSizes", "the operands are counted"},
  };
  for (auto [name, place] : places)
    if (state.attributes.get(name))
      return parser.emitError(loc) << "attribute '" << name << "' is not to be written: " << place;
  return success();
}

/// Takes the permutation map from the attributes, or adds the default one.
static ParseResult completePermutationMap(OpAsmParser &parser, SMLoc attributesLoc,
                                          const ParsedTypes &types, OperationState &state,
                                          AffineMap &map) {
  StringRef name = TransferGatherOp::getPermutationMapAttrName(state.name);
  if (Attribute written = state.attributes.get(name)) {
    auto mapAttr = dyn_cast<AffineMapAttr>(written);
    if (!mapAttr)
      return parser.emitError(attributesLoc, "expected 'permutation_map' to be an affine map");
    map = mapAttr.getValue();
    return success();
  }
  auto element = dyn_cast<VectorType>(types.source.getElementType());
  if (types.source.getRank() < types.vector.getRank() - (element ? element.getRank() : 0))
    return parser.emitError(
        types.loc, "expected a custom permutation_map when rank(source) != rank(destination)");
  map = vector::getTransferMinorIdentityMap(types.source, types.vector);
  state.addAttribute(name, AffineMapAttr::get(map));
  return success();
}

/// The mask type is not written: it follows from the map and the vector.
static ParseResult resolveMask(OpAsmParser &parser, const ParsedOperands &operands,
                               const ParsedTypes &types, AffineMap map, OperationState &state) {
  if (!operands.mask)
    return success();
  SMLoc loc = operands.mask->location;
  if (isa<VectorType>(types.source.getElementType()))
    return parser.emitError(loc, "does not support masks with vector element type");
  if (types.vector.getRank() != map.getNumResults())
    return parser.emitError(types.loc, "expected the same rank for the vector and the results of "
                                       "the permutation map");
  // No mask type can be inferred for other maps.
  if (StringRef problem = permutationProblem(map); !problem.empty())
    return parser.emitError(loc, problem);
  return parser.resolveOperand(*operands.mask, vector::inferTransferOpMaskType(types.vector, map),
                               state.operands);
}

ParseResult TransferGatherOp::parse(OpAsmParser &parser, OperationState &state) {
  ParsedOperands operands;
  ParsedTypes types;
  SMLoc attributesLoc;
  AffineMap map;
  if (parseOperands(parser, operands) || parser.getCurrentLocation(&attributesLoc) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      refuseAttributesOfOtherPlaces(parser, attributesLoc, state) || parseTypes(parser, types) ||
      completePermutationMap(parser, attributesLoc, types, state, map))
    return failure();

  Builder &builder = parser.getBuilder();
  state.addAttribute(getIndexedAttrName(state.name), builder.getBoolArrayAttr(operands.indexed));
  StringAttr inBounds = getInBoundsAttrName(state.name);
  if (!state.attributes.get(inBounds))
    state.addAttribute(inBounds,
                       builder.getBoolArrayAttr(SmallVector<bool>(map.getNumResults(), false)));
  auto count = [](const auto &list) { return static_cast<int32_t>(list.size()); };
  state.addAttribute(
      getOperandSegmentSizeAttr(),
      builder.getDenseI32ArrayAttr(
          {1, count(operands.indices), count(operands.indexVecs), 1, operands.mask.has_value()}));
  if (parser.resolveOperand(operands.source, types.source, state.operands) ||
      parser.resolveOperands(operands.indices, builder.getIndexType(), state.operands) ||
      parser.resolveOperands(operands.indexVecs, operands.indexVecTypes, operands.source.location,
                             state.operands) ||
      parser.resolveOperand(operands.padding, types.source.getElementType(), state.operands) ||
      resolveMask(parser, operands, types, map, state))
    return failure();
  return parser.addTypeToList(types.vector, state.types);
}

void TransferGatherOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSource() << '[' << getIndices() << "][";
  auto indexVec = getIndexVecs().begin();
  llvm::interleaveComma(getIndexed().getAsValueRange<BoolAttr>(), printer, [&](bool gathered) {
    if (!gathered) {
      printer << "None";
      return;
    }
    printer << *indexVec << " : " << (*indexVec).getType();
    ++indexVec;
  });
  printer << "], " << getPadding();
  if (Value mask = getMask())
    printer << ", " << mask;

  SmallVector<StringRef> elided{getOperandSegmentSizeAttr(), getIndexedAttrName()};
  if (getPermutationMap().isMinorIdentity())
    elided.push_back(getPermutationMapAttrName());
  if (!llvm::is_contained(getInBounds().getAsValueRange<BoolAttr>(), true))
    elided.push_back(getInBoundsAttrName());
  printer.printOptionalAttrDict((*this)->getAttrs(), elided);
  printer << " : " << getSource().getType() << ", " << getVector().getType();
}

// --- Rules (2.5.5) --------------------------------------------------------------------

/// The number of bits of the innermost dimension: of an element, or of the last dimension of a
/// vector. None for elements whose size no data layout defines.
static std::optional<uint64_t> minorBits(const DataLayout &layout, Type element, VectorType whole) {
  if (!isa<IntegerType, FloatType, IndexType, ComplexType, DataLayoutTypeInterface>(element))
    return std::nullopt;
  int64_t count = whole && whole.getRank() > 0 ? whole.getShape().back() : 1;
  return layout.getTypeSizeInBits(element).getKnownMinValue() * count;
}

/// Rule 3: element types match, and every dimension of the vector has a map result.
static LogicalResult verifyElements(TransferGatherOp op) {
  DataLayout layout = DataLayout::closest(op);
  Type element = op.getSourceType().getElementType();
  auto vectorElement = dyn_cast<VectorType>(element);
  VectorType vector = op.getVectorType();
  auto have = minorBits(layout, vector.getElementType(), vector);
  auto unit =
      minorBits(layout, vectorElement ? vectorElement.getElementType() : element, vectorElement);
  if (have && unit && *unit != 0 && *have % *unit != 0)
    return op.emitOpError("requires the bitwidth of the minor 1-D vector to be an integral "
                          "multiple of the bitwidth of the ")
           << (vectorElement ? "minor 1-D vector of the source" : "source element type");

  int64_t elementRank = vectorElement ? vectorElement.getRank() : 0;
  if (elementRank > vector.getRank())
    return op.emitOpError("requires source vector element and vector result ranks to match.");
  if (op.getPermutationMap().getNumResults() != vector.getRank() - elementRank)
    return op.emitOpError(
        "requires a permutation_map with result dims of the same rank as the vector type");
  if (vectorElement && op.getMask())
    return op.emitOpError("does not support masks with vector element type");
  return success();
}

/// Rules 4 to 6, about the permutation map.
static LogicalResult verifyTransfer(TransferGatherOp op) {
  AffineMap map = op.getPermutationMap();
  if (map.getNumSymbols() != 0)
    return op.emitOpError("requires permutation_map without symbols");
  if (map.getNumDims() != op.getSourceType().getRank())
    return op.emitOpError(
        "requires a permutation_map with input dims of the same rank as the source type");
  // A map that is not a permutation has no mask; rule 8 reports it.
  if (op.getMask() && permutationProblem(map).empty()) {
    Type given = op.getMask().getType();
    if (VectorType inferred = vector::inferTransferOpMaskType(op.getVectorType(), map);
        given != inferred)
      return op.emitOpError("inferred mask type (")
             << inferred << ") and mask operand type (" << given << ") don't match";
  }
  if (map.getNumResults() != op.getInBounds().size())
    return op.emitOpError("expects the in_bounds attr of same rank as permutation_map results: ")
           << AffineMapAttr::get(map) << " vs inBounds of size: " << op.getInBounds().size();
  return success();
}

/// Rule 7.
static LogicalResult verifyPadding(TransferGatherOp op) {
  Type element = op.getSourceType().getElementType(), padding = op.getPadding().getType();
  if (isa<VectorType>(element)) {
    if (padding != element)
      return op.emitOpError("requires source element type and padding type to match.");
    return success();
  }
  if (!VectorType::isValidElementType(padding))
    return op.emitOpError("requires valid padding vector elemental type");
  if (padding != element)
    return op.emitOpError("requires formal padding and source of the same elemental type");
  return success();
}

/// Rules 9 and 10: dimensions, index vectors and maps correspond by position.
static LogicalResult verifyCounts(TransferGatherOp op) {
  int64_t rank = op.getSourceType().getRank();
  if (int64_t(op.getIndexed().size()) != rank)
    return op.emitOpError("expects an entry of 'indexed' for each of the ")
           << rank << " source dimensions, but has " << op.getIndexed().size();
  size_t gathered = op.getGatheredDims().size(), indexVecs = op.getIndexVecs().size();
  if (gathered != indexVecs)
    return op.emitOpError("expects an index vector for each of the ")
           << gathered << " gathered dimensions, but has " << indexVecs;
  if (op.getIndexedMaps().size() != indexVecs)
    return op.emitOpError("expects an indexed map for each of the ")
           << indexVecs << " index vectors, but has " << op.getIndexedMaps().size();
  return success();
}

/// Rule 11: each map goes from the slice to an index vector that covers it.
static LogicalResult verifyIndexVec(TransferGatherOp op, unsigned number, VectorType type,
                                    AffineMap map, ArrayRef<int64_t> slice) {
  auto error = [&] { return op.emitOpError("index vector #") << number; };
  if (map.getNumDims() != slice.size() || map.getNumSymbols() != 0)
    return error() << " needs a map from the " << slice.size()
                   << " source dimensions without symbols, not " << AffineMapAttr::get(map);
  if (map.getNumResults() != type.getRank())
    return error() << " has rank " << type.getRank() << ", but its map has " << map.getNumResults()
                   << " results";
  SmallVector<int64_t> expected;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      return error() << " needs a map to plain dimensions, not " << AffineMapAttr::get(map);
    expected.push_back(slice[dim.getPosition()]);
  }
  if (type.getShape() != ArrayRef(expected))
    return error() << " must have shape [" << expected << "], the extents of the slice that its "
                   << "map names, but has [" << type.getShape() << "]";
  return success();
}

LogicalResult TransferGatherOp::verify() {
  auto source = dyn_cast<ShapedType>(getSource().getType());
  if (source.hasRank() && int64_t(getIndices().size()) != source.getRank())
    return emitOpError("requires ") << source.getRank() << " indices";
  if (!isa<MemRefType, RankedTensorType>(getSource().getType()))
    return emitOpError("requires source to be a memref or ranked tensor type");
  if (failed(verifyElements(*this)) || failed(verifyTransfer(*this)) ||
      failed(verifyPadding(*this)))
    return failure();
  if (StringRef problem = permutationProblem(getPermutationMap()); !problem.empty())
    return emitOpError(problem);
  if (failed(verifyCounts(*this)))
    return failure();
  SmallVector<int64_t> slice = getSliceShape();
  for (auto [number, indexVec, map] : llvm::enumerate(getIndexVecs(), getIndexedMapValues()))
    if (failed(verifyIndexVec(*this, number, cast<VectorType>(indexVec.getType()), map, slice)))
      return failure();
  if (!isa<VectorType>(source.getElementType()) &&
      getVectorType().getElementType() != source.getElementType())
    return emitOpError("requires vector and source of the same elemental type, but they have ")
           << getVectorType().getElementType() << " and " << source.getElementType();
  return success();
}

// --- Effects (2.5.6) ------------------------------------------------------------------

void TransferGatherOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<MemRefType>(getSource().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(),
                         SideEffects::DefaultResource::get());
}

Speculation::Speculatability TransferGatherOp::getSpeculatability() {
  return isa<RankedTensorType>(getSource().getType()) ? Speculation::Speculatable
                                                      : Speculation::NotSpeculatable;
}
