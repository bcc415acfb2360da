// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assembly.h. The types themselves are in Types.cpp.

#include "tilewright/tile/text/Assembly.h"
#include "tilewright/tile/text/Spelling.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Types -------------------------------------------------------------------------===//

ParseResult tile::parseTileTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      [&] { return parseShortType(parser, types.emplace_back()); });
}

void tile::printTileTypes(OpAsmPrinter &printer, Operation *, TypeRange types) {
  llvm::interleaveComma(types, printer.getStream(),
                        [&](Type type) { printShortType(printer, type); });
}

ParseResult tile::parseThreeOfType(OpAsmParser &parser, Type &x, Type &y, Type &z) {
  if (parseShortType(parser, x))
    return failure();
  y = z = x;
  return success();
}

void tile::printThreeOfType(OpAsmPrinter &printer, Operation *, Type x, Type, Type) {
  printShortType(printer, x);
}

template <typename ViewType> static ParseResult parseViewType(OpAsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseShortType(parser, type))
    return failure();
  if (!isa<ViewType>(type))
    return parser.emitError(loc) << "expected '" << ViewType::getMnemonic() << "' type, but got "
                                 << type;
  return success();
}

ParseResult tile::parsePartitionViewType(OpAsmParser &parser, Type &type) {
  return parseViewType<PartitionViewType>(parser, type);
}
ParseResult tile::parseStridedViewType(OpAsmParser &parser, Type &type) {
  return parseViewType<StridedViewType>(parser, type);
}
ParseResult tile::parseGatherScatterViewType(OpAsmParser &parser, Type &type) {
  return parseViewType<GatherScatterViewType>(parser, type);
}
void tile::printPartitionViewType(OpAsmPrinter &printer, Operation *, Type type) {
  printShortType(printer, type);
}
void tile::printStridedViewType(OpAsmPrinter &printer, Operation *, Type type) {
  printShortType(printer, type);
}
void tile::printGatherScatterViewType(OpAsmPrinter &printer, Operation *, Type type) {
  printShortType(printer, type);
}

//===-- Clauses of memory operations -----------------------------------------------------===//

ParseResult tile::parseOptionalOperand(OpAsmParser &parser,
                                       std::optional<UnresolvedOperand> &operand) {
  if (failed(parser.parseOptionalComma()))
    return success();
  UnresolvedOperand parsed;
  OptionalParseResult result = parser.parseOptionalOperand(parsed);
  if (!result.has_value())
    return success();
  if (failed(*result))
    return failure();
  operand = parsed;
  return success();
}

void tile::printOptionalOperand(OpAsmPrinter &printer, Operation *, Value operand) {
  if (operand)
    printer << ", " << operand;
}

ParseResult tile::parseTwoOptionalOperands(OpAsmParser &parser,
                                           std::optional<UnresolvedOperand> &first,
                                           std::optional<UnresolvedOperand> &second) {
  if (parseOptionalOperand(parser, first))
    return failure();
  return first ? parseOptionalOperand(parser, second) : ParseResult(success());
}

void tile::printTwoOptionalOperands(OpAsmPrinter &printer, Operation *op, Value first,
                                    Value second) {
  printOptionalOperand(printer, op, first);
  printOptionalOperand(printer, op, second);
}

ParseResult tile::parseOptionalType(OpAsmParser &parser, Type &type) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return parseShortType(parser, type);
}

void tile::printOptionalType(OpAsmPrinter &printer, Operation *, Type type) {
  if (!type)
    return;
  printer << ", ";
  printShortType(printer, type);
}

ParseResult tile::parseTwoOptionalTypes(OpAsmParser &parser, Type &first, Type &second) {
  if (parseOptionalType(parser, first))
    return failure();
  return first ? parseOptionalType(parser, second) : ParseResult(success());
}

void tile::printTwoOptionalTypes(OpAsmPrinter &printer, Operation *op, Type first, Type second) {
  printOptionalType(printer, op, first);
  printOptionalType(printer, op, second);
}

