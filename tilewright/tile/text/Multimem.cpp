// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the multicast operations (13.5, sections 9.2 and 14). It follows the vendor's tools:
// the view comes first, the reduction is in the attribute dictionary unless it is `add`, and the
// type of a token is the last one before the arrow. Texts of earlier Tilewright versions are
// accepted, too: they have the reduction after the index, the stored tile before the view, and no
// type for a token.

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/text/Assembly.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Parsing -----------------------------------------------------------------------------===//

namespace {
/// The parsed parts, before the types show which operand is which.
struct Access {
  SmallVector<UnresolvedOperand, 2> leading; ///< The view, and the tile if there is one.
  SmallVector<UnresolvedOperand, 2> index;
  std::optional<UnresolvedOperand> token;
  DenseBoolArrayAttr inbounds;
  SmallVector<Type> types; ///< Of the operands.
  SMLoc typesLoc;
};
} // namespace

static ParseResult parseIndex(OpAsmParser &parser, Access &access) {
  return parser.parseOperandList(access.index, OpAsmParser::Delimiter::Square);
}

/// Everything after the index and the former position of the reduction.
static ParseResult parseRest(OpAsmParser &parser, Access &access, OperationState &result) {
  if (parseTokenAndInbounds(parser, access.token, access.inbounds) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColon())
    return failure();
  access.typesLoc = parser.getCurrentLocation();
  if (parseTileTypes(parser, access.types) || parser.parseArrow())
    return failure();
  return parseTileTypes(parser, result.types);
}

/// One type for all indices, or one for each. The type of the token may be missing.
static ParseResult spreadIndexTypes(OpAsmParser &parser, Access &access) {
  SmallVector<Type> &types = access.types;
  const size_t leading = access.leading.size(), indices = access.index.size();
  Type token = TokenType::get(parser.getContext());
  if (access.token && types.size() > leading && types.back() == token)
    types.pop_back();
  if (indices > 1 && types.size() == leading + 1)
    types.append(indices - 1, Type(types.back()));
  if (types.size() != leading + indices)
    return parser.emitError(access.typesLoc)
           << "expected the types of " << leading << (leading == 1 ? " operand" : " operands")
           << " and " << indices << (indices == 1 ? " index" : " indices") << ", got "
           << types.size() << (types.size() == 1 ? " type" : " types");
  if (access.token)
    types.push_back(token);
  return success();
}

