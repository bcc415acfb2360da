// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and rules of structured control flow: if, for, loop, and the terminators that leave them
// (operations, 5; textual format, 6.1 and 7).

#include "tilewright/tile/Loops.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/ops/Regions.h"
#include "tilewright/tile/text/Assembly.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

StringRef IfOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }
StringRef ForOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }
StringRef LoopOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }

//===-- Rules that several share ---------------------------------------------------------===//

/// "(T, U)" for diagnostics.
static std::string listOf(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "(";
  llvm::interleaveComma(types, os, [&](Type type) { os << "'" << type << "'"; });
  os << ")";
  return text;
}

/// Views describe memory; they cannot be passed through control flow.
static LogicalResult verifyNoViews(Operation *op, TypeRange types, StringRef what) {
  for (auto [i, type] : llvm::enumerate(types)) {
    bool tensorView = isa<TensorViewType>(type);
    if (tensorView || isa<TileView>(type))
      return op->emitOpError() << what << " " << i << " is a "
                               << (tensorView ? "tensor_view" : "tile view")
                               << ", which is not supported";
  }
  return success();
}

/// Checks that initial values match the block arguments that carry them.
static LogicalResult verifyCarriedValues(Operation *op, OperandRange inits,
                                         Block::BlockArgListType carried) {
  if (inits.size() != carried.size())
    return op->emitOpError()
           << "mismatch in number of region iterator values and loop iterator inits: "
           << carried.size() << " vs " << inits.size();
  for (auto [i, init, argument] : llvm::enumerate(inits, carried))
    if (init.getType() != argument.getType())
      return op->emitOpError() << "init value " << i << " and region iter_value " << i
                               << " have different type: " << init.getType()
                               << " != " << argument.getType();
  return verifyNoViews(op, inits.getTypes(), "loop-carried value");
}

static ParseResult parseCarriedValues(OpAsmParser &parser,
                                      SmallVectorImpl<OpAsmParser::Argument> &arguments,
                                      SmallVectorImpl<UnresolvedOperand> &inits) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  });
}

static void printCarriedValues(OpAsmPrinter &printer, Block::BlockArgListType arguments,
                               OperandRange inits) {
  printer << " iter_values(";
  llvm::interleaveComma(llvm::zip(arguments, inits), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << ")";
}

//===-- if --------------------------------------------------------------------------------===//

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &result) {
  UnresolvedOperand condition;
  Type i1 = TileType::get({}, parser.getBuilder().getI1Type());
  Location loc = parser.getEncodedSourceLoc(parser.getNameLoc());
  if (parser.parseOperand(condition) || parser.resolveOperand(condition, i1, result.operands))
    return failure();
  if (succeeded(parser.parseOptionalArrow()))
    if (parser.parseLParen() || parseTileTypes(parser, result.types) || parser.parseRParen())
      return failure();

  Region *thenRegion = result.addRegion(), *elseRegion = result.addRegion();
  if (parser.parseRegion(*thenRegion))
    return failure();
  ensureTerminator<YieldOp>(*thenRegion, loc);
  if (succeeded(parser.parseOptionalKeyword("else"))) {
    if (parser.parseRegion(*elseRegion))
      return failure();
    ensureTerminator<YieldOp>(*elseRegion, loc);
  }
  return parser.parseOptionalAttrDict(result.attributes);
}

