// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register parameters of functions, `.func (.reg .b32 r) f (.reg .b32 a)`, and calls with registers
// and constants, `call (%r1), f, (%r2, 5)` (PTX ISA, 7.1 and 9.7.12.5). Each one is replaced by an
// unnamed .param variable and the loads and stores that access it, so that later stages handle only
// one kind of parameter.

#include "tilewright/ptx/text/ParserState.h"

using namespace tilewright::ptx;

//===-- Definitions -------------------------------------------------------------------------===//

static uint32_t addVariable(ParserState &state, Place place, Type type, uint64_t bytes) {
  Variable variable{{}, place, Space::Param, type, bytes, bytes};
  state.module.variables.push_back(std::move(variable));
  return uint32_t(state.module.variables.size() - 1);
}

/// Parses `.b32 a` after `.reg`.
bool tilewright::ptx::parseRegisterParameter(ParserState &state, Function &function, bool isResult,
                                             uint32_t &variable) {
  Cursor &cursor = state.cursor;
  std::string_view word, name;
  const Place place = cursor.peek().place;
  if (!cursor.expectDotWord(word, "a type"))
    return false;
  const auto type = typeNamed(word.substr(1));
  if (!type || *type == Type::Pred || bytesOf(*type) > 8)
    return cursor.refuse(place, "parameters in registers of type '" + std::string(word) +
                                    "' are not supported");
  if (!cursor.expectName(name, "the name of a register"))
    return false;
  const uint32_t number = uint32_t(function.registers.size());
  function.registers.push_back({name, *type});
  if (name != "_" && !state.scopes.declare(name, {SymbolKind::Register, number}))
    return cursor.refuse(place, "'" + std::string(name) + "' is declared twice");
  variable = addVariable(state, place, *type, bytesOf(*type));
  (isResult ? function.registerResults : function.registerParameters).push_back({variable, number});
  return true;
}

//===-- Loads and stores --------------------------------------------------------------------===//

static Operand addressOf(Place place, uint32_t variable) {
  Operand base{OperandKind::Variable, place, variable};
  Operand address{OperandKind::Address, place};
  address.parts.push_back(std::move(base));
  return address;
}

/// Builds `ld.param.b32 value, [variable]`, or the store.
static Instruction transfer(const ParserState &state, Place place, uint32_t variable,
                            const Operand &value, bool isLoad) {
  const std::string_view type = info(state.module.variables[variable].type).name;
  Instruction instruction{place, isLoad ? "ld" : "st", {"param", type}, {}};
  instruction.operands = {value, addressOf(place, variable)};
  if (!isLoad)
    std::swap(instruction.operands[0], instruction.operands[1]);
  instruction.source = state.line;
  return instruction;
}

void tilewright::ptx::loadParameters(ParserState &state) {
  for (const auto &[variable, reg] : state.body().registerParameters) {
    const Place place = state.module.variables[variable].place;
    state.body().body.push_back(
        transfer(state, place, variable, {OperandKind::Register, place, reg}, /*isLoad=*/true));
  }
}

void tilewright::ptx::storeResults(ParserState &state, const std::optional<Operand> &guard,
                                   Place place) {
  for (const auto &[variable, reg] : state.body().registerResults) {
    state.body().body.push_back(
        transfer(state, place, variable, {OperandKind::Register, place, reg}, /*isLoad=*/false));
    state.body().body.back().guard = guard;
  }
}

//===-- Calls -------------------------------------------------------------------------------===//

static bool isValue(const Operand &operand) {
  return operand.kind == OperandKind::Register || operand.kind == OperandKind::Integer ||
         operand.kind == OperandKind::Float || operand.kind == OperandKind::Special;
}

/// Replaces the values in a list by variables with the types of the callee's parameters; appends
/// the loads or stores that move the values.
static bool replaceValues(ParserState &state, const Instruction &call, Operand &list,
                          const std::vector<uint32_t> &parameters, bool isResult,
                          std::vector<Instruction> &moves) {
  for (size_t part = 0; part < list.parts.size(); ++part) {
    Operand &operand = list.parts[part];
    if (!isValue(operand))
      continue;
    if (part >= parameters.size())
      return state.cursor.refuse(operand.place, "'" + spell(call) +
                                                    "' has more operands than the function has "
                                                    "parameters");
    const Variable &like = state.module.variables[parameters[part]];
    if (like.bytes != bytesOf(like.type))
      return state.cursor.refuse(
          operand.place, "'" + spell(call) + "': a register is no operand for a parameter of " +
                             std::to_string(like.bytes) + " bytes");
    if (operand.kind == OperandKind::Register &&
        bytesOf(state.body().registers[operand.index].type) != like.bytes)
      return state.cursor.refuse(operand.place, "'" + spell(call) +
                                                    "': the register does not fit a parameter of " +
                                                    std::to_string(like.bytes) + " bytes");
    const uint32_t variable = addVariable(state, operand.place, like.type, like.bytes);
    state.body().locals.push_back(variable);
    moves.push_back(transfer(state, operand.place, variable, operand, isResult));
    moves.back().guard = call.guard;
    operand = {OperandKind::Variable, operand.place, variable};
  }
  return true;
}

bool tilewright::ptx::addCall(ParserState &state, Instruction call) {
  std::vector<Instruction> before, after;
  const Operand *callee = nullptr;
  for (const Operand &operand : call.operands)
    if (operand.kind == OperandKind::Function)
      callee = &operand; // the function, or the prototype of an indirect call
  if (callee) {
    const Function &function = state.module.functions[state.module.resolve(callee->index)];
    const std::vector<uint32_t> results = function.results, parameters = function.parameters;
    const bool hasResults = call.operands.front().kind == OperandKind::List;
    for (size_t at = 0; at < call.operands.size(); ++at)
      if (call.operands[at].kind == OperandKind::List) {
        const bool isResult = at == 0 && hasResults;
        if (!replaceValues(state, call, call.operands[at], isResult ? results : parameters,
                           isResult, isResult ? after : before))
          return false;
      }
  }
  std::vector<Instruction> &body = state.body().body;
  body.insert(body.end(), before.begin(), before.end());
  body.push_back(std::move(call));
  body.insert(body.end(), after.begin(), after.end());
  return true;
}
