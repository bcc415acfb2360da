// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ArrayValue.h. The first bracket decides what a text is: `TYPE[` begins a list of elements,
// `NAME(` a generator; otherwise the text must be the name of a .npy file.

#include "tools/tilewright/arrays/ArrayValue.h"

#include "tilewright/numerics/Convert.h"
#include "tilewright/runtime/Npy.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <random>

using namespace tilewright;
using namespace tilewright::tools;
using namespace llvm;
using numerics::Element;
using numerics::Format;
using numerics::FormatInfo;
using support::Failure;
using support::Result;

static std::string inQuotes(StringRef text) { return "'" + text.str() + "'"; }

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Describes the valid texts for a value of this format, for messages.
static std::string valuesOf(Format format) {
  const FormatInfo &f = numerics::info(format);
  if (format == Format::I1)
    return "true, false, 0 or 1";
  if (!f.isFloat())
    return "an integer from -" + std::to_string(f.signBit()) + " to " + std::to_string(f.mask());
  // Printed as an f64: the shortest text of a narrower format has too few digits.
  const Element largest = Element::fromDouble(Element::fromBits(format, f.largest).asDouble());
  const char *numbers = f.hasSign   ? "a number of magnitude up to "
                        : f.hasZero ? "a number from 0 to "
                                    : "a positive number up to ";
  return numbers + numerics::toString(largest) + (f.hasInf ? ", inf" : "") +
         (f.hasNan ? ", nan" : "") + " or 0x with the bit pattern";
}

/// Whether rounding lost more than precision: the literal overflowed or was saturated, or it is 0
/// and the format has no zero.
static bool isOutOfRange(StringRef text, Element rounded) {
  const FormatInfo &f = numerics::info(rounded.format);
  if (!f.isFloat() || text.starts_with_insensitive("0x") || text == "nan" || text.ends_with("inf"))
    return false;
  if (!std::isfinite(rounded.asDouble()))
    return true;
  const std::optional<Element> exact = numerics::roundDecimal(text, Format::F64);
  const bool lostZero = exact->asDouble() == 0 && rounded.asDouble() != 0;
  const bool saturated = !f.hasNan && std::abs(exact->asDouble()) >
                                          Element::fromBits(rounded.format, f.largest).asDouble();
  return lostZero || saturated;
}

Result<Element> tools::parseValue(Format format, StringRef text) {
  const std::optional<Element> element = numerics::parseElement(format, text);
  if (!element || isOutOfRange(text, *element))
    return Failure{"expected a value of " + std::string(numerics::info(format).spelling) + " (" +
                   valuesOf(format) + "), but found " + inQuotes(text)};
  return *element;
}

//===----------------------------------------------------------------------===//
// Lists: f32[[1, 2], [3, 4]]
//===----------------------------------------------------------------------===//

namespace {

/// Parses nested lists into the texts of the elements, in C order, and the shape.
class ListParser {
public:
  explicit ListParser(StringRef text) : rest(text) {}

  Result<void> parse();

  SmallVector<StringRef> cells;
  SmallVector<int64_t> shape;

private:
  Result<void> parseList();
  Result<void> parseCell();
  Result<void> close(int64_t count);
  Result<void> setRank(size_t found);
  std::string place() const;

  StringRef rest;
  /// The current position in each open list.
  SmallVector<int64_t> path;
  std::optional<size_t> rank;
};

} // namespace

Result<void> ListParser::parse() {
  rest.consume_front("[");
  if (Result<void> list = parseList(); !list)
    return list;
  if (!rest.empty())
    return Failure{"expected the list to end the value, but found " + inQuotes(rest) +
                   " behind it"};
  return {};
}

/// Parses the rest of a list, after the opening bracket.
Result<void> ListParser::parseList() {
  if (path.size() == runtime::maxRank)
    return Failure{"lists nest deeper than the " + std::to_string(runtime::maxRank) +
                   " dimensions an array may have"};
  path.push_back(0);
  rest = rest.ltrim();
  if (rest.consume_front("]")) {
    if (Result<void> leaf = setRank(path.size()); !leaf)
      return leaf;
    return close(0);
  }
  for (;; ++path.back()) {
    rest = rest.ltrim();
    if (Result<void> next = rest.consume_front("[") ? parseList() : parseCell(); !next)
      return next;
    rest = rest.ltrim();
    if (rest.consume_front("]"))
      return close(path.back() + 1);
    if (!rest.consume_front(","))
      return Failure{"expected ',' or ']' behind element " + place() + ", but found " +
                     (rest.empty() ? "the end" : inQuotes(rest))};
  }
}

