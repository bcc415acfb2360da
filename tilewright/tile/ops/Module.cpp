// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and rules of module, entry, global and get_global (textual format, 3, 5 and 6).

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/attributes/DebugInfo.h"
#include "tilewright/tile/ops/Regions.h"
#include "tilewright/tile/text/Assembly.h"
#include "tilewright/tile/text/Literal.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- module --------------------------------------------------------------------------===//

StringRef tile::ModuleOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }

LogicalResult tile::ModuleOp::verify() {
  return getBody().empty() ? success() : verifyDebugInfo(*this);
}

//===-- entry ---------------------------------------------------------------------------===//

StringRef EntryOp::getDefaultDialect() { return TileDialect::getDialectNamespace(); }

/// Arguments, all named (`%x: T`) or none (`T`).
static ParseResult parseArguments(OpAsmParser &parser,
                                  SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  std::optional<bool> named;
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    SMLoc loc = parser.getCurrentLocation();
    OptionalParseResult name =
        parser.parseOptionalArgument(argument, /*allowType=*/false, /*allowAttrs=*/false);
    if (name.has_value() && failed(*name))
      return failure();
    if (!named)
      named = name.has_value();
    if (*named != name.has_value())
      return parser.emitError(loc)
             << (*named ? "expected SSA identifier" : "expected type instead of SSA identifier");
    if (*named && parser.parseColon())
      return failure();
    NamedAttrList attrs;
    if (parseShortType(parser, argument.type) || parser.parseOptionalAttrDict(attrs))
      return failure();
    argument.attrs = attrs.getDictionary(parser.getContext());
    return parser.parseOptionalLocationSpecifier(argument.sourceLoc);
  });
}

/// `-> T` or `-> (T, ...)`; the verifier rejects all but `-> ()`.
static ParseResult parseResults(OpAsmParser &parser, SmallVectorImpl<Type> &results) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  auto parseType = [&] { return parseShortType(parser, results.emplace_back()); };
  if (failed(parser.parseOptionalLParen()))
    return parseType();
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseCommaSeparatedList(parseType) || parser.parseRParen());
}

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  MLIRContext *context = parser.getContext();
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseSymbolName(properties.sym_name) || parseArguments(parser, arguments) ||
      parseResults(parser, results) || parseMemoryHints(parser, properties.optimization_hints))
    return failure();

  SmallVector<Type> types;
  SmallVector<Attribute> attrs;
  for (const OpAsmParser::Argument &argument : arguments) {
    types.push_back(argument.type);
    attrs.push_back(argument.attrs);
  }
  properties.function_type = TypeAttr::get(FunctionType::get(context, types, results));
  properties.arg_attrs = ArrayAttr::get(context, attrs);

  // Without names, the body starts with a label that lists the arguments.
  bool named = arguments.empty() || !arguments.front().ssaName.name.empty();
  Region *body = result.addRegion();
  SMLoc bodyLoc = parser.getCurrentLocation();
  if (parser.parseRegion(*body, named ? ArrayRef(arguments) : ArrayRef<OpAsmParser::Argument>()))
    return failure();
  if (body->empty() && !named)
    return parser.emitError(bodyLoc)
           << "entry block must have " << types.size() << " arguments to match function signature";
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (const OpAsmParser::Argument &argument : arguments)
      block.addArgument(argument.type, argument.sourceLoc.value_or(builder.getUnknownLoc()));
  }
  ensureTerminator<ReturnOp>(*body, parser.getEncodedSourceLoc(loc));

  SMLoc dictLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  for (StringRef name : getAttributeNames())
    if (result.attributes.get(name))
      return parser.emitError(dictLoc)
             << "attribute '" << name << "' occurs more than once in the attribute list";
  return success();
}

void EntryOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  if (getBody().empty()) {
    printTileTypes(printer, *this, getArgumentTypes());
  } else {
    llvm::interleaveComma(getBody().getArguments(), printer, [&](BlockArgument argument) {
      printer << argument << ": ";
      printShortType(printer, argument.getType());
    });
  }
  printer << ")";
  if (!getResultTypes().empty()) {
    printer << " -> (";
    printTileTypes(printer, *this, getResultTypes());
    printer << ")";
  }
  OptimizationHintsAttr hints = getOptimizationHintsAttr();
  if (hints && !hints.getValue().empty()) {
    printer << " optimization_hints=";
    hints.print(printer);
  }
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
  printer.printOptionalAttrDict((*this)->getAttrs(), getAttributeNames());
}

LogicalResult EntryOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError() << "entry op must not return values";
  // Only tiles are checked; other types are reported in strict mode (textual format, 11.1).
  for (Type type : getArgumentTypes())
    if (auto tile = dyn_cast<TileType>(type); tile && tile.getRank() != 0)
      return emitOpError() << "entry op must have scalar types (rank 0 !cuda_tile.tile)";
  return verifyHints(*this, getOptimizationHintsAttr());
}

LogicalResult EntryOp::verifyRegions() {
  if (getBody().empty())
    return emitOpError() << "expects a body";
  if (!isa<ReturnOp>(getBody().front().back()))
    return emitOpError() << "expects its body to end with a `return` operation";
  return verifyDebugInfo(*this);
}

//===-- global --------------------------------------------------------------------------===//

ParseResult GlobalOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  auto visibility = SymbolVisibility::Public;
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, {"public", "private"})))
    visibility = *symbolizeSymbolVisibility(word);
  properties.symbol_visibility = SymbolVisibilityAttr::get(parser.getContext(), visibility);
  if (succeeded(parser.parseOptionalKeyword("constant")))
    properties.constant = builder.getUnitAttr();
  if (parser.parseSymbolName(properties.sym_name))
    return failure();
  int64_t alignment = 0;
  if (succeeded(parser.parseOptionalKeyword("alignment")))
    if (parser.parseEqual() || parser.parseInteger(alignment))
      return failure();
  properties.alignment = builder.getI64IntegerAttr(alignment);
  DenseElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) || parseLiteral(parser, value))
    return failure();
  properties.value = value;
  return success();
}

void GlobalOp::print(OpAsmPrinter &printer) {
  // Without a visibility there are two blanks, as in the public tools.
  printer << " " << (getSymbolVisibility() == SymbolVisibility::Private ? "private " : "") << " ";
  if (getConstant())
    printer << "constant ";
  printer.printSymbolName(getSymName());
  if (auto alignment = int64_t(getAlignment()))
    printer << " alignment = " << alignment;
  printer.printOptionalAttrDict((*this)->getAttrs(), getAttributeNames());
  printer << " ";
  printLiteral(printer, cast<DenseElementsAttr>(getValue()));
}

LogicalResult GlobalOp::verify() {
  auto value = dyn_cast<DenseElementsAttr>(getValue());
  auto type = value ? dyn_cast<TileType>(value.getType()) : TileType();
  if (!type || !isNumber(type.getElementType()))
    return emitOpError() << "value must be a dense tile of numbers, but is " << getValue();
  if (type.getRank() != 1)
    return emitOpError() << "type must have rank 1";
  return success();
}

//===-- get_global ----------------------------------------------------------------------===//

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto global = symbolTable.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError() << "'" << getName() << "' does not reference a valid global";
  Type element = cast<ShapedType>(global.getValue().getType()).getElementType();
  auto pointer = cast<PointerType>(cast<TileType>(getType()).getElementType());
  if (pointer.getPointeeType() != element)
    return emitOpError() << "pointee type of result type " << pointer << " does not match type "
                         << element << " of the global @" << getName();
  return success();
}