void IfOp::print(OpAsmPrinter &printer) {
  auto printBranch = [&](Region &region) {
    printer.printRegion(region, /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/!isImplicitTerminator<YieldOp>(region.front()));
  };
  printer << " " << getCondition();
  if (getNumResults() != 0) {
    printer << " -> (";
    printTileTypes(printer, *this, getResultTypes());
    printer << ")";
  }
  printer << " ";
  printBranch(getThenRegion());
  if (!getElseRegion().empty()) {
    printer << " else ";
    printBranch(getElseRegion());
  }
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult IfOp::verify() { return verifyNoViews(*this, getResultTypes(), "result type"); }

/// Checks that a branch yields the results; a branch that leaves the `if` otherwise yields nothing.
static LogicalResult verifyBranch(IfOp op, Block &block, StringRef name) {
  if (block.back().hasTrait<LeavesIf>())
    return success();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op.emitOpError() << "expects its " << name
                            << " branch to end with `yield`, `break`, `continue` or `return`";
  TypeRange yielded = yield.getOperandTypes(), results = op.getResultTypes();
  if (yielded == results)
    return success();
  if (yielded.empty())
    return op.emitOpError() << "has return type of " << listOf(results) << " but " << name
                            << " branch does not yield anything";
  if (results.empty())
    return op.emitOpError() << "does not return a value, but " << name << " branch yields "
                            << listOf(yielded);
  return op.emitOpError() << "type does not match yield type, " << name << " branch yields "
                          << listOf(yielded) << " but op result type is " << listOf(results);
}

LogicalResult IfOp::verifyRegions() {
  if (getNumResults() != 0 && getElseRegion().empty())
    return emitOpError() << "has non-empty return type, must define else branch";
  if (failed(verifyBranch(*this, *thenBlock(), "then")))
    return failure();
  return elseBlock() ? verifyBranch(*this, *elseBlock(), "else") : success();
}

//===-- for -------------------------------------------------------------------------------===//

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  Location loc = parser.getEncodedSourceLoc(parser.getNameLoc());
  if (succeeded(parser.parseOptionalKeyword("unsigned")))
    properties.unsignedCmp = parser.getBuilder().getUnitAttr();

  SmallVector<OpAsmParser::Argument> arguments(1);
  UnresolvedOperand lower, upper, step;
  Type type;
  if (parser.parseArgument(arguments.front()) || parser.parseKeyword("in") ||
      parser.parseLParen() || parser.parseOperand(lower) || parser.parseKeyword("to") ||
      parser.parseOperand(upper) || parser.parseComma() || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parser.parseRParen() || parser.parseColon() ||
      parseShortType(parser, type) || parser.resolveOperand(lower, type, result.operands) ||
      parser.resolveOperand(upper, type, result.operands) ||
      parser.resolveOperand(step, type, result.operands))
    return failure();
  arguments.front().type = type;

  SmallVector<UnresolvedOperand> inits;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    SMLoc valuesLoc = parser.getCurrentLocation();
    if (parseCarriedValues(parser, arguments, inits) || parser.parseArrow() ||
        parser.parseLParen() || parseTileTypes(parser, result.types) || parser.parseRParen() ||
        parser.resolveOperands(inits, result.types, valuesLoc, result.operands))
      return failure();
    for (auto [argument, carried] : llvm::zip(llvm::drop_begin(arguments), result.types))
      argument.type = carried;
  }

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator<ContinueOp>(*body, loc);
  return parser.parseOptionalAttrDict(result.attributes);
}

void ForOp::print(OpAsmPrinter &printer) {
  if (getUnsignedCmp())
    printer << " unsigned";
  printer << " " << inductionVar() << " in (" << getLowerBound() << " to " << getUpperBound()
          << ", step " << getStep() << ") : ";
  printShortType(printer, getStep().getType());
  if (!getInitValues().empty()) {
    printCarriedValues(printer, iterArgs(), getInitValues());
    printer << " -> (";
    printTileTypes(printer, *this, getResultTypes());
    printer << ")";
  }
  printer << " ";
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!isImplicitTerminator<ContinueOp>(*body()));
  printer.printOptionalAttrDict((*this)->getAttrs(), {getUnsignedCmpAttrName()});
}

LogicalResult ForOp::verify() {
  Block::BlockArgListType arguments = getRegion().getArguments();
  if (arguments.empty())
    return emitOpError() << "expected a block argument for the induction variable";
  if (inductionVar().getType() != getStep().getType())
    return emitOpError() << "expected induction variable to be same type as bounds and step: "
                         << inductionVar().getType() << " vs " << getStep().getType();
  if (failed(verifyCarriedValues(*this, getInitValues(), iterArgs())))
    return failure();
  if (getResultTypes() != getInitValues().getTypes())
    return emitOpError() << "expected as many results of the same types as carried values: "
                         << listOf(getResultTypes()) << " vs "
                         << listOf(getInitValues().getTypes());
  return success();
}

LogicalResult ForOp::verifyRegions() {
  if (!body()->empty() && isa<ContinueOp>(body()->back()))
    return success();
  return emitOpError() << "expects its body to end with a `continue` operation";
}

