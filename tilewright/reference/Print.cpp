// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does print_tko write? The format's text, and for each expression in it the
// argument: every element by the C library's own conversion, after the promotions of
// C, in brackets per dimension (operations, 6.3). The specifier is taken apart and put
// together again for the C type that the promoted element has, so a format of the
// kernel never reaches printf as it is. Elements go out one by one, since all of them
// together may be larger than memory; that all can be printed is known before the first.

#include "tilewright/reference/Operations.h"
#include "tilewright/reference/TileBlock.h"
#include "tilewright/tile/FormatString.h"

#include <cstdio>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::StringRef;

namespace {
/// `%-8.3f`: flags, width and precision; and the conversion. Length modifiers only say
/// how wide the argument is, which its type says, too.
struct Specifier {
  std::string flags;
  char conversion;
  bool isLong = false;
  /// Something that C would read a further argument for, or that writes memory.
  bool isRefused = false;
};
} // namespace

/// C promises conversions of up to 4095 characters, and nobody wants more.
static constexpr unsigned maxWidth = 4095;

/// `expression` starts with `%` and ends with the conversion.
static Specifier parseSpecifier(StringRef expression) {
  Specifier specifier{"", expression.back()};
  for (char c : expression.drop_front().drop_back()) {
    if (c == 'l' || c == 'j' || c == 'L' || c == 'q')
      specifier.isLong = true;
    else if (StringRef("0123456789-+ #.'").contains(c))
      specifier.flags += c;
    else if (!StringRef("htz").contains(c))
      specifier.isRefused = true;
  }
  llvm::SmallVector<StringRef, 2> widths;
  StringRef(specifier.flags).ltrim("-+ #0'").split(widths, '.', /*MaxSplit=*/1);
  for (StringRef digits : widths) {
    unsigned width = 0;
    specifier.isRefused |= !digits.empty() && (digits.getAsInteger(10, width) || width > maxWidth);
  }
  specifier.isRefused |= !StringRef("diuoxXcpeEfFgGaA").contains(specifier.conversion);
  return specifier;
}

template <typename Value>
static std::string formatAs(const Specifier &specifier, const char *length, Value value) {
  std::string format = "%" + specifier.flags + length + specifier.conversion;
  int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size < 0) // a width beyond what the C library can count
    return "";
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

static bool isFloatConversion(char conversion) {
  return StringRef("eEfFgGaA").contains(conversion);
}

/// The bits an integer conversion prints: narrow integers are widened, by their sign
/// for `d` and `i`; i1 is 0 or 1 for all of them. Without `ll` only the low 32 count.
static int64_t promoted(const Specifier &specifier, Element element) {
  bool isSigned = specifier.conversion == 'd' || specifier.conversion == 'i';
  if (isSigned && element.format != Format::I1)
    return element.asSigned();
  return int64_t(element.asUnsigned());
}

/// The exact value, as near as the other kind can hold it, for the specifiers of the
/// other kind (their output is undefined).
static int64_t asInteger(double value) {
  if (!(value > -9.2e18 && value < 9.2e18))
    return 0;
  return int64_t(value);
}

static std::string elementText(const Specifier &specifier, Element element) {
  const numerics::FormatInfo &info = numerics::info(element.format);
  if (isFloatConversion(specifier.conversion)) {
    double value = info.isFloat() ? element.asDouble() : double(int64_t(element.bits));
    if (info.isInteger())
      value = double(element.asSigned());
    return formatAs(specifier, "", value);
  }
  if (specifier.conversion == 'p')
    return formatAs(specifier, "", reinterpret_cast<void *>(element.bits));
  int64_t bits = info.isFloat() ? asInteger(element.asDouble()) : promoted(specifier, element);
  if (specifier.conversion == 'c')
    return formatAs(specifier, "", int(bits));
  return specifier.isLong ? formatAs(specifier, "ll", (long long)(bits))
                          : formatAs(specifier, "", int(bits));
}

/// Whether C defines what this conversion does with an argument of this format.
static bool fits(const Specifier &specifier, Format format) {
  const numerics::FormatInfo &info = numerics::info(format);
  if (info.isPointer())
    return specifier.conversion == 'p' ||
           (specifier.isLong && StringRef("uxXo").contains(specifier.conversion));
  if (specifier.conversion == 'p' || info.isFloat() != isFloatConversion(specifier.conversion))
    return false;
  // C reads as many bits as the length says: half of a number without, beyond it with.
  bool isWide = info.bits == 64;
  return info.isFloat() || specifier.isLong == isWide;
}

static void printElements(llvm::raw_ostream &out, const Specifier &specifier, const Tile &value,
                          int64_t dim, int64_t &next) {
  if (dim == value.rank()) {
    out << elementText(specifier, value[next++]);
    return;
  }
  out << "[";
  for (int64_t i = 0; i < value.shape()[dim]; ++i) {
    if (i)
      out << ", ";
    printElements(out, specifier, value, dim + 1, next);
  }
  out << "]";
}

static void printArgument(TileBlock &block, tile::PrintOp op, StringRef expression,
                          const Tile &value) {
  llvm::raw_ostream &out = *block.launch().options.output;
  Specifier specifier = parseSpecifier(expression);
  if (specifier.isRefused) {
    block.reportOnce(Check::Print, op, "'" + expression + "' cannot print an element");
    out << expression;
    return;
  }
  if (!fits(specifier, value.format()))
    block.reportOnce(Check::Print, op,
                     "'" + expression + "' does not fit elements of type " +
                         numerics::info(value.format()).spelling);
  int64_t next = 0;
  printElements(out, specifier, value, 0, next);
}

LogicalResult reference::execute(TileBlock &block, tile::PrintOp op) {
  for (auto [number, argument] : llvm::enumerate(op.getArgs()))
    if (llvm::failed(block.requireDefined(op, argument, "argument " + llvm::Twine(number))))
      return llvm::failure();

  // Printing has its place in the token order, and hands it on.
  Token token = block.token(op.getToken());
  if (llvm::failed(block.settle(token)))
    return llvm::failure();
  auto pieces = tile::scanFormat(op.getStr());
  assert(pieces && "expressions of a verified format end");
  mlir::OperandRange arguments = op.getArgs();
  for (const tile::FormatPiece &piece : *pieces) {
    if (!piece.isExpression) {
      *block.launch().options.output << piece.text;
      continue;
    }
    printArgument(block, op, piece.text, block.tile(arguments.front()));
    arguments = arguments.drop_front();
  }
  return block.define(op.getResultToken(), std::move(token));
}
