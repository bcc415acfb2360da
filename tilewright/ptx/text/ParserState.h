// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared state and functions of the parser: Parser.cpp parses directives and functions,
// Variables.cpp declarations of variables, Body.cpp function bodies, Operands.cpp operands. Each
// function returns false on a syntax error; the cursor keeps the message.
//
// Internal to this folder.

#ifndef TILEWRIGHT_PTX_TEXT_PARSERSTATE_H
#define TILEWRIGHT_PTX_TEXT_PARSERSTATE_H

#include "tilewright/ptx/text/Cursor.h"
#include "tilewright/ptx/text/Scopes.h"

namespace tilewright::ptx {

struct ParserState {
  explicit ParserState(Tokens tokens) : cursor(std::move(tokens)) {}

  Cursor cursor;
  Module module;
  Scopes scopes;
  /// The function whose body is parsed.
  uint32_t function = 0;
  /// Source line of the next instruction, as in Instruction::source.
  uint32_t line = 0;
  uint64_t variableBytes = 0;
  /// The variable for shared memory reserved by the system, if the text uses it.
  std::optional<uint32_t> reservedShared;

  Function &body() { return module.functions[function]; }
};

/// Parses `.global .align 4 .b8 x[4] = {1, 2}, y;` after the state space.
bool parseVariables(ParserState &state, Space space, bool isExtern);
/// Parses `.param .u64 .ptr .align 8 x` after `.param`; the name `_` declares no symbol.
bool parseParameter(ParserState &state, uint32_t &variable);
/// The same after `.reg`: a register parameter.
bool parseRegisterParameter(ParserState &state, Function &function, bool isResult,
                            uint32_t &variable);
/// Register parameters: loads at the beginning of a body, stores before a return.
void loadParameters(ParserState &state);
void storeResults(ParserState &state, const std::optional<Operand> &guard, Place place);
/// Adds a call, with the moves that bring register operands to where the callee expects them.
bool addCall(ParserState &state, Instruction call);
bool parseFunctionHead(ParserState &state, Function &function, bool hasName);
/// Parses from `{` to `}`.
bool parseBody(ParserState &state);
bool parseOperand(ParserState &state, Operand &operand);
/// Parses the list `(a, 5)` of a call.
bool parseCallList(ParserState &state, Operand &operand);
bool parseLocation(ParserState &state);
bool parseFile(ParserState &state);
/// Skips `"nounroll", "x";` after `.pragma`.
bool skipPragma(Cursor &cursor);
/// Skips `.section .debug_str { ... }` after `.section`.
bool skipSection(ParserState &state);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_PARSERSTATE_H
