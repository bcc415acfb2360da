// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses and prints the values of constants: one number for all elements, or nested lists of
// exactly the tile's shape. The numbers are parsed as the element type before them; the shape that
// they must have comes only after them (types, 11).

#include "tilewright/tile/text/Literal.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/text/Assembly.h"
#include "tilewright/tile/text/Spelling.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {

/// Lists nested deeper than any sensible rank would only overflow the stack.
constexpr unsigned maxNesting = 256;

/// Parses the body of a literal.
class LiteralParser {
public:
  LiteralParser(OpAsmParser &parser, Type elementType) : parser(parser), elementType(elementType) {}

  ParseResult parseBody();
  ParseResult parseScalar();
  /// The values as a tile of this type.
  DenseElementsAttr build(TileType type);

  /// The only float that was parsed.
  FloatAttr getFloat() const { return FloatAttr::get(elementType, floats.front()); }

private:
  ParseResult parseE5M3();
  ParseResult parseInteger();
  ParseResult parseList(unsigned depth);
  DenseElementsAttr buildFromBytes(TileType type);

  OpAsmParser &parser;
  Type elementType;
  SMLoc bodyLoc;
  bool isList = false;
  std::optional<std::string> bytes; ///< A quoted blob instead of numbers.
  SmallVector<int64_t> shape;       ///< Extents of the lists, outermost first.
  SmallVector<APInt> integers;
  SmallVector<APFloat> floats;
};

} // namespace

ParseResult LiteralParser::parseBody() {
  bodyLoc = parser.getCurrentLocation();
  std::string text;
  if (succeeded(parser.parseOptionalString(&text))) {
    bytes = std::move(text);
    return success();
  }
  if (failed(parser.parseOptionalLSquare()))
    return parseScalar();
  isList = true;
  return parseList(0);
}

/// Parses the rest of a list after its `[`.
ParseResult LiteralParser::parseList(unsigned depth) {
  SMLoc loc = parser.getCurrentLocation();
  if (depth == maxNesting)
    return parser.emitError(loc) << "tensor literal is nested deeper than " << maxNesting
                                 << " lists";
  auto inconsistent =
      [&] {
        return parser.emitError(loc)
               << "tensor literal is invalid; ranks are not consistent between elements";
      };
  // The first list at each depth determines the extent of its siblings.
  bool first = shape.size() == depth;
  if (first)
    shape.push_back(-1);
  int64_t extent = 0;
  do {
    bool nested = succeeded(parser.parseOptionalLSquare());
    // Scalars may be only in the innermost lists.
    if (bool(shape.size() > depth + 1) != nested && !(first && extent == 0))
      return inconsistent();
    if (nested ? parseList(depth + 1) : parseScalar())
      return failure();
    ++extent;
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseRSquare())
    return failure();
  if (shape[depth] == -1)
    shape[depth] = extent;
  return shape[depth] == extent ? ParseResult(success()) : ParseResult(inconsistent());
}

/// Rounds to a format without Inf: a number that is too large becomes NaN, or else the largest
/// number; in a format without sign, a negative number becomes NaN (operations, 4.1).
static APFloat roundWithoutInf(APFloat value, const llvm::fltSemantics &format) {
  bool hasNan = APFloat::semanticsHasNaN(format);
  if (value.isNegative() && !value.isZero() && !APFloat::semanticsHasSignedRepr(format))
    return APFloat::getNaN(format);
  APFloat largest = APFloat::getLargest(format);
  bool losesInfo;
  (void)largest.convert(value.getSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (!hasNan && abs(value) > largest)
    return APFloat::getLargest(format, value.isNegative());
  if (hasNan && value.isInfinity())
    return APFloat::getNaN(format, value.isNegative());
  (void)value.convert(format, APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

ParseResult LiteralParser::parseScalar() {
  auto floatType = dyn_cast<FloatType>(elementType);
  if (!floatType)
    return parseInteger();
  const llvm::fltSemantics &format = floatType.getFloatSemantics();
  // MLIR handles bit patterns, and overflow to Inf.
  const char *start = parser.getCurrentLocation().getPointer();
  StringRef text(start, strnlen(start, 3));
  bool isPattern = text.ltrim('-').starts_with("0x");
  if (isPattern)
    return parser.parseFloat(format, floats.emplace_back(format));
  if (isa<F8E5M3FNUType>(elementType))
    return parseE5M3();
  if (APFloat::semanticsHasInf(format))
    return parser.parseFloat(format, floats.emplace_back(format));
  APFloat number(0.0);
  if (parser.parseFloat(APFloat::IEEEdouble(), number))
    return failure();
  floats.push_back(roundWithoutInf(number, format));
  return success();
}

/// A number that is too large becomes NaN, and negative numbers are not allowed (13.4, section
/// 8.2).
ParseResult LiteralParser::parseE5M3() {
  SMLoc loc = parser.getCurrentLocation();
  APFloat number(0.0);
  if (parser.parseFloat(APFloat::IEEEdouble(), number))
    return failure();
  if (number.isNegative())
    return parser.emitError(loc) << "expected a number without sign, which f8E5M3FNU does not have";
  uint64_t bits = numerics::roundToFormat(number, numerics::Format::F8E5M3FNU).bits;
  floats.push_back(APFloat(cast<FloatType>(elementType).getFloatSemantics(), APInt(8, bits)));
  return success();
}

/// Accepts the union of the signed and the unsigned range; for i64 the signed range (types, 11.2).
ParseResult LiteralParser::parseInteger() {
  SMLoc loc = parser.getCurrentLocation();
  unsigned width = elementType.getIntOrFloatBitWidth();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, {"true", "false"}))) {
    if (width != 1)
      return parser.emitError(loc) << "expected integer value";
    integers.push_back(APInt(1, word == "true"));
    return success();
  }
  APInt value;
  OptionalParseResult result = parser.parseOptionalInteger(value);
  if (!result.has_value())
    return parser.emitError(loc) << "expected integer value";
  if (failed(*result))
    return failure();
  if (width == 64) {
    if (value.getSignificantBits() > 64)
      return parser.emitError(loc) << "integer value too large";
  } else {
    APInt wide = value.sextOrTrunc(128);
    if (value.getSignificantBits() > 100 || wide.slt(APInt::getSignedMinValue(width).sext(128)) ||
        wide.sgt(APInt::getMaxValue(width).zext(128)))
      return parser.emitError(loc) << "integer constant out of range for type";
  }
  integers.push_back(value.sextOrTrunc(width));
  return success();
}