/// Operands in the order of the operation: view, tile, index, token.
template <typename Op>
static ParseResult resolve(OpAsmParser &parser, Access &access, OperationState &result) {
  if (spreadIndexTypes(parser, access))
    return failure();
  // Earlier texts have the tile first.
  if (access.leading.size() == 2 && isa<TileType>(access.types[0]) &&
      isa<TileView>(access.types[1])) {
    std::swap(access.leading[0], access.leading[1]);
    std::swap(access.types[0], access.types[1]);
  }
  SmallVector<UnresolvedOperand> operands(access.leading.begin(), access.leading.end());
  llvm::append_range(operands, access.index);
  if (access.token)
    operands.push_back(*access.token);
  if (parser.resolveOperands(operands, access.types, access.typesLoc, result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  SmallVector<int32_t, 4> segments(access.leading.size(), 1);
  segments.push_back(access.index.size());
  segments.push_back(access.token ? 1 : 0);
  llvm::copy(segments, properties.operandSegmentSizes.begin());
  properties.inbounds = access.inbounds;
  return success();
}

template <typename Op>
static void setOrdering(OperationState &result, MemoryOrderingSemanticsAttr ordering,
                        MemoryScopeAttr scope) {
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  properties.memory_ordering_semantics = ordering;
  properties.memory_scope = scope;
}

/// `attributes {reduction = ...}`; `add` if neither this nor the earlier form is present.
template <typename Op>
static ParseResult takeReduction(OpAsmParser &parser, MultimemReductionKindAttr former,
                                 OperationState &result) {
  Attribute written = result.attributes.erase(Op::getReductionAttrName(result.name));
  auto kind = dyn_cast_if_present<MultimemReductionKindAttr>(written);
  if (written && !kind)
    return parser.emitError(parser.getNameLoc())
           << "expected 'reduction' to be #cuda_tile.multimem_reduction_kind<...>, but got "
           << written;
  if (former && kind)
    return parser.emitError(parser.getNameLoc()) << "the reduction is given twice";
  if (!kind)
    kind = former ? former
                  : MultimemReductionKindAttr::get(parser.getContext(), MultimemReductionKind::Add);
  result.getOrAddProperties<typename Op::Properties>().reduction = kind;
  return success();
}

ParseResult MultimemLoadReduceViewOp::parse(OpAsmParser &parser, OperationState &result) {
  using Op = MultimemLoadReduceViewOp;
  MemoryOrderingSemanticsAttr ordering;
  MemoryScopeAttr scope;
  MultimemReductionKindAttr kind;
  Access access;
  if (parseViewOrdering(parser, ordering, scope) ||
      parser.parseOperand(access.leading.emplace_back()) || parseIndex(parser, access))
    return failure();
  if (succeeded(parser.parseOptionalComma()) && parseMultimemReduction(parser, kind))
    return failure();
  if (parseRest(parser, access, result) || takeReduction<Op>(parser, kind, result))
    return failure();
  setOrdering<Op>(result, ordering, scope);
  return resolve<Op>(parser, access, result);
}

ParseResult MultimemReduceViewOp::parse(OpAsmParser &parser, OperationState &result) {
  using Op = MultimemReduceViewOp;
  MemoryOrderingSemanticsAttr ordering;
  MemoryScopeAttr scope;
  MultimemReductionKindAttr kind;
  Access access;
  if (parseAtomicViewOrdering(parser, ordering, scope) ||
      parser.parseOperand(access.leading.emplace_back()))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseOperand(access.leading.emplace_back()) || parseIndex(parser, access))
      return failure();
  } else {
    if (parseIndex(parser, access) || parser.parseComma() || parseMultimemReduction(parser, kind) ||
        parser.parseComma() || parser.parseOperand(access.leading.emplace_back()))
      return failure();
    std::swap(access.leading[0], access.leading[1]); // in the order of their types
  }
  if (parseRest(parser, access, result) || takeReduction<Op>(parser, kind, result))
    return failure();
  setOrdering<Op>(result, ordering, scope);
  return resolve<Op>(parser, access, result);
}

ParseResult MultimemStoreViewOp::parse(OpAsmParser &parser, OperationState &result) {
  using Op = MultimemStoreViewOp;
  MemoryOrderingSemanticsAttr ordering;
  MemoryScopeAttr scope;
  Access access;
  if (parseViewOrdering(parser, ordering, scope) ||
      parser.parseOperand(access.leading.emplace_back()) || parser.parseComma() ||
      parser.parseOperand(access.leading.emplace_back()) || parseIndex(parser, access) ||
      parseRest(parser, access, result))
    return failure();
  setOrdering<Op>(result, ordering, scope);
  return resolve<Op>(parser, access, result);
}

//===-- Printing ----------------------------------------------------------------------------===//

template <typename Op>
static void printRest(OpAsmPrinter &printer, Op op, TypeRange leading, bool hidesReduction) {
  printer << "[" << op.getIndex() << "]";
  printTokenAndInbounds(printer, op, op.getToken(), op.getInboundsAttr());
  SmallVector<StringRef> hidden = {"operandSegmentSizes", "memory_ordering_semantics",
                                   "memory_scope", "inbounds"};
  if (hidesReduction)
    hidden.push_back("reduction");
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), hidden);
  printer << " : ";
  printTileTypes(printer, op, leading);
  printIndexTypes(printer, op, op.getIndex(), op.getIndex().getTypes());
  if (Value token = op.getToken())
    printOptionalType(printer, op, token.getType());
  printer << " -> ";
  printTileTypes(printer, op, op->getResultTypes());
}

void MultimemLoadReduceViewOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printViewOrdering(printer, *this, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " " << getView();
  printRest(printer, *this, getView().getType(), getReduction() == MultimemReductionKind::Add);
}

void MultimemReduceViewOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printAtomicViewOrdering(printer, *this, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " " << getView() << ", " << getTile();
  printRest(printer, *this, {getView().getType(), getTile().getType()},
            getReduction() == MultimemReductionKind::Add);
}

void MultimemStoreViewOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printViewOrdering(printer, *this, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << " " << getView() << ", " << getTile();
  printRest(printer, *this, {getView().getType(), getTile().getType()}, /*hidesReduction=*/true);
}
