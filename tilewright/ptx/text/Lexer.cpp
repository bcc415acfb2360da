// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Lexer.h. The syntax of numbers follows PTX ISA, 4.5.

#include "tilewright/ptx/text/Lexer.h"

#include <bit>
#include <charconv>
#include <cstdlib>

using namespace tilewright::ptx;

std::string tilewright::ptx::toString(const Refusal &refusal) {
  return std::to_string(refusal.place.line) + ":" + std::to_string(refusal.place.column) + ": " +
         refusal.message;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isInName(char c) { return isLetter(c) || isDigit(c) || c == '_' || c == '$'; }
static bool beginsName(char c) { return isLetter(c) || c == '_' || c == '$' || c == '%'; }

namespace {
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  Tokens run();

private:
  bool skipBlanks();
  bool skipComment();
  bool readToken();
  bool readString(Place place);
  bool readNumber(Place place);
  bool readHexFloat(Place place, size_t digits, bool isSingle);
  bool readDecimalFloat(Place place, size_t start);
  void readDotWord(Place place);

  bool refuse(Place place, std::string message) {
    tokens.refusal = {place, std::move(message)};
    return false;
  }
  void add(TokenKind kind, Place place, size_t start) {
    tokens.list.push_back({kind, place, text.substr(start, at - start)});
  }
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  Place here() const { return {line, uint32_t(at - lineStart + 1)}; }
  void newLine() {
    ++line;
    lineStart = at;
  }
  void skipName() {
    while (isInName(peek()))
      ++at;
  }

  std::string_view text;
  size_t at = 0, lineStart = 0;
  uint32_t line = 1;
  Tokens tokens;
};
} // namespace

Tokens Lexer::run() {
  while (skipBlanks() && at < text.size())
    if (!readToken())
      break;
  tokens.list.push_back({TokenKind::End, here(), {}});
  return std::move(tokens);
}

/// Returns false if a comment is not closed.
bool Lexer::skipBlanks() {
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      ++at;
      newLine();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' ||
               (c == '\0' && at + 1 == text.size())) {
      ++at; // accepts the terminating zero byte of texts made for ptxas
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      if (!skipComment())
        return false;
    } else {
      break;
    }
  }
  return true;
}

bool Lexer::skipComment() {
  const Place start = here();
  if (peek(1) == '/') {
    while (at < text.size() && text[at] != '\n')
      ++at;
    return true;
  }
  for (at += 2; at < text.size(); ++at) {
    if (text[at] == '*' && peek(1) == '/') {
      at += 2;
      return true;
    }
    if (text[at] == '\n') {
      ++line;
      lineStart = at + 1;
    }
  }
  return refuse(start, "this comment does not end");
}

bool Lexer::readToken() {
  const Place place = here();
  const size_t start = at;
  const char c = text[at];
  if (isDigit(c))
    return readNumber(place);
  if (c == '"')
    return readString(place);
  if (beginsName(c)) {
    ++at;
    skipName();
    add(TokenKind::Name, place, start);
    return true;
  }
  if (c == '.' && isInName(peek(1))) {
    readDotWord(place);
    return true;
  }
  if (std::string_view("@!,;:[](){}<>|+-*/%&^~=?").find(c) == std::string_view::npos) {
    std::string shown = "a byte";
    if (c > ' ' && c < 127)
      shown = std::string("'") + c + "'";
    return refuse(place, shown + " is no part of PTX");
  }
  ++at;
  add(TokenKind::Character, place, start);
  return true;
}

/// Reads `.shared::cta` as one word.
void Lexer::readDotWord(Place place) {
  const size_t start = at++;
  skipName();
  while (peek() == ':' && peek(1) == ':' && isInName(peek(2))) {
    at += 2;
    skipName();
  }
  add(TokenKind::DotWord, place, start);
}

bool Lexer::readString(Place place) {
  const size_t start = ++at;
  while (at < text.size() && text[at] != '"' && text[at] != '\n')
    at += text[at] == '\\' && peek(1) != '\n' && at + 1 < text.size() ? 2 : 1;
  if (peek() != '"')
    return refuse(place, "this string does not end in its line");
  add(TokenKind::String, place, start);
  ++at;
  return true;
}

bool Lexer::readHexFloat(Place place, size_t digits, bool isSingle) {
  const size_t start = at;
  uint64_t bits = 0;
  const char *first = text.data() + at + 2, *last = first + digits;
  if (at + 2 + digits > text.size() || std::from_chars(first, last, bits, 16).ptr != last ||
      isInName(peek(2 + digits)))
    return refuse(place, "expected " + std::to_string(digits) + " hexadecimal digits after '" +
                             std::string(text.substr(at, 2)) + "'");
  at += 2 + digits;
  tokens.list.push_back({TokenKind::Float, place, text.substr(start, at - start), bits, isSingle});
  return true;
}

bool Lexer::readDecimalFloat(Place place, size_t start) {
  while (isDigit(peek()) || peek() == '.')
    ++at;
  if (peek() == 'e' || peek() == 'E') {
    at += peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    while (isDigit(peek()))
      ++at;
  }
  const std::string_view digits = text.substr(start, at - start);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || isInName(peek()))
    return refuse(place, "'" + std::string(digits) + "' is no number that an f64 can hold");
  tokens.list.push_back({TokenKind::Float, place, digits, std::bit_cast<uint64_t>(value)});
  return true;
}

bool Lexer::readNumber(Place place) {
  const size_t start = at;
  const char second = peek(1);
  if (text[at] == '0' && (second == 'f' || second == 'F'))
    return readHexFloat(place, 8, true);
  if (text[at] == '0' && (second == 'd' || second == 'D'))
    return readHexFloat(place, 16, false);
  int base = 10;
  size_t digits = start;
  if (text[at] == '0' && (second == 'x' || second == 'X' || second == 'b' || second == 'B')) {
    base = second == 'x' || second == 'X' ? 16 : 2;
    digits = start + 2;
  }
  at = digits;
  while (base == 16 ? isInName(peek()) && peek() != 'U' : isDigit(peek()))
    ++at;
  if (base == 10 && (peek() == 'e' || peek() == 'E' || (peek() == '.' && isDigit(peek(1)))))
    return readDecimalFloat(place, start);
  if (base == 10 && text[start] == '0' && at - start > 1)
    base = 8;
  uint64_t value = 0;
  const char *last = text.data() + at;
  const auto [end, error] = std::from_chars(text.data() + digits, last, value, base);
  if (peek() == 'U')
    ++at;
  if (error != std::errc() || end != last || isInName(peek()))
    return refuse(place,
                  "'" + std::string(text.substr(start, at - start)) + "' is no integer of 64 bits");
  tokens.list.push_back({TokenKind::Integer, place, text.substr(start, at - start), value});
  return true;
}

Tokens tilewright::ptx::readTokens(std::string_view text) { return Lexer(text).run(); }
