// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the parser: Parser.cpp has directives and functions, Variables.cpp declarations of
// variables, Body.cpp instructions and what is between them, Operands.cpp operands. Each function
// returns whether the text is as it expects; the cursor keeps the refusal.
//
// Only for the sources of this folder.

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
  /// Line of the source that the next instruction belongs to, as in Instruction.
  uint32_t line = 0;
  uint64_t variableBytes = 0;
  /// The variable that stands for shared memory reserved by the system, if something names it.
  std::optional<uint32_t> reservedShared;

  Function &body() { return module.functions[function]; }
};

/// `.global .align 4 .b8 x[4] = {1, 2}, y;` after the word of the space.
bool parseVariables(ParserState &state, Space space, bool isExtern);
/// `.param .u64 .ptr .align 8 x` after `.param`; a name `_` has no meaning.
bool parseParameter(ParserState &state, uint32_t &variable);
/// The same after `.reg`: a parameter in a register.
bool parseRegisterParameter(ParserState &state, Function &function, bool isResult,
                            uint32_t &variable);
/// Parameters in registers: what a body begins with, and what is before a return.
void loadParameters(ParserState &state);
void storeResults(ParserState &state, const std::optional<Operand> &guard, Place place);
/// A call, with what brings operands in registers to where the callee expects them.
bool addCall(ParserState &state, Instruction call);
bool parseFunctionHead(ParserState &state, Function &function, bool hasName);
/// From `{` to `}`.
bool parseBody(ParserState &state);
bool parseOperand(ParserState &state, Operand &operand);
/// `(a, 5)` of a call.
bool parseCallList(ParserState &state, Operand &operand);
bool parseLocation(ParserState &state);
bool parseFile(ParserState &state);
/// `"nounroll", "x";` after `.pragma`.
bool skipPragma(Cursor &cursor);
/// `.section .debug_str { ... }` after `.section`.
bool skipSection(ParserState &state);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_PARSERSTATE_H
