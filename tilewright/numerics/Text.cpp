// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements as text, in the form of launch arguments: toString writes what parseElement reads.

#include "tilewright/numerics/Convert.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tilewright::numerics;

/// Parses a text that consists only of digits of this base.
static std::optional<uint64_t> parseDigits(llvm::StringRef digits, unsigned base) {
  uint64_t value;
  // StringRef would also accept a sign or an empty text.
  if (digits.empty() || !llvm::isHexDigit(digits.front()) || digits.getAsInteger(base, value))
    return std::nullopt;
  return value;
}

static std::optional<uint64_t> parseMagnitude(llvm::StringRef text) {
  if (text.starts_with_insensitive("0x"))
    return parseDigits(text.drop_front(2), 16);
  return parseDigits(text, 10);
}

static std::optional<Element> parseInteger(Format format, llvm::StringRef text) {
  if (format == Format::I1 && (text == "true" || text == "false"))
    return Element::boolean(text == "true");
  bool negative = text.consume_front("-");
  std::optional<uint64_t> magnitude = parseMagnitude(text);
  const FormatInfo &f = info(format);
  uint64_t limit = negative ? f.signBit() : f.mask();
  if (!magnitude || *magnitude > limit || (negative && f.isPointer()))
    return std::nullopt;
  return Element::integer(format, int64_t(negative ? -*magnitude : *magnitude));
}

static std::optional<Element> parseFloat(Format format, llvm::StringRef text) {
  const FormatInfo &f = info(format);
  if (text.starts_with_insensitive("0x")) {
    std::optional<uint64_t> bits = parseMagnitude(text);
    if (!bits || *bits > f.mask())
      return std::nullopt;
    return Element::fromBits(format, *bits);
  }
  if (text == "nan")
    return f.hasNan ? std::optional(Element::canonicalNan(format)) : std::nullopt;
  if (text == "inf" || text == "-inf") {
    uint64_t sign = text.starts_with("-") ? f.signBit() : 0;
    return f.hasInf ? std::optional(Element::fromBits(format, sign | f.infinity())) : std::nullopt;
  }
  return roundDecimal(text, format);
}

std::optional<Element> tilewright::numerics::parseElement(Format format, llvm::StringRef text) {
  return info(format).isFloat() ? parseFloat(format, text) : parseInteger(format, text);
}

static std::string hex(uint64_t bits) { return "0x" + llvm::utohexstr(bits); }

static std::string floatText(Element element) {
  if (element.isNan())
    return element == Element::canonicalNan(element.format) ? "nan" : hex(element.bits);
  if (element.isInf())
    return element.isNegative() ? "-inf" : "inf";
  // Write whole numbers with all digits, even if fewer would read back.
  double value = element.asDouble();
  if (value == std::trunc(value) && std::abs(value) < 1e7) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.0f", value);
    return text;
  }
  // 17 digits distinguish all f64; the first length that reads back is the shortest.
  for (int digits = 1; digits <= 17; ++digits) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    if (roundDecimal(text, element.format) == element)
      return text;
  }
  return hex(element.bits);
}

std::string tilewright::numerics::toString(Element element) {
  const FormatInfo &f = info(element.format);
  if (element.poison)
    return "poison";
  if (f.isFloat())
    return floatText(element);
  if (f.isPointer())
    return hex(element.bits);
  if (element.format == Format::I1)
    return element.bits ? "true" : "false";
  return std::to_string(element.asSigned());
}