Result<void> ListParser::parseCell() {
  if (Result<void> leaf = setRank(path.size()); !leaf)
    return leaf;
  const StringRef cell = rest.take_until([](char c) { return c == ',' || c == '[' || c == ']'; });
  rest = rest.drop_front(cell.size());
  if (cell.trim().empty())
    return Failure{"element " + place() + " is missing"};
  cells.push_back(cell.trim());
  return {};
}

/// Closes the innermost open list. All lists of a dimension must have the same number of entries.
Result<void> ListParser::close(int64_t count) {
  path.pop_back();
  const size_t dim = path.size();
  if (shape.size() <= dim)
    shape.resize(dim + 1, -1);
  if (shape[dim] >= 0 && shape[dim] != count)
    return Failure{"list " + place() + " has extent " + std::to_string(count) +
                   ", but the ones before it have " + std::to_string(shape[dim])};
  shape[dim] = count;
  return {};
}

/// Verifies that all elements are at the same depth.
Result<void> ListParser::setRank(size_t found) {
  if (rank && *rank != found)
    return Failure{"element " + place() + " is at depth " + std::to_string(found) +
                   ", but the ones before it at depth " + std::to_string(*rank)};
  rank = found;
  return {};
}

std::string ListParser::place() const {
  const auto spell = [](int64_t position) { return std::to_string(position); };
  return "[" + join(map_range(path, spell), ", ") + "]";
}

/// Verifies the element type that the text of an array names.
static Result<void> checkType(StringRef spelling, Format expected) {
  const StringRef name = numerics::info(expected).spelling;
  if (spelling == name)
    return {};
  if (numerics::formatNamed(spelling))
    return Failure{"expected an array of " + name.str() + ", but found one of " + spelling.str()};
  return Failure{"expected element type " + name.str() + ", but found " + inQuotes(spelling)};
}

