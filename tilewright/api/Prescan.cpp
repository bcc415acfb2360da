// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prescan.h. Only splits the text into tokens and does not parse it, so the rules are wider
// than the bugs in MLIR's parser that they avoid.

#include "tilewright/api/Prescan.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;

static constexpr unsigned maxNesting = 256;
static constexpr size_t maxWord = 4096;

//===-- Tokens ------------------------------------------------------------------------------===//

namespace {

/// A word, a number, a string, or one or two other characters; empty at the end of the text.
struct Token {
  StringRef text;
  bool isWord = false; ///< A word or a number.
  /// A sigil is directly in front, as in `%dense`: the word is a name.
  bool isName = false;

  bool is(StringRef expected) const { return text == expected; }
  bool isKeyword(StringRef keyword) const { return isWord && !isName && text == keyword; }
  bool opens() const { return !isWord && text.size() == 1 && StringRef("([{<").contains(text[0]); }
  bool closes() const { return !isWord && text.size() == 1 && StringRef(")]}>").contains(text[0]); }
};

class Lexer {
public:
  explicit Lexer(StringRef text) : text(text) {}

  Token next();
  /// Consumes the next token if it is `expected`.
  bool take(StringRef expected);

private:
  void skipBlanks();
  size_t endOfString() const;

  StringRef text;
  size_t at = 0;
};

} // namespace

static bool isPartOfName(char c) { return llvm::isAlnum(c) || StringRef("_$.").contains(c); }

/// The length of a number or of the extents of a shape. Ends where MLIR's lexer starts the next
/// word: the keyword in `1floordiv`, the element type in `4x?xf32`.
static size_t lengthOfNumber(StringRef text) {
  StringRef digits = text;
  if (digits.consume_front("0x") && !digits.empty() && llvm::isHexDigit(digits.front()))
    return std::min(text.find_if_not(llvm::isHexDigit, 2), text.size());
  StringRef rest = text.drop_while(llvm::isDigit);
  if (rest.consume_front(".")) {
    rest = rest.drop_while(llvm::isDigit);
    if (rest.size() > 1 && llvm::toLower(rest[0]) == 'e' && llvm::isDigit(rest[1]))
      rest = rest.drop_front().drop_while(llvm::isDigit);
  }
  rest = rest.drop_while([](char c) { return llvm::isDigit(c) || c == 'x' || c == '?'; });
  return text.size() - rest.size();
}

/// The length of the word that the text starts with; 0 if it starts with none.
static size_t lengthOfWord(StringRef text, bool isName) {
  if (isName && llvm::isDigit(text.front()))
    return std::min(text.find_if_not(llvm::isDigit), text.size());
  if (llvm::isDigit(text.front()) || text.front() == '?')
    return lengthOfNumber(text);
  return std::min(text.find_if_not(isPartOfName), text.size());
}

