// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cursor.h.

#include "tilewright/ptx/text/Cursor.h"

using namespace tilewright::ptx;

Token Cursor::next() {
  Token token = peek();
  if (at + 1 < tokens.list.size())
    ++at;
  return token;
}

bool Cursor::accept(char character) {
  if (!peek().is(character))
    return false;
  next();
  return true;
}

bool Cursor::accept(std::string_view dotWord) {
  if (!peek().isDot(dotWord))
    return false;
  next();
  return true;
}

bool Cursor::expect(char character) {
  return accept(character) || refuseNext(std::string("'") + character + "'");
}

bool Cursor::expectName(std::string_view &name, const char *what) {
  if (peek().kind != TokenKind::Name)
    return refuseNext(what);
  name = next().text;
  return true;
}

bool Cursor::expectDotWord(std::string_view &word, const char *what) {
  if (peek().kind != TokenKind::DotWord)
    return refuseNext(what);
  word = next().text;
  return true;
}

bool Cursor::refuse(Place place, std::string message) {
  if (!tokens.refusal)
    tokens.refusal = {place, std::move(message)};
  return false;
}

bool Cursor::refuseNext(const std::string &what) {
  const Token &found = peek();
  std::string shown = "'" + std::string(found.text.substr(0, 60)) + "'";
  if (found.kind == TokenKind::End)
    shown = "the end of the text";
  return refuse(found.place, "expected " + what + ", found " + shown);
}

//===-- Constant expressions ----------------------------------------------------------------===//

namespace {
struct Operator {
  const char *text;
  unsigned strength;
};
} // namespace

/// Operators of two characters come first, so that `<<` is not read as `<`.
static constexpr Operator operators[] = {
    {"<<", 5}, {">>", 5}, {"*", 7}, {"/", 7}, {"%", 7},
    {"+", 6},  {"-", 6},  {"&", 4}, {"^", 3}, {"|", 2},
};

static uint64_t apply(char op, uint64_t lhs, uint64_t rhs) {
  switch (op) {
  case '+':
    return lhs + rhs;
  case '-':
    return lhs - rhs;
  case '*':
    return lhs * rhs;
  case '/':
    return rhs ? uint64_t(rhs == ~uint64_t(0) ? -lhs : uint64_t(int64_t(lhs) / int64_t(rhs))) : 0;
  case '%':
    return rhs && rhs != ~uint64_t(0) ? uint64_t(int64_t(lhs) % int64_t(rhs)) : 0;
  case '<':
    return rhs < 64 ? lhs << rhs : 0;
  case '>':
    return rhs < 64 ? uint64_t(int64_t(lhs) >> rhs) : 0;
  case '&':
    return lhs & rhs;
  case '^':
    return lhs ^ rhs;
  default:
    return lhs | rhs;
  }
}

static constexpr unsigned deepest = 64;

bool Cursor::unary(uint64_t &value, unsigned depth) {
  if (depth > deepest)
    return refuse(peek().place, "this expression is nested too deeply");
  if (accept('-')) {
    const bool done = unary(value, depth + 1);
    value = -value;
    return done;
  }
  if (accept('+'))
    return unary(value, depth + 1);
  if (accept('~')) {
    const bool done = unary(value, depth + 1);
    value = ~value;
    return done;
  }
  if (accept('!')) {
    const bool done = unary(value, depth + 1);
    value = !value;
    return done;
  }
  if (accept('('))
    return binary(value, 0, depth + 1) && expect(')');
  if (peek().kind != TokenKind::Integer)
    return refuseNext("an integer");
  value = next().bits;
  return true;
}

bool Cursor::binary(uint64_t &value, unsigned strength, unsigned depth) {
  if (!unary(value, depth))
    return false;
  while (true) {
    const Operator *found = nullptr;
    for (const Operator &op : operators)
      if (!found && peek().is(op.text[0]) && (!op.text[1] || peek(1).is(op.text[1])))
        found = &op;
    if (!found || found->strength <= strength)
      return true;
    for (const char *c = found->text; *c; ++c)
      next();
    uint64_t rhs = 0;
    if (!binary(rhs, found->strength, depth + 1))
      return false;
    if ((found->text[0] == '/' || found->text[0] == '%') && rhs == 0)
      return refuse(peek().place, "this expression divides by 0");
    value = apply(found->text[0], value, rhs);
  }
}

bool Cursor::expectInteger(uint64_t &value) { return binary(value, 0, 0); }

bool Cursor::expectCount(uint64_t &value, uint64_t most, const char *what) {
  const Place place = peek().place;
  if (!expectInteger(value))
    return false;
  if (value > most)
    return refuse(place, std::string("expected ") + what + " of at most " + std::to_string(most) +
                             ", found " + std::to_string(int64_t(value)));
  return true;
}
