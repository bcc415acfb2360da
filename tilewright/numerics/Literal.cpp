// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts numbers in program text to elements. Everything before the single rounding (types, 2.7)
// is exact: decimal digits become a quotient of two integers, of which the first 64 bits and a
// sticky bit are kept.

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

using namespace tilewright::numerics;
using boost::multiprecision::cpp_int;

static Element roundLiteral(ExactValue value, Format to) {
  return round(value, to, RoundingMode::NearestEven, Beyond::Ieee);
}

Element tilewright::numerics::roundToFormat(double value, Format to) {
  return round(value, to, RoundingMode::NearestEven, Beyond::Ieee);
}

Element tilewright::numerics::roundToFormat(const llvm::APFloat &value, Format to) {
  if (value.isNaN() || value.isInfinity() || value.isZero())
    return roundToFormat(value.isNaN() ? std::nan("") : value.convertToDouble(), to);
  // An IEEE quad holds every value of up to 113 bits.
  llvm::APFloat quad = value;
  bool losesInfo = false;
  quad.convert(llvm::APFloat::IEEEquad(), llvm::RoundingMode::TowardZero, &losesInfo);
  int exponent = llvm::ilogb(quad) - 112;
  llvm::APFloat scaled = llvm::scalbn(abs(quad), -exponent, llvm::RoundingMode::TowardZero);
  llvm::APSInt significand(113, /*isUnsigned=*/true);
  bool exact = false;
  scaled.convertToInteger(significand, llvm::RoundingMode::TowardZero, &exact);
  assert(exact && "scaled so that the last bit of the significand is 1");
  const unsigned dropped = 113 - 64;
  bool sticky = losesInfo || significand.countr_zero() < dropped;
  return roundLiteral({quad.isNegative(), significand.lshr(dropped).getZExtValue(),
                       exponent + int(dropped), sticky},
                      to);
}

//===----------------------------------------------------------------------===//
// Decimal text
//===----------------------------------------------------------------------===//

namespace {
/// (-1)^negative * digits * 10^exponent.
struct Decimal {
  bool negative;
  std::string digits; ///< without leading zeros; empty for zero
  int64_t exponent;
};
} // namespace

static llvm::StringRef takeDigits(llvm::StringRef &text) {
  llvm::StringRef digits = text.take_while([](char c) { return llvm::isDigit(c); });
  text = text.drop_front(digits.size());
  return digits;
}

/// Parses the exponent after the e. Exponents that do not fit in an int are treated as 10^8.
static std::optional<int64_t> readExponent(llvm::StringRef text) {
  bool negative = text.consume_front("-");
  if (!negative)
    text.consume_front("+");
  llvm::StringRef digits = takeDigits(text);
  if (digits.empty() || !text.empty())
    return std::nullopt;
  int value;
  if (digits.getAsInteger(10, value))
    value = 100000000;
  return negative ? -int64_t(value) : int64_t(value);
}

/// Parses digits with at most one decimal point, and an optional exponent.
static std::optional<Decimal> readDecimal(llvm::StringRef text) {
  Decimal result = {text.consume_front("-"), "", 0};
  llvm::StringRef whole = takeDigits(text), fraction;
  if (text.consume_front("."))
    fraction = takeDigits(text);
  if (whole.empty() && fraction.empty())
    return std::nullopt;
  if (!text.empty()) {
    if (!text.consume_front("e") && !text.consume_front("E"))
      return std::nullopt;
    std::optional<int64_t> exponent = readExponent(text);
    if (!exponent)
      return std::nullopt;
    result.exponent = *exponent;
  }
  std::string all = (whole + fraction).str();
  result.digits = llvm::StringRef(all).ltrim('0').str();
  result.exponent -= int64_t(fraction.size());
  return result;
}

/// Midpoints between two values have fewer than 800 digits. Of all further digits only whether they
/// are zero matters, which one extra digit records.
static void shorten(Decimal &decimal) {
  const size_t enough = 800;
  if (decimal.digits.size() <= enough)
    return;
  bool more = decimal.digits.find_first_not_of('0', enough) != std::string::npos;
  decimal.exponent += int64_t(decimal.digits.size() - enough) - 1;
  decimal.digits.resize(enough);
  decimal.digits += more ? '1' : '0';
}

std::optional<Element> tilewright::numerics::roundDecimal(llvm::StringRef text, Format to) {
  std::optional<Decimal> decimal = readDecimal(text);
  if (!decimal)
    return std::nullopt;
  bool negative = decimal->negative;
  if (decimal->digits.empty())
    return roundToFormat(negative ? -0.0 : 0.0, to);
  shorten(*decimal);
  // Avoid computing huge powers of ten for values far outside every format.
  int64_t order = int64_t(decimal->digits.size()) + decimal->exponent;
  if (order > 400 || order < -400)
    return roundLiteral({negative, 1, order > 0 ? 2000 : -2000}, to);

  int exponent = int(decimal->exponent);
  cpp_int numerator(decimal->digits), denominator(1);
  (exponent > 0 ? numerator : denominator) *= pow(cpp_int(10), std::abs(exponent));
  // At least 64 bits before the binary point.
  int shift = std::max(0, int(msb(denominator)) - int(msb(numerator)) + 64);
  cpp_int quotient, remainder;
  divide_qr(cpp_int(numerator << shift), denominator, quotient, remainder);
  int dropped = int(msb(quotient)) - 63;
  bool sticky = remainder != 0 || int(lsb(quotient)) < dropped;
  return roundLiteral(
      {negative, static_cast<uint64_t>(cpp_int(quotient >> dropped)), dropped - shift, sticky}, to);
}
