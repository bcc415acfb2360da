// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prescan.h. The text is split into tokens only; what they mean together is the parser's
// business. So the rules are wider than the mistakes that they keep the parser from.

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
  bool isWord = false; ///< Or a number.
  /// A sigil stands directly in front, as in `%dense`: the word is a name.
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
  /// Takes the next token if it is this one.
  bool take(StringRef expected);

private:
  void skipBlanks();
  size_t endOfString() const;

  StringRef text;
  size_t at = 0;
};

} // namespace

static bool isPartOfName(char c) { return llvm::isAlnum(c) || StringRef("_$.").contains(c); }

/// A number or the extents of a shape, up to where MLIR's lexer starts the next word: the
/// keyword in `1floordiv`, the element type in `4x?xf32`.
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

/// Of the word that the text starts with; 0 if it starts with none.
static size_t lengthOfWord(StringRef text, bool isName) {
  if (isName && llvm::isDigit(text.front()))
    return std::min(text.find_if_not(llvm::isDigit), text.size());
  if (llvm::isDigit(text.front()) || text.front() == '?')
    return lengthOfNumber(text);
  return std::min(text.find_if_not(isPartOfName), text.size());
}

/// Blanks, and comments to the end of the line.
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

/// A backslash hides the next character; no string goes on behind the end of a line.
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
  else // an arrow or a comparison closes nothing
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

//===-- What the parser does not survive ----------------------------------------------------===//

static Hazard hazardAt(const Token &token, std::string what) {
  return {token.text.data(), std::move(what)};
}

/// Behind `array`: an element type that has no width crashes the parser. What an alias stands
/// for is not known here.
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

/// `: tensor<2xcomplex<`
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

/// Behind `dense` or `sparse`: the parser takes the numbers of a parenthesised pair for elements
/// and counts them only if the type is complex; those of sparse indices it never counts.
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

/// Behind `distinct`: two numbers are keys that a hash table of the parser keeps for itself.
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

/// Behind `floordiv`, `ceildiv` or `mod`: the parser divides constants, also the least one by -1.
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

//===-- All of it ---------------------------------------------------------------------------===//

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

//===-- Texts without a module --------------------------------------------------------------===//

/// Does an operation start here that is neither an entry nor a global? Operations have a dialect
/// in front of their name, or are in generic form; aliases and their values look otherwise. A
/// number may have a point, too.
static bool startsOtherOperation(const Token &token, Lexer rest) {
  if (token.isWord)
    return !token.isName && !llvm::isDigit(token.text.front()) &&
           (token.text.contains('.') || token.is("module"));
  return token.is("%") || (token.text.starts_with("\"") && rest.take("("));
}

/// Preview features are items as well, so that the parser of the dialect can name them.
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
