// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the operands of instructions (PTX ISA, 6). An unknown name becomes a label; it keeps its
// name and scope until it is resolved at the end of the function.

#include "tilewright/ptx/text/ParserState.h"

using namespace tilewright::ptx;

static constexpr unsigned deepest = 8;

static bool parsePart(ParserState &state, Operand &operand, unsigned depth);

static constexpr std::string_view reservedPrefix = "%reserved_smem_offset_";
static constexpr uint64_t reservedBytes = 1024;

/// Shared memory that the system reserves and that cooperative groups use (PTX ISA, 10): here a
/// variable of 1024 bytes. `_0` and `_1` are the offsets of its halves.
static bool parseReserved(ParserState &state, std::string_view which, Operand &operand) {
  if (which == "cap") {
    operand.kind = OperandKind::Integer;
    operand.bits = reservedBytes;
    return true;
  }
  static constexpr std::pair<std::string_view, uint64_t> offsets[] = {
      {"begin", 0}, {"end", reservedBytes}, {"0", 0}, {"1", reservedBytes / 2}};
  for (const auto &[name, offset] : offsets) {
    if (name != which)
      continue;
    if (!state.reservedShared) {
      state.reservedShared = uint32_t(state.module.variables.size());
      state.module.variables.push_back(
          {"%reserved_smem", operand.place, Space::Shared, Type::B8, 128, reservedBytes});
    }
    operand.kind = OperandKind::Variable;
    operand.index = *state.reservedShared;
    operand.bits = offset;
    return true;
  }
  return false;
}

/// Parses `%tid.x`. Register names may begin with `%` too, so only undeclared names are special.
static void parseSpecial(ParserState &state, const Token &name, Operand &operand) {
  if (name.text.starts_with(reservedPrefix) &&
      parseReserved(state, name.text.substr(reservedPrefix.size()), operand))
    return;
  operand.kind = OperandKind::Special;
  operand.name = name.text;
  const Token &rest = state.cursor.peek();
  const bool isPart = rest.isDot(".x") || rest.isDot(".y") || rest.isDot(".z") || rest.isDot(".w");
  if (!isPart)
    return;
  const char *last = rest.text.data() + rest.text.size();
  operand.name = std::string_view(name.text.data(), size_t(last - name.text.data()));
  state.cursor.next();
}

/// Some special registers have no `%`.
static bool isSpecialName(std::string_view name) {
  return name.front() == '%' || name == "WARP_SZ";
}

/// `.h1`, `.b3210`: the bytes or halves of a register that a video instruction selects.
static bool isPartOfRegister(std::string_view word) {
  const size_t most = word[1] == 'b' ? 6 : word[1] == 'h' ? 4 : 0;
  return word.size() >= 3 && word.size() <= most &&
         std::all_of(word.begin() + 2, word.end(), [](char c) { return c >= '0' && c <= '7'; });
}

static bool parseName(ParserState &state, Operand &operand) {
  const Token name = state.cursor.next();
  if (name.text == "_") {
    operand.kind = OperandKind::Sink;
    return true;
  }
  if (const auto reg = state.scopes.findRegister(name.text, state.body().registers)) {
    operand.kind = OperandKind::Register;
    operand.index = *reg;
    const Token &after = state.cursor.peek();
    if (after.kind == TokenKind::DotWord && isPartOfRegister(after.text))
      operand.part = state.cursor.next().text.substr(1);
    else if (after.kind == TokenKind::DotWord)
      return state.cursor.refuse(name.place,
                                 "an element of a register ('" + std::string(name.text) +
                                     std::string(state.cursor.peek().text) + "') is not supported");
    return true;
  }
  operand.name = name.text;
  const Symbol *symbol = state.scopes.find(name.text);
  if (!symbol && isSpecialName(name.text)) {
    parseSpecial(state, name, operand);
    return true;
  }
  operand.kind = OperandKind::Label;
  operand.index = state.scopes.here();
  if (!symbol || symbol->kind == SymbolKind::Label)
    return true;
  operand.index = symbol->index;
  switch (symbol->kind) {
  case SymbolKind::Variable:
    operand.kind = OperandKind::Variable;
    break;
  case SymbolKind::Function:
    operand.kind = OperandKind::Function;
    break;
  case SymbolKind::Labels:
    operand.kind = OperandKind::Labels;
    break;
  default:
    return state.cursor.refuse(name.place, "'" + std::string(name.text) +
                                               "' is the name of a range of registers");
  }
  return true;
}