ParseResult tile::parseIndexTypes(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &indices,
                                  SmallVectorImpl<Type> &types) {
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalComma()))
    if (parseShortType(parser, types.emplace_back()))
      return failure();
  if (types.size() == indices.size())
    return success();
  if (types.size() != 1)
    return parser.emitError(loc) << "expected " << indices.size() << " index types, got "
                                 << types.size();
  Type common = types.front();
  types.assign(indices.size(), common);
  return success();
}

void tile::printIndexTypes(OpAsmPrinter &printer, Operation *op, OperandRange, TypeRange types) {
  if (types.empty())
    return;
  printer << ", ";
  if (llvm::all_equal(types))
    types = types.take_front();
  printTileTypes(printer, op, types);
}

ParseResult tile::parseRepeatedResult(OpAsmParser &parser, Type result) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  Type written;
  if (parseShortType(parser, written))
    return failure();
  if (written != result)
    return parser.emitError(loc) << "expected the result type to be that of the source, " << result
                                 << ", but got " << written;
  return success();
}

void tile::printRepeatedResult(OpAsmPrinter &, Operation *, Type) {}

ParseResult tile::parseTokenClause(OpAsmParser &parser, std::optional<UnresolvedOperand> &token) {
  if (failed(parser.parseOptionalKeyword("token")))
    return success();
  return failure(parser.parseEqual() || parser.parseOperand(token.emplace()));
}

void tile::printTokenClause(OpAsmPrinter &printer, Operation *, Value token) {
  if (token)
    printer << " token = " << token;
}

ParseResult tile::parseTightTokenClause(OpAsmParser &parser,
                                        std::optional<UnresolvedOperand> &token) {
  return parseTokenClause(parser, token);
}

void tile::printTightTokenClause(OpAsmPrinter &printer, Operation *, Value token) {
  if (token)
    printer << " token=" << token;
}

ParseResult tile::parseInbounds(OpAsmParser &parser, DenseBoolArrayAttr &inbounds) {
  if (failed(parser.parseOptionalKeyword("inbounds")))
    return success();
  SmallVector<bool> flags;
  auto parseFlag = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word, {"true", "false"})))
      return parser.emitError(loc) << "expected 'true' or 'false' in 'inbounds'";
    flags.push_back(word == "true");
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFlag))
    return failure();
  inbounds = DenseBoolArrayAttr::get(parser.getContext(), flags);
  return success();
}

void tile::printInbounds(OpAsmPrinter &printer, Operation *, DenseBoolArrayAttr inbounds) {
  if (!inbounds || !llvm::is_contained(inbounds.asArrayRef(), true))
    return;
  printer << " inbounds = [";
  llvm::interleaveComma(inbounds.asArrayRef(), printer.getStream(),
                        [&](bool flag) { printer << (flag ? "true" : "false"); });
  printer << "]";
}

ParseResult tile::parseViewClauses(OpAsmParser &parser, std::optional<UnresolvedOperand> &token,
                                   OptimizationHintsAttr &hints, DenseBoolArrayAttr &inbounds) {
  if (parseInbounds(parser, inbounds) || parseTokenClause(parser, token) ||
      parseMemoryHints(parser, hints))
    return failure();
  return inbounds ? ParseResult(success()) : parseInbounds(parser, inbounds);
}

void tile::printViewClauses(OpAsmPrinter &printer, Operation *op, Value token,
                            OptimizationHintsAttr hints, DenseBoolArrayAttr inbounds) {
  printTokenClause(printer, op, token);
  printMemoryHints(printer, op, hints);
  printInbounds(printer, op, inbounds);
}

ParseResult tile::parseTokenAndInbounds(OpAsmParser &parser,
                                        std::optional<UnresolvedOperand> &token,
                                        DenseBoolArrayAttr &inbounds) {
  if (parseInbounds(parser, inbounds) || parseTokenClause(parser, token))
    return failure();
  return inbounds ? ParseResult(success()) : parseInbounds(parser, inbounds);
}

void tile::printTokenAndInbounds(OpAsmPrinter &printer, Operation *op, Value token,
                                 DenseBoolArrayAttr inbounds) {
  printTokenClause(printer, op, token);
  printInbounds(printer, op, inbounds);
}

ParseResult tile::parseFencedToken(OpAsmParser &parser, UnresolvedOperand &token) {
  if (succeeded(parser.parseOptionalKeyword("token")) && parser.parseEqual())
    return failure();
  return parser.parseOperand(token);
}