/// Skips whitespace and comments.
void Lexer::skipBlanks() {
  while (at < text.size()) {
    if (text.substr(at).starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else if (llvm::isSpace(text[at]) || text[at] == 0)
      ++at;
    else
      return;
  }
}

/// A backslash escapes the next character; strings end at the end of the line.
size_t Lexer::endOfString() const {
  size_t end = at + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

Token Lexer::next() {
  skipBlanks();
  if (at == text.size())
    return {};
  const size_t start = at;
  const bool isName = start != 0 && StringRef("%@#!^").contains(text[start - 1]);
  if (size_t length = lengthOfWord(text.substr(at), isName)) {
    at += length;
    return {text.slice(start, at), /*isWord=*/true, isName};
  }
  StringRef rest = text.substr(at);
  if (rest.starts_with("\""))
    at = endOfString();
  else // the `>` of an arrow or a comparison is no bracket
    at += rest.starts_with("->") || rest.starts_with(">=") ? 2 : 1;
  return {text.slice(start, at)};
}

bool Lexer::take(StringRef expected) {
  Lexer ahead = *this;
  if (!ahead.next().is(expected))
    return false;
  *this = ahead;
  return true;
}

//===-- Input that crashes the parser -------------------------------------------------------===//

static Hazard hazardAt(const Token &token, std::string what) {
  return {token.text.data(), std::move(what)};
}

/// After `array`: an element type without a width crashes the parser. Aliases are not resolved
/// here, so they are rejected.
static std::optional<Hazard> checkArray(Lexer rest) {
  if (!rest.take("<"))
    return std::nullopt;
  Token element = rest.next();
  if (!element.is("index") && !element.is("!"))
    return std::nullopt;
  return hazardAt(element,
                  "expected array<...> to spell out an integer or float type, but found '" +
                      (element.is("!") ? "!" + rest.next().text : element.text).str() + "'");
}

/// Is the next type a tensor of complex numbers: `: tensor<2xcomplex<`?
static bool isOfComplexType(Lexer rest) {
  if (!rest.take(":") || !rest.take("tensor") || !rest.take("<"))
    return false;
  std::string element;
  Token token = rest.next();
  for (; token.isWord && !token.isName; token = rest.next())
    element += token.text;
  StringRef extents = element;
  return token.is("<") && extents.consume_back("complex") &&
         extents.find_first_not_of("0123456789x") == StringRef::npos;
}

/// After `dense` or `sparse`: the parser takes the numbers of a parenthesised pair for elements,
/// and checks their count only if the type is complex. It never checks the count of sparse indices.
static std::optional<Hazard> checkElements(Lexer rest, bool isSparse) {
  if (!rest.take("<"))
    return std::nullopt;
  Token pair;
  unsigned depth = 1;
  for (bool inIndices = isSparse; depth != 0;) {
    Token token = rest.next();
    if (token.text.empty() || depth > maxNesting)
      return std::nullopt;
    if (depth == 1 && token.is(","))
      inIndices = false;
    if (token.is("(") && inIndices)
      return hazardAt(token, "the indices of sparse<...> cannot be pairs");
    if (token.is("(") && pair.text.empty())
      pair = token;
    depth += token.opens();
    depth -= token.closes();
  }
  if (pair.text.empty() || isOfComplexType(rest))
    return std::nullopt;
  return hazardAt(pair, "pairs are elements of complex tensors only, whose type must be spelled "
                        "out behind '>'");
}

/// After `distinct`: the hash table of the parser reserves two numbers as keys.
static std::optional<Hazard> checkDistinct(Lexer rest) {
  if (!rest.take("["))
    return std::nullopt;
  Token number = rest.next();
  StringRef digits = number.text;
  unsigned radix = digits.consume_front("0x") ? 16 : 10;
  constexpr uint64_t largest = std::numeric_limits<uint64_t>::max() - 2;
  uint64_t value;
  if (digits.getAsInteger(radix, value) || value <= largest)
    return std::nullopt;
  return hazardAt(number,
                  "the number of a distinct attribute must be at most " + std::to_string(largest));
}

/// After `floordiv`, `ceildiv` or `mod`: the parser divides constants, and the division of the
/// smallest integer by -1 traps.
static std::optional<Hazard> checkDivisor(Lexer rest) {
  Token divisor = rest.next();
  if (!divisor.is("-") && !divisor.is("("))
    return std::nullopt;
  return hazardAt(divisor, "expected a positive number or a symbol to divide by");
}

static std::optional<Hazard> checkKeyword(const Token &token, const Lexer &rest) {
  if (token.isKeyword("array"))
    return checkArray(rest);
  if (token.isKeyword("dense") || token.isKeyword("sparse"))
    return checkElements(rest, token.is("sparse"));
  if (token.isKeyword("distinct"))
    return checkDistinct(rest);
  if (token.isKeyword("floordiv") || token.isKeyword("ceildiv") || token.isKeyword("mod"))
    return checkDivisor(rest);
  return std::nullopt;
}

//===-- The whole text ----------------------------------------------------------------------===//

std::optional<Hazard> api::findHazard(StringRef text) {
  Lexer lexer(text);
  unsigned depth = 0;
  for (Token token = lexer.next(); !token.text.empty(); token = lexer.next()) {
    if (token.isWord && token.text.size() > maxWord)
      return hazardAt(token, "word is longer than " + std::to_string(maxWord) + " characters");
    if (token.opens() && ++depth > maxNesting)
      return hazardAt(token,
                      "brackets are nested deeper than " + std::to_string(maxNesting) + " levels");
    if (token.closes() && depth != 0)
      --depth;
    if (std::optional<Hazard> hazard = checkKeyword(token, lexer))
      return hazard;
  }
  return std::nullopt;
}

//===-- Text without a module ---------------------------------------------------------------===//

/// Does an operation other than an entry or a global start here? Such an operation has a dialect
/// prefix or is in generic form; aliases and their values do not look like that. Numbers may
/// contain a point as well.
static bool startsOtherOperation(const Token &token, Lexer rest) {
  if (token.isWord)
    return !token.isName && !llvm::isDigit(token.text.front()) &&
           (token.text.contains('.') || token.is("module"));
  return token.is("%") || (token.text.starts_with("\"") && rest.take("("));
}

/// Preview features count as items, so that the dialect's parser reports their names.
static bool startsBareItem(const Token &token) {
  return token.isKeyword("entry") || token.isKeyword("global") ||
         (token.isWord && !token.isName && token.text.starts_with("preview$"));
}

std::vector<size_t> api::findBareItems(StringRef text) {
  std::vector<size_t> items;
  Lexer lexer(text);
  unsigned depth = 0;
  for (Token token = lexer.next(); !token.text.empty(); token = lexer.next()) {
    if (depth == 0 && startsBareItem(token))
      items.push_back(token.text.data() - text.data());
    else if (depth == 0 && items.empty() && startsOtherOperation(token, lexer))
      return {};
    depth += token.opens();
    depth -= token.closes() && depth != 0;
  }
  return items;
}

llvm::LogicalResult api::verifyHasNoHazard(llvm::SourceMgr &sources, mlir::MLIRContext *context) {
  const llvm::MemoryBuffer *text = sources.getMemoryBuffer(sources.getMainFileID());
  std::optional<Hazard> hazard = findHazard(text->getBuffer());
  if (!hazard)
    return llvm::success();
  auto [line, column] = sources.getLineAndColumn(llvm::SMLoc::getFromPointer(hazard->place));
  return mlir::emitError(
             mlir::FileLineColLoc::get(context, text->getBufferIdentifier(), line, column))
         << hazard->what;
}