//===-- loop ------------------------------------------------------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  Location loc = parser.getEncodedSourceLoc(parser.getNameLoc());
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<UnresolvedOperand> inits;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    SMLoc valuesLoc = parser.getCurrentLocation();
    SmallVector<Type> types;
    if (parseCarriedValues(parser, arguments, inits) || parser.parseColon() ||
        parseTileTypes(parser, types))
      return failure();
    if (inits.size() != types.size())
      return parser.emitError(valuesLoc) << "found different number of iter_values and types";
    if (parser.resolveOperands(inits, types, valuesLoc, result.operands))
      return failure();
    for (auto [argument, type] : llvm::zip(arguments, types))
      argument.type = type;
    if (succeeded(parser.parseOptionalArrow()) && parseTileTypes(parser, result.types))
      return failure();
  } else if (succeeded(parser.parseOptionalColon())) {
    if (parseTileTypes(parser, result.types))
      return failure();
  }

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator<ContinueOp>(*body, loc);
  return parser.parseOptionalAttrDict(result.attributes);
}

void LoopOp::print(OpAsmPrinter &printer) {
  bool carries = !getInitValues().empty(), returns = getNumResults() != 0;
  if (carries) {
    printCarriedValues(printer, getRegion().getArguments(), getInitValues());
    printer << " : ";
    printTileTypes(printer, *this, getInitValues().getTypes());
  }
  if (returns) {
    printer << (carries ? " -> " : " : ");
    printTileTypes(printer, *this, getResultTypes());
  }
  printer << " ";
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!isImplicitTerminator<ContinueOp>(*body()));
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult LoopOp::verify() {
  if (failed(verifyCarriedValues(*this, getInitValues(), getRegion().getArguments())))
    return failure();
  return verifyNoViews(*this, getResultTypes(), "result type");
}

LogicalResult LoopOp::verifyRegions() {
  if (!body()->empty() && body()->back().hasTrait<OpTrait::IsTerminator>())
    return success();
  return emitOpError() << "expects its body to end with a terminator";
}

//===-- Terminators (the matrix of operations, 5) ------------------------------------------===//

LogicalResult BreakOp::verify() {
  auto loop = dyn_cast_if_present<LoopOp>(enclosingNonIf(*this));
  if (!loop)
    return emitOpError() << "can only be nested within a ancestor chain of 'cuda_tile.loop', "
                            "'cuda_tile.if' operations";
  if (getOperandTypes() != loop.getResultTypes())
    return emitOpError() << "operand types must correspond to the parent loop result types: "
                         << listOf(loop.getResultTypes()) << " vs " << listOf(getOperandTypes());
  return success();
}

LogicalResult ContinueOp::verify() {
  Operation *loop = enclosingNonIf(*this);
  TypeRange expected;
  if (auto forOp = dyn_cast_if_present<ForOp>(loop))
    expected = forOp.getResultTypes();
  else if (auto loopOp = dyn_cast_if_present<LoopOp>(loop))
    expected = loopOp.getInitValues().getTypes();
  else
    return emitOpError() << "can only be nested within a ancestor chain of 'cuda_tile.for', "
                            "'cuda_tile.loop', 'cuda_tile.if' operations";
  if (getOperandTypes() == expected)
    return success();
  bool isFor = isa<ForOp>(loop);
  return emitError() << "`" << (isFor ? "for" : "loop")
                     << "` is missing a valid terminator. `continue` op should have operand types "
                        "that match the parent loop "
                     << (isFor ? "return types" : "iter_values") << ": " << listOf(expected)
                     << ", but found: " << listOf(getOperandTypes());
}

LogicalResult ReturnOp::verify() {
  Operation *around = enclosingNonIf(*this);
  while (isa_and_present<LoopOp>(around))
    around = enclosingNonIf(around);
  auto entry = dyn_cast_if_present<EntryOp>(around);
  if (!entry)
    return emitOpError() << "must be used within a cuda_tile.entry, cuda_tile.if or "
                            "cuda_tile.loop operation";
  if (getNumOperands() != 0)
    return emitOpError() << "has " << getNumOperands() << " operands, but enclosing function (@"
                         << entry.getSymName() << ") returns 0";
  return success();
}

//===-- Names in printed text (textual format, 12.2) ---------------------------------------===//

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() != 0)
    setName(getResult(0), "for");
}

void ForOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [i, arg] : llvm::enumerate(region.getArguments()))
    setName(arg, i == 0 ? "loopIdx" : "iterArg" + std::to_string(i - 1));
}

// Empty on purpose: an `assume` of such a result derives its name from it (textual format, 12.2).
void IfOp::getAsmResultNames(OpAsmSetValueNameFn) {}
void LoopOp::getAsmResultNames(OpAsmSetValueNameFn) {}
