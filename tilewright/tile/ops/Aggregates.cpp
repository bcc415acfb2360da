// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and rules of reduce and scan. Both have a body over pairs of scalars, one pair per operand,
// and share most rules (operations, 4.11 and 4.12).

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/text/Assembly.h"
#include "tilewright/tile/text/Literal.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

StringRef ReduceOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }
StringRef ScanOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }

//===-- Text --------------------------------------------------------------------------===//

namespace {
/// Operands and dictionary come before the clauses, types and body after them.
struct AggregateText {
  SmallVector<UnresolvedOperand> operands;
  SMLoc operandsLoc;
};
} // namespace

static ParseResult parseOperands(OpAsmParser &parser, AggregateText &text, OperationState &result) {
  text.operandsLoc = parser.getCurrentLocation();
  return failure(parser.parseOperandList(text.operands) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

/// `dim=D`
static ParseResult parseDim(OpAsmParser &parser, IntegerAttr &dim) {
  int32_t value;
  if (parser.parseKeyword("dim") || parser.parseEqual() || parser.parseInteger(value))
    return failure();
  dim = parser.getBuilder().getI32IntegerAttr(value);
  return success();
}

/// `reverse=BOOL`
static ParseResult parseReverse(OpAsmParser &parser, BoolAttr &reverse) {
  if (parser.parseKeyword("reverse") || parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word, {"true", "false"})))
    return parser.emitError(loc) << "expected 'true' or 'false'";
  reverse = parser.getBuilder().getBoolAttr(word == "true");
  return success();
}

/// `identities=[V, ...] : T, ... -> R, ... (%a: T, %b: T, ...) { ... }`
static ParseResult parseRest(OpAsmParser &parser, AggregateText &text, ArrayAttr &identities,
                             OperationState &result) {
  SmallVector<Type> operandTypes;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseKeyword("identities") || parser.parseEqual() ||
      parseNumbers(parser, identities) || parser.parseColon() ||
      parseTileTypes(parser, operandTypes) || parser.parseArrow() ||
      parseTileTypes(parser, result.types) ||
      parser.resolveOperands(text.operands, operandTypes, text.operandsLoc, result.operands) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        OpAsmParser::Argument &argument = arguments.emplace_back();
        return failure(parser.parseArgument(argument) || parser.parseColon() ||
                       parseShortType(parser, argument.type) ||
                       parser.parseOptionalLocationSpecifier(argument.sourceLoc));
      }))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

template <typename AggregateOp>
static void printOperands(OpAsmPrinter &printer, AggregateOp op, ArrayRef<StringRef> inherent) {
  printer << " " << op.getOperands();
  printer.printOptionalAttrDict(op->getAttrs(), inherent);
  printer << " dim=" << op.getDim();
}

template <typename AggregateOp> static void printRest(OpAsmPrinter &printer, AggregateOp op) {
  printer << " identities=";
  printNumbers(printer, op.getIdentities());
  printer << " : ";
  printTileTypes(printer, op, op.getOperandTypes());
  printer << " -> ";
  printTileTypes(printer, op, op.getResultTypes());
  printer.printNewline();
  printer << "(";
  llvm::interleaveComma(op.getBody().getArguments(), printer, [&](BlockArgument argument) {
    printer << argument << ": ";
    printShortType(printer, argument.getType());
  });
  printer << ") ";
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  AggregateText text;
  return failure(parseOperands(parser, text, result) || parseDim(parser, properties.dim) ||
                 parseRest(parser, text, properties.identities, result));
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printOperands(printer, *this, {"dim", "identities"});
  printRest(printer, *this);
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  AggregateText text;
  return failure(parseOperands(parser, text, result) || parseDim(parser, properties.dim) ||
                 parseReverse(parser, properties.reverse) ||
                 parseRest(parser, text, properties.identities, result));
}

void ScanOp::print(OpAsmPrinter &printer) {
  printOperands(printer, *this, {"dim", "reverse", "identities"});
  printer << " reverse=" << (getReverse() ? "true" : "false");
  printRest(printer, *this);
}

//===-- Rules: signature -----------------------------------------------------------------===//

static Type elementTypeOf(Value value) { return cast<TileType>(value.getType()).getElementType(); }

/// f16 and bf16 identities are interchangeable.
static bool identityFits(Type operand, Type identity) {
  auto isHalf = [](Type type) { return isa<Float16Type, BFloat16Type>(type); };
  return operand == identity || (isHalf(operand) && isHalf(identity));
}

static LogicalResult verifyIdentities(Operation *op, ArrayAttr identities) {
  if (identities.size() != op->getNumOperands())
    return op->emitOpError() << "expect identities to match the number of operands but got: "
                             << op->getNumOperands() << " operands and " << identities.size()
                             << " identities";
  for (auto [i, operand, identity] : llvm::enumerate(op->getOperands(), identities)) {
    auto typed = dyn_cast<TypedAttr>(identity);
    if (!typed || !isa<IntegerAttr, FloatAttr>(identity))
      return op->emitOpError() << "expect a number as identity at index: " << i
                               << " but got: " << identity;
    if (!identityFits(elementTypeOf(operand), typed.getType()))
      return op->emitOpError() << "expect same type for operand at index: " << i
                               << " and identity at index: " << i
                               << " but got: " << elementTypeOf(operand) << " and "
                               << typed.getType();
  }
  return success();
}

