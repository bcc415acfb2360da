// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares an entry for execution: lays out variables and decodes all functions that it can reach.
// Unsupported instructions are rejected here, by name, before anything runs.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_PREPARE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_PREPARE_H

#include "tilewright/ptx/code/Program.h"

#include <variant>

namespace tilewright::ptx {

/// The module must outlive the program. Global and constant variables get addresses from
/// `globalBase` on, in their order; loadVariables() creates them in memory.
std::variant<Program, Refusal> prepare(const Module &module, const Function &entry);

/// All supported opcodes, in alphabetical order.
std::vector<std::string_view> supportedOpcodes();

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_PREPARE_H