DenseElementsAttr LiteralParser::build(TileType type) {
  if (type.getElementType() != elementType) {
    parser.emitError(bodyLoc) << "mismatch between the element type: " << elementType
                              << " and the tile element type " << type.getElementType();
    return {};
  }
  if (bytes)
    return buildFromBytes(type);
  if (isList && ArrayRef<int64_t>(shape) != type.getShape()) {
    parser.emitError(bodyLoc) << "inferred shape of elements literal ([" << shape
                              << "]) does not match type ([" << type.getShape() << "])";
    return {};
  }
  return isa<FloatType>(elementType) ? DenseElementsAttr::get(type, floats)
                                     : DenseElementsAttr::get(type, integers);
}

/// `"0x..."`: little-endian elements with the sizes of types, 11.6. The public 13.3 printer writes
/// large constants in this form.
DenseElementsAttr LiteralParser::buildFromBytes(TileType type) {
  std::string data;
  StringRef text = *bytes;
  if (!text.consume_front("0x") || !llvm::tryGetFromHex(text, data)) {
    parser.emitError(bodyLoc) << "expected a string of hexadecimal digits behind 0x";
    return {};
  }
  unsigned width = elementType.getIntOrFloatBitWidth();
  int64_t elementBytes = llvm::divideCeil(width, 8);
  int64_t count = type.getNumElements();
  auto sizeOf = [&](int64_t n) -> int64_t {
    return width == 1 ? llvm::divideCeil(n, 8) : n * elementBytes;
  };
  bool splat = int64_t(data.size()) == sizeOf(1) && count != 1 && sizeOf(1) != sizeOf(count);
  if (!splat && int64_t(data.size()) != sizeOf(count)) {
    parser.emitError(bodyLoc) << "expected " << sizeOf(count) << " bytes (or " << sizeOf(1)
                              << " for a splat) for " << type << ", got " << data.size();
    return {};
  }
  SmallVector<APInt> elements;
  for (int64_t i = 0; i < (splat ? 1 : count); ++i) {
    uint64_t bits = 0;
    if (width == 1)
      bits = (uint8_t(data[i / 8]) >> (i % 8)) & 1;
    else
      for (int64_t byte = 0; byte < elementBytes; ++byte)
        bits |= uint64_t(uint8_t(data[i * elementBytes + byte])) << (8 * byte);
    if (width < 64 && bits >> width) {
      parser.emitError(bodyLoc) << "element " << i << " does not fit in " << width << " bits";
      return {};
    }
    elements.push_back(APInt(width, bits));
  }
  auto floatType = dyn_cast<FloatType>(elementType);
  if (!floatType)
    return DenseElementsAttr::get(type, elements);
  for (const APInt &bits : elements)
    floats.push_back(APFloat(floatType.getFloatSemantics(), bits));
  return DenseElementsAttr::get(type, floats);
}

/// Whether this is the text of a number followed by the type f8E5M3FNU, in any of its spellings.
static bool isNumberOfE5M3(const char *start) {
  StringRef text(start, strnlen(start, 200));
  text = text.ltrim("+-").drop_while([](char c) { return llvm::isAlnum(c) || c == '.'; });
  text = text.ltrim("+-").drop_while(llvm::isDigit).ltrim(); // after the e of an exponent
  if (!text.consume_front(":"))
    return false;
  text = text.ltrim();
  text.consume_front("!cuda_tile.");
  StringRef word = text.take_while(llvm::isAlnum);
  return word == F8E5M3FNUType::getMnemonic() || word == "fnv8E5M3FNU";
}