static Result<TypedArray> makeList(StringRef type, StringRef list, Format format) {
  if (Result<void> typed = checkType(type, format); !typed)
    return typed.failure();
  ListParser parser(list);
  if (Result<void> parsed = parser.parse(); !parsed)
    return parsed.failure();
  Result<TypedArray> array = TypedArray::create(format, parser.shape);
  if (!array)
    return array;
  for (const auto &[index, cell] : enumerate(parser.cells)) {
    Result<Element> element = parseValue(format, cell);
    if (!element)
      return element.failure().at("element " + std::to_string(index));
    array->store(int64_t(index), *element);
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Generators: zeros(128x64xf16)
//===----------------------------------------------------------------------===//

Element tools::randomElement(Format format, uint64_t draw) {
  const FormatInfo &f = numerics::info(format);
  if (format == Format::I1)
    return Element::boolean(draw >> 63);
  if (!f.isFloat())
    return Element::integer(format, int64_t(draw >> (65 - f.bits)));
  if (format == Format::F8E8M0FNU)
    return Element::fromBits(format, uint64_t(f.bias) - 8 + (draw >> 61));
  // Near zero, values are multiples of the smallest subnormal: f4E2M1FN has 0.5 but not 0.25.
  const int digits = std::min(f.precision(), f.mantissaBits - f.minExponent());
  return numerics::roundToFormat(std::ldexp(double(draw >> (64 - digits)), -digits), format);
}

static Result<void> fillRandom(TypedArray &array, uint64_t seed) {
  std::mt19937_64 generator(seed);
  for (int64_t index = 0, count = array.elementCount(); index < count; ++index)
    array.store(index, randomElement(array.format(), generator()));
  return {};
}

static Result<void> fillIota(TypedArray &array) {
  const FormatInfo &f = numerics::info(array.format());
  for (int64_t index = 0, count = array.elementCount(); index < count; ++index) {
    const Element element = f.isFloat() ? numerics::roundToFormat(double(index), f.format)
                                        : Element::integer(f.format, index);
    const bool isExact =
        f.isFloat() ? element.asDouble() == double(index) : element.asUnsigned() == uint64_t(index);
    if (!isExact)
      return Failure{"iota counts to " + std::to_string(count - 1) + ", but " +
                     std::string(f.spelling) + " has no " + std::to_string(index)};
    array.store(index, element);
  }
  return {};
}

/// `128x64xf16`, or `f16` for an array of rank 0.
static Result<SmallVector<int64_t>> parseShape(StringRef text, Format format) {
  const auto [dimensions, type] = text.contains('x') ? text.rsplit('x') : std::pair("", text);
  SmallVector<StringRef> pieces;
  if (text.contains('x'))
    dimensions.split(pieces, 'x');
  SmallVector<int64_t> shape;
  for (StringRef piece : pieces) {
    int64_t extent;
    if (!all_of(piece, isDigit) || piece.getAsInteger(10, extent))
      return Failure{"expected a shape like 128x64x" +
                     std::string(numerics::info(format).spelling) + ", but found " +
                     inQuotes(text)};
    shape.push_back(extent);
  }
  if (Result<void> typed = checkType(type, format); !typed)
    return typed.failure();
  return shape;
}

static Result<uint64_t> parseSeed(StringRef text) {
  uint64_t seed;
  StringRef digits = text;
  if (!digits.consume_front("seed=") || digits.empty() || !all_of(digits, isDigit) ||
      digits.getAsInteger(10, seed))
    return Failure{"expected seed=NUMBER below 2^64, but found " + inQuotes(text)};
  return seed;
}

static Result<TypedArray> makeGenerated(StringRef name, StringRef arguments, Format format) {
  if (name != "zeros" && name != "random" && name != "iota" && name != "empty")
    return Failure{"expected zeros(...), random(...), iota(...) or empty(...), but found " +
                   inQuotes(name.str() + "(...)")};
  if (!arguments.consume_back(")"))
    return Failure{"expected " + name.str() + "(...) to end with ')'"};
  const auto [shapeText, seedText] = arguments.split(';');
  Result<uint64_t> seed = uint64_t(0);
  if (arguments.contains(';')) {
    if (name != "random")
      return Failure{name.str() + " takes a shape only, but found " +
                     inQuotes(";" + seedText.str())};
    seed = parseSeed(seedText);
    if (!seed)
      return seed.failure();
  }
  Result<SmallVector<int64_t>> shape = parseShape(shapeText, format);
  if (!shape)
    return shape.failure();

  Result<TypedArray> array = TypedArray::create(format, *shape, name == "empty" ? 0xAA : 0);
  if (!array)
    return array;
  if (name == "empty")
    array->setUninitialised();
  Result<void> filled;
  if (name == "random")
    filled = fillRandom(*array, *seed);
  if (name == "iota")
    filled = fillIota(*array);
  if (!filled)
    return filled.failure();
  return array;
}

//===----------------------------------------------------------------------===//
// Any array
//===----------------------------------------------------------------------===//

static bool isFile(StringRef text) { return text.ends_with(".npy"); }

bool tools::isArrayValue(StringRef text) {
  return isFile(text) || text.contains('[') || text.contains('(');
}

static Result<TypedArray> makeFromFile(StringRef path, Format format) {
  Result<runtime::Array> storage = runtime::readNpy(std::filesystem::path(path.str()));
  if (!storage)
    return storage.failure();
  Result<TypedArray> array = TypedArray::fromStorage(format, std::move(*storage));
  if (!array)
    return array.failure().at(path.str());
  return array;
}

Result<TypedArray> tools::makeArray(StringRef text, Format format) {
  if (isFile(text))
    return makeFromFile(text, format);
  const size_t bracket = text.find_first_of("[(");
  if (bracket == StringRef::npos)
    return Failure{"expected an array of " + std::string(numerics::info(format).spelling) +
                   " (TYPE[...], zeros(...), random(...), iota(...), empty(...) or FILE.npy), "
                   "but found " +
                   inQuotes(text)};
  const StringRef name = text.take_front(bracket), rest = text.drop_front(bracket);
  if (rest.front() == '[')
    return makeList(name, rest, format);
  return makeGenerated(name, rest.drop_front(), format);
}