static LogicalResult verifySignature(Operation *op, int64_t dim, ArrayAttr identities) {
  if (op->getNumOperands() == 0)
    return op->emitOpError() << "expects at least one operand";
  if (op->getNumOperands() != op->getNumResults())
    return op->emitOpError() << "expect same number of operands and results";
  auto first = cast<TileType>(op->getOperand(0).getType());
  for (Value operand : op->getOperands())
    if (cast<TileType>(operand.getType()).getShape() != first.getShape())
      return op->emitOpError() << "requires the same shape for all operands";
  if (dim >= first.getRank())
    return op->emitOpError() << "dimension (" << dim << ") is out of bound [0, " << first.getRank()
                             << ")";
  return verifyIdentities(op, identities);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifySignature(*this, getDim(), getIdentities())))
    return failure();
  SmallVector<Type> inferred;
  for (Type operand : getOperandTypes()) {
    auto tile = cast<TileType>(operand);
    SmallVector<int64_t> shape(tile.getShape());
    shape.erase(shape.begin() + getDim());
    // A rank-0 tile of 4-bit floats does not exist (types, 2.4).
    TileType reduced =
        TileType::getChecked([&] { return emitOpError(); }, ArrayRef(shape), tile.getElementType());
    if (!reduced)
      return failure();
    inferred.push_back(reduced);
  }
  if (TypeRange(inferred) != getResultTypes())
    return emitOpError() << "inferred type(s) " << inferred
                         << " are incompatible with return type(s) of operation "
                         << getResultTypes();
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifySignature(*this, getDim(), getIdentities())))
    return failure();
  for (auto [i, operand, result] : llvm::enumerate(getOperandTypes(), getResultTypes()))
    if (operand != result)
      return emitOpError() << "expect same type for operand at index: " << i
                           << " and result at index: " << i << " but got: " << operand << " and "
                           << result;
  return success();
}

//===-- Rules: body ------------------------------------------------------------------------===//

/// Arguments 2k and 2k+1 are scalars of the element type of operand k.
static LogicalResult verifyArguments(Operation *op, Block &body) {
  if (body.getNumArguments() != 2 * op->getNumOperands())
    return op->emitOpError() << "expect " << 2 * op->getNumOperands()
                             << " block arguments but got: " << body.getNumArguments();
  auto scalarElement = [&](unsigned i) -> Type {
    auto tile = dyn_cast<TileType>(body.getArgument(i).getType());
    return tile && tile.getRank() == 0 ? tile.getElementType() : Type();
  };
  for (unsigned i = 0, e = body.getNumArguments(); i < e; ++i)
    if (!scalarElement(i))
      return op->emitOpError() << "expect 0-rank tile type at index: " << i
                               << " but got: " << body.getArgument(i).getType();
  for (auto [k, operand] : llvm::enumerate(op->getOperands())) {
    Type even = scalarElement(2 * k), odd = scalarElement(2 * k + 1);
    if (even != odd)
      return op->emitOpError() << "expect same element type for block argument at index: " << 2 * k
                               << " and " << 2 * k + 1 << " but got: " << even << " and " << odd;
    if (even != elementTypeOf(operand))
      return op->emitOpError() << "expect same type for operand at index: " << k
                               << " and block argument at index: " << 2 * k
                               << " but got: " << elementTypeOf(operand) << " and " << even;
  }
  return success();
}

/// The rank of the yielded values is not checked (textual format, 11.1).
static LogicalResult verifyYield(Operation *op, Block &body) {
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op->emitOpError() << "expects its body to end with a `yield` operation";
  if (yield.getNumOperands() != op->getNumOperands())
    return op->emitOpError() << "expect number of terminators operands (" << yield.getNumOperands()
                             << ") to match number of operands (" << op->getNumOperands() << ")";
  for (auto [k, operand, yielded] : llvm::enumerate(op->getOperands(), yield.getOperands())) {
    auto tile = dyn_cast<TileType>(yielded.getType());
    if (!tile || tile.getElementType() != elementTypeOf(operand))
      return op->emitOpError() << "expect same type for operand at index: " << k
                               << " and terminator argument at index: " << k
                               << " but got: " << elementTypeOf(operand) << " and "
                               << (tile ? tile.getElementType() : yielded.getType());
  }
  return success();
}

static LogicalResult verifyBody(Operation *op, Block &body) {
  if (body.empty())
    return op->emitOpError() << "expects a non-empty block";
  if (failed(verifyArguments(op, body)) || failed(verifyYield(op, body)))
    return failure();
  // An implementation may apply the body any number of times in any order.
  for (Operation &inner : body)
    if (!inner.hasTrait<OpTrait::IsTerminator>() && !isPure(&inner))
      return inner.emitOpError() << "only pure operations are allowed inside '" << op->getName()
                                 << "'";
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyBody(*this, getBody().front()); }
LogicalResult ScanOp::verifyRegions() { return verifyBody(*this, getBody().front()); }

//===-- Names in printed text (textual format, 12.2) ---------------------------------------===//

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() != 0)
    setName(getResult(0), "reduce");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  bool several = region.getNumArguments() > 2;
  for (auto [i, arg] : llvm::enumerate(region.getArguments())) {
    std::string name = i % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
    setName(arg, several ? name + std::to_string(i / 2) : name);
  }
}

// Empty on purpose: an `assume` of such a result derives its name from it (textual format, 12.2).
void ScanOp::getAsmResultNames(OpAsmSetValueNameFn) {}