static ParseResult parseNumber(OpAsmParser &parser, Attribute &value) {
  if (!isNumberOfE5M3(parser.getCurrentLocation().getPointer()))
    return parser.parseAttribute(value);
  Type type = F8E5M3FNUType::get(parser.getContext());
  LiteralParser literal(parser, type);
  if (literal.parseScalar() || parser.parseColon() || parseShortType(parser, type))
    return failure();
  value = literal.getFloat();
  return success();
}

ParseResult tile::parseNumbers(OpAsmParser &parser, ArrayAttr &values) {
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseAttribute(values);
  SmallVector<Attribute> numbers;
  auto parseOne = [&] { return parseNumber(parser, numbers.emplace_back()); };
  if (failed(parser.parseOptionalRSquare()))
    if (parser.parseCommaSeparatedList(parseOne) || parser.parseRSquare())
      return failure();
  values = parser.getBuilder().getArrayAttr(numbers);
  return success();
}

ParseResult tile::parseLiteral(OpAsmParser &parser, DenseElementsAttr &value) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("dense"))) {
    InFlightDiagnostic diag = parser.emitError(loc) << "expected '<'";
    diag.attachNote() << "values are written <f32: [1.0, 2.0]>, without 'dense'";
    return diag;
  }
  Type elementType, type;
  if (parser.parseLess())
    return failure();
  SMLoc elementLoc = parser.getCurrentLocation();
  if (parseShortType(parser, elementType))
    return failure();
  if (!isNumber(elementType))
    return parser.emitError(elementLoc)
           << "expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or "
              "f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU "
              "values, but got "
           << elementType;
  LiteralParser literal(parser, elementType);
  if (parser.parseColon() || literal.parseBody() || parser.parseGreater() || parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parseShortType(parser, type))
    return failure();
  auto tile = dyn_cast<TileType>(type);
  if (!tile)
    return parser.emitError(typeLoc) << "expected a tile type, but got " << type;
  value = literal.build(tile);
  return success(bool(value));
}

//===-- Printing (types, 11.5) ---------------------------------------------------------===//

static void printElement(OpAsmPrinter &printer, Type elementType, const APInt &value) {
  if (elementType.isInteger(1))
    printer << (value.getBoolValue() ? "true" : "false");
  else
    value.print(printer.getStream(), /*isSigned=*/true);
}

APFloat tile::numberIn(Type elementType, const APFloat &held) {
  if (!isa<F8E5M3FNUType>(elementType))
    return held;
  auto element = numerics::Element::fromBits(numerics::Format::F8E5M3FNU,
                                             held.bitcastToAPInt().getZExtValue());
  // bf16 represents all numbers of this format and few others, so it prints equally few digits.
  APFloat number(element.asDouble());
  bool losesInfo;
  (void)number.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number;
}

static void printElement(OpAsmPrinter &printer, Type elementType, const APFloat &value) {
  APFloat number = numberIn(elementType, value);
  if (number.isNaN() && isa<F8E5M3FNUType>(elementType))
    printer << "0xFF";
  else
    printer.printFloat(number);
}

static bool isE5M3(Attribute value) {
  auto number = dyn_cast<FloatAttr>(value);
  return number && isa<F8E5M3FNUType>(number.getType());
}

void tile::printNumbers(OpAsmPrinter &printer, ArrayAttr values) {
  if (llvm::none_of(values, isE5M3)) {
    printer << values;
    return;
  }
  printer << "[";
  llvm::interleaveComma(values, printer, [&](Attribute value) {
    if (!isE5M3(value)) {
      printer << value;
      return;
    }
    auto number = cast<FloatAttr>(value);
    printElement(printer, number.getType(), number.getValue());
    printer << " : ";
    printShortType(printer, number.getType());
  });
  printer << "]";
}

/// Nested lists, in one walk over the elements.
template <typename Values>
static void printValues(OpAsmPrinter &printer, TileType type, const Values &values, bool splat) {
  auto value = values.begin();
  if (splat || type.getRank() == 0)
    return printElement(printer, type.getElementType(), *value);
  auto printList = [&](auto &&self, ArrayRef<int64_t> shape) -> void {
    if (shape.empty())
      return printElement(printer, type.getElementType(), *value++);
    printer << "[";
    for (int64_t i = 0; i < shape.front(); ++i) {
      if (i != 0)
        printer << ", ";
      self(self, shape.drop_front());
    }
    printer << "]";
  };
  printList(printList, type.getShape());
}

void tile::printLiteral(OpAsmPrinter &printer, DenseElementsAttr value) {
  auto type = cast<TileType>(value.getType());
  printer << "<";
  printShortType(printer, type.getElementType());
  printer << ": ";
  if (isa<FloatType>(type.getElementType()))
    printValues(printer, type, value.getValues<APFloat>(), value.isSplat());
  else
    printValues(printer, type, value.getValues<APInt>(), value.isSplat());
  printer << "> : ";
  printShortType(printer, type);
}
