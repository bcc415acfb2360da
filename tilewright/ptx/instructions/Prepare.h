// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can an entry execute? What the machine does not implement is refused here, by name, before
// anything runs.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_PREPARE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_PREPARE_H

#include "tilewright/ptx/code/Program.h"

#include <variant>

namespace tilewright::ptx {

/// The module must outlive the program. Global and constant variables have places from
/// `globalBase` on, in their order; the machine puts them there.
std::variant<Program, Refusal> prepare(const Module &module, const Function &entry);

/// All opcodes that the machine has, in alphabetical order.
std::vector<std::string_view> supportedOpcodes();

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_PREPARE_H
