// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses PTX text into a module. The parser knows the grammar of PTX 9.0, which includes all
// earlier versions: directives, declarations and the syntax of instructions. The opcode tables of
// instructions/ decide which instructions exist.

#ifndef TILEWRIGHT_PTX_TEXT_PARSER_H
#define TILEWRIGHT_PTX_TEXT_PARSER_H

#include "tilewright/ptx/text/Module.h"

#include <variant>

namespace tilewright::ptx {

/// Maximum for all variables of a module together.
inline constexpr uint64_t mostVariableBytes = uint64_t(1) << 28;

std::variant<Module, Refusal> parse(std::string text);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_PARSER_H
