// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is this text a PTX module? The parser knows the grammar of PTX 9.0, and so of all before:
// directives, declarations, and the form of instructions; which instructions there are, code/
// knows.

#ifndef TILEWRIGHT_PTX_TEXT_PARSER_H
#define TILEWRIGHT_PTX_TEXT_PARSER_H

#include "tilewright/ptx/text/Module.h"

#include <variant>

namespace tilewright::ptx {

/// Of all variables of a module together.
inline constexpr uint64_t mostVariableBytes = uint64_t(1) << 28;

std::variant<Module, Refusal> parse(std::string text);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_PARSER_H
