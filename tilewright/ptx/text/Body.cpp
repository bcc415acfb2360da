// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses function bodies: declarations, labels, directives, blocks and instructions. A block only
// opens a scope for names; all instructions go into one list.

#include "tilewright/ptx/text/ParserState.h"

using namespace tilewright::ptx;

static constexpr unsigned deepest = 256;

static bool parseRegisters(ParserState &state) {
  Cursor &cursor = state.cursor;
  std::string_view word;
  const Place place = cursor.peek().place;
  if (!cursor.expectDotWord(word, "a type"))
    return false;
  const auto type = typeNamed(word.substr(1));
  if (!type)
    return cursor.refuse(place, "registers of type '" + std::string(word) + "' are not supported");
  do {
    std::string_view name;
    const Place where = cursor.peek().place;
    if (!cursor.expectName(name, "the name of a register"))
      return false;
    bool isNew = false;
    if (cursor.accept('<')) {
      uint64_t count = 0;
      if (!cursor.expectCount(count, UINT32_MAX, "a number of registers") || !cursor.expect('>'))
        return false;
      isNew = state.scopes.declareRange(name, {uint32_t(count), *type});
    } else {
      isNew = state.scopes.declare(name,
                                   {SymbolKind::Register, uint32_t(state.body().registers.size())});
      state.body().registers.push_back({name, *type});
    }
    if (!isNew)
      return cursor.refuse(where, "'" + std::string(name) + "' is declared twice");
  } while (cursor.accept(','));
  return cursor.expect(';');
}

//===-- Labels ------------------------------------------------------------------------------===//

/// Parses `name: .branchtargets a, b;`. The functions of `.calltargets` are only an assumption, and
/// are ignored.
static bool parseTargets(ParserState &state, std::string_view name, Place place, bool isCall) {
  Cursor &cursor = state.cursor;
  std::vector<Operand> labels;
  do {
    Operand label{OperandKind::Label, cursor.peek().place, state.scopes.here()};
    if (!cursor.expectName(label.name, "a label or function"))
      return false;
    if (!isCall)
      labels.push_back(std::move(label));
  } while (cursor.accept(','));
  state.body().labels.push_back(std::move(labels));
  if (!state.scopes.declare(name, {SymbolKind::Labels, uint32_t(state.body().labels.size() - 1)}))
    return cursor.refuse(place, "'" + std::string(name) + "' is declared twice");
  return cursor.expect(';');
}

/// Parses `name: .callprototype (.param .b32 _) _ (.param .b64 _);` into a function without a body.
static bool parsePrototype(ParserState &state, std::string_view name, Place place) {
  Function prototype;
  prototype.name = name;
  prototype.place = place;
  if (!parseFunctionHead(state, prototype, /*hasName=*/false))
    return false;
  const uint32_t number = uint32_t(state.module.functions.size());
  state.module.functions.push_back(std::move(prototype));
  if (!state.scopes.declare(name, {SymbolKind::Function, number}))
    return state.cursor.refuse(place, "'" + std::string(name) + "' is declared twice");
  return state.cursor.expect(';');
}

static bool parseLabel(ParserState &state) {
  const Token name = state.cursor.next();
  state.cursor.next();
  const bool isCall = state.cursor.peek().isDot(".calltargets");
  if (state.cursor.accept(".branchtargets") || state.cursor.accept(".calltargets"))
    return parseTargets(state, name.text, name.place, isCall);
  if (state.cursor.accept(".callprototype"))
    return parsePrototype(state, name.text, name.place);
  const Symbol symbol{SymbolKind::Label, uint32_t(state.body().body.size())};
  return state.scopes.declare(name.text, symbol) ||
         state.cursor.refuse(name.place, "'" + std::string(name.text) + "' is declared twice");
}

static bool resolveLabel(ParserState &state, Operand &operand) {
  if (operand.kind == OperandKind::Label) {
    const Symbol *symbol = state.scopes.find(operand.name, operand.index);
    if (!symbol || symbol->kind != SymbolKind::Label)
      return state.cursor.refuse(operand.place,
                                 "'" + std::string(operand.name) + "' is not declared");
    operand.index = symbol->index;
  }
  for (Operand &part : operand.parts)
    if (!resolveLabel(state, part))
      return false;
  return true;
}