void tile::printFencedToken(OpAsmPrinter &printer, Operation *, Value token) { printer << token; }

ParseResult tile::parseFencedType(OpAsmParser &parser, Type &type) {
  if (succeeded(parser.parseOptionalArrow()))
    return parseShortType(parser, type);
  type = TokenType::get(parser.getContext());
  return success();
}

void tile::printFencedType(OpAsmPrinter &, Operation *, Type) {}

ParseResult tile::parseDestinationType(OpAsmParser &parser, Type &type) {
  if (failed(parser.parseOptionalArrow()) && parser.parseComma())
    return failure();
  return parseShortType(parser, type);
}

void tile::printDestinationType(OpAsmPrinter &printer, Operation *, Type type) {
  printer << ", ";
  printShortType(printer, type);
}

ParseResult tile::parsePrintArguments(OpAsmParser &parser,
                                      SmallVectorImpl<UnresolvedOperand> &args) {
  std::optional<UnresolvedOperand> first;
  if (parseOptionalOperand(parser, first))
    return failure();
  if (!first)
    return success();
  args.push_back(*first);
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(args.emplace_back()))
      return failure();
  return success();
}

void tile::printPrintArguments(OpAsmPrinter &printer, Operation *, OperandRange args) {
  for (Value arg : args)
    printer << ", " << arg;
}

ParseResult tile::parsePrintTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  return failed(parser.parseOptionalColon()) ? ParseResult(success())
                                             : parseTileTypes(parser, types);
}

void tile::printPrintTypes(OpAsmPrinter &printer, Operation *op, TypeRange types) {
  if (types.empty())
    return;
  printer << " : ";
  printTileTypes(printer, op, types);
}

//===-- Attributes with a short form --------------------------------------------------===//

ParseResult tile::parseAssumePredicate(OpAsmParser &parser, AssumePredicate &predicate) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  Attribute attr;
  if (failed(parser.parseOptionalKeyword(&word))) {
    if (parser.parseAttribute(attr))
      return failure();
  } else if (word == DivByAttr::getMnemonic()) {
    attr = DivByAttr::parse(parser, {});
  } else if (word == SameElementsAttr::getMnemonic()) {
    attr = SameElementsAttr::parse(parser, {});
  } else if (word == BoundedAttr::getMnemonic()) {
    attr = BoundedAttr::parse(parser, {});
  } else {
    InFlightDiagnostic diag = parser.emitError(loc)
                              << "unknown assume predicate attribute: " << word
                              << " (expected 'div_by', 'same_elements', or 'bounded')";
    noteNearest(diag, word, {"div_by", "same_elements", "bounded"});
    return diag;
  }
  if (!attr)
    return failure();
  predicate = dyn_cast<AssumePredicate>(attr);
  if (!predicate)
    return parser.emitError(loc) << "expected assume predicate attribute";
  return success();
}

void tile::printAssumePredicate(OpAsmPrinter &printer, Operation *, AssumePredicate predicate) {
  if (auto divBy = dyn_cast<DivByAttr>(Attribute(predicate))) {
    printer << divBy.getMnemonic();
    divBy.print(printer);
  } else if (auto sameElements = dyn_cast<SameElementsAttr>(Attribute(predicate))) {
    printer << sameElements.getMnemonic();
    sameElements.print(printer);
  } else if (auto bounded = dyn_cast<BoundedAttr>(Attribute(predicate))) {
    printer << bounded.getMnemonic();
    bounded.print(printer);
  } else {
    printer << Attribute(predicate);
  }
}

ParseResult tile::parseMemoryHints(OpAsmParser &parser, OptimizationHintsAttr &hints) {
  if (failed(parser.parseOptionalKeyword("optimization_hints")))
    return success();
  if (parser.parseEqual())
    return failure();
  Attribute attr = OptimizationHintsAttr::parse(parser, {});
  hints = cast_if_present<OptimizationHintsAttr>(attr);
  return success(bool(hints));
}

void tile::printMemoryHints(OpAsmPrinter &printer, Operation *, OptimizationHintsAttr hints) {
  if (!hints)
    return;
  printer << " optimization_hints = ";
  hints.print(printer);
}