static bool parseList(ParserState &state, Operand &operand, OperandKind kind, char end,
                      unsigned depth) {
  operand.kind = kind;
  state.cursor.next();
  if (state.cursor.accept(end))
    return true;
  do {
    Operand part{OperandKind::Sink};
    if (!parsePart(state, part, depth + 1))
      return false;
    operand.parts.push_back(std::move(part));
  } while (state.cursor.accept(','));
  return state.cursor.expect(end);
}

/// Parses `[%rd1+-4]`, `[x]`, `[16]` or `[map, {%r1, %r2}]`.
static bool parseAddress(ParserState &state, Operand &operand) {
  Cursor &cursor = state.cursor;
  operand.kind = OperandKind::Address;
  cursor.next();
  if (cursor.peek().kind == TokenKind::Name) {
    Operand base{OperandKind::Sink, cursor.peek().place};
    if (!parseName(state, base))
      return false;
    if (base.kind != OperandKind::Register && base.kind != OperandKind::Variable)
      return cursor.refuse(base.place, "expected a register or a variable as address, found '" +
                                           std::string(base.name) + "'");
    operand.parts.push_back(std::move(base));
    if (cursor.peek().is('+') || cursor.peek().is('-')) {
      cursor.accept('+');
      if (!cursor.expectInteger(operand.bits))
        return false;
    }
    if (cursor.accept(',')) {
      operand.parts.push_back({OperandKind::Sink});
      if (!parsePart(state, operand.parts.back(), 1))
        return false;
    }
  } else if (!cursor.expectInteger(operand.bits)) {
    return false;
  }
  return cursor.expect(']');
}

static bool parseNumber(ParserState &state, Operand &operand) {
  Cursor &cursor = state.cursor;
  const bool isNegative = cursor.peek().is('-') && cursor.peek(1).kind == TokenKind::Float;
  if (isNegative)
    cursor.next();
  if (cursor.peek().kind == TokenKind::Float) {
    const Token token = cursor.next();
    operand.kind = OperandKind::Float;
    operand.isSingle = token.isSingle;
    operand.bits = token.bits;
    if (isNegative)
      operand.bits ^= uint64_t(1) << (token.isSingle ? 31 : 63);
    return true;
  }
  operand.kind = OperandKind::Integer;
  return cursor.expectInteger(operand.bits);
}

/// Parses what may follow a name: `p|q`, `x+4`.
static bool parseAfterName(ParserState &state, Operand &operand, unsigned depth) {
  Cursor &cursor = state.cursor;
  if (cursor.accept('|')) {
    Operand first = std::move(operand);
    operand = {OperandKind::Pair, first.place};
    operand.parts.push_back(std::move(first));
    operand.parts.push_back({OperandKind::Sink});
    return parsePart(state, operand.parts.back(), depth + 1);
  }
  if (operand.kind == OperandKind::Variable && (cursor.peek().is('+') || cursor.peek().is('-')))
    return cursor.expectInteger(operand.bits);
  return true;
}

static bool parsePart(ParserState &state, Operand &operand, unsigned depth) {
  Cursor &cursor = state.cursor;
  operand.place = cursor.peek().place;
  if (depth > deepest)
    return cursor.refuse(operand.place, "this operand is nested too deeply");
  const bool isNegated = cursor.peek().is('!') || cursor.peek().is('-');
  if (isNegated && cursor.peek(1).kind == TokenKind::Name) {
    cursor.next();
    const bool done = parsePart(state, operand, depth + 1);
    operand.isNegated = true;
    return done;
  }
  if (cursor.peek().is('{'))
    return parseList(state, operand, OperandKind::Vector, '}', depth);
  if (cursor.peek().is('(') && (cursor.peek(1).kind == TokenKind::Name || cursor.peek(1).is(')')))
    return parseList(state, operand, OperandKind::List, ')', depth);
  if (cursor.peek().is('['))
    return parseAddress(state, operand);
  if (cursor.peek().kind == TokenKind::Name)
    return parseName(state, operand) && parseAfterName(state, operand, depth);
  const bool isNumber = cursor.peek().kind == TokenKind::Integer ||
                        cursor.peek().kind == TokenKind::Float || cursor.peek().is('-') ||
                        cursor.peek().is('~') || cursor.peek().is('!') || cursor.peek().is('(');
  return isNumber ? parseNumber(state, operand) : cursor.refuseNext("an operand");
}

bool tilewright::ptx::parseCallList(ParserState &state, Operand &operand) {
  operand.place = state.cursor.peek().place;
  return parseList(state, operand, OperandKind::List, ')', 0);
}

bool tilewright::ptx::parseOperand(ParserState &state, Operand &operand) {
  return parsePart(state, operand, 0);
}