static bool resolveLabels(ParserState &state) {
  for (Instruction &instruction : state.body().body)
    for (Operand &operand : instruction.operands)
      if (!resolveLabel(state, operand))
        return false;
  for (std::vector<Operand> &labels : state.body().labels)
    for (Operand &label : labels)
      if (!resolveLabel(state, label))
        return false;
  return true;
}

//===-- Instructions ------------------------------------------------------------------------===//

static bool parseGuard(ParserState &state, Instruction &instruction) {
  Operand guard{OperandKind::Sink};
  if (!parseOperand(state, guard))
    return false;
  if (guard.kind != OperandKind::Register || state.body().registers[guard.index].type != Type::Pred)
    return state.cursor.refuse(guard.place, "expected a predicate after '@'");
  instruction.guard = std::move(guard);
  return true;
}

static bool parseInstruction(ParserState &state) {
  Cursor &cursor = state.cursor;
  Instruction instruction{cursor.peek().place, {}, {}, {}};
  if (cursor.accept('@') && !parseGuard(state, instruction))
    return false;
  instruction.place = cursor.peek().place;
  if (!cursor.expectName(instruction.opcode, "an instruction"))
    return false;
  while (cursor.peek().kind == TokenKind::DotWord)
    instruction.modifiers.push_back(cursor.next().text.substr(1));
  instruction.source = state.line;
  if (!cursor.peek().is(';')) {
    do {
      Operand operand{OperandKind::Sink};
      const bool isCallList = instruction.opcode == "call" && cursor.peek().is('(');
      if (!(isCallList ? parseCallList(state, operand) : parseOperand(state, operand)))
        return cursor.beginRefusal("'" + spell(instruction) + "': ");
      instruction.operands.push_back(std::move(operand));
    } while (cursor.accept(','));
  }
  if (instruction.opcode == "call")
    return addCall(state, std::move(instruction)) && cursor.expect(';');
  if (instruction.opcode == "ret")
    storeResults(state, instruction.guard, instruction.place);
  state.body().body.push_back(std::move(instruction));
  return cursor.expect(';');
}

bool tilewright::ptx::skipPragma(Cursor &cursor) {
  do {
    if (cursor.peek().kind != TokenKind::String)
      return cursor.refuseNext("a string");
    cursor.next();
  } while (cursor.accept(','));
  return cursor.expect(';');
}

static bool parseDirective(ParserState &state) {
  Cursor &cursor = state.cursor;
  const Token word = cursor.next();
  if (word.text == ".reg")
    return parseRegisters(state);
  if (word.text == ".loc")
    return parseLocation(state);
  if (word.text == ".pragma")
    return skipPragma(cursor);
  if (word.text == ".file")
    return parseFile(state);
  const bool isExtern = word.text == ".extern";
  const Token space = isExtern ? cursor.next() : word;
  if (space.text == ".shared")
    return parseVariables(state, Space::Shared, isExtern);
  if (space.text == ".local")
    return parseVariables(state, Space::Local, isExtern);
  if (space.text == ".param")
    return parseVariables(state, Space::Param, isExtern);
  if (space.text == ".global")
    return parseVariables(state, Space::Global, isExtern);
  if (space.text == ".const")
    return parseVariables(state, Space::Const, isExtern);
  return cursor.refuse(space.place,
                       "'" + std::string(space.text) + "' is not supported in a function");
}

bool tilewright::ptx::parseBody(ParserState &state) {
  Cursor &cursor = state.cursor;
  unsigned depth = 0;
  state.line = 0;
  loadParameters(state);
  do {
    const Token &token = cursor.peek();
    bool done = true;
    if (token.is('{')) {
      cursor.next();
      if (++depth > deepest)
        return cursor.refuse(token.place, "blocks are nested too deeply");
      // The outermost block shares the scope of the parameters.
      state.scopes.open();
    } else if (token.is('}')) {
      cursor.next();
      --depth;
      state.scopes.close();
    } else if (token.is(';')) {
      cursor.next();
    } else if (token.kind == TokenKind::DotWord) {
      done = parseDirective(state);
    } else if (token.kind == TokenKind::Name && cursor.peek(1).is(':')) {
      done = parseLabel(state);
    } else if (token.kind == TokenKind::End) {
      done = cursor.refuseNext("'}'");
    } else {
      done = parseInstruction(state);
    }
    if (!done)
      return false;
  } while (depth > 0);
  storeResults(state, std::nullopt, state.body().place); // the end of the body returns, too
  return resolveLabels(state);
}
