// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all instructions in the PTX manual (PTX ISA 9.0, 9.7), and which of them the machine
// supports. docs/ptx-instructions.md is generated from it, and a test checks that some test
// executes each supported form.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MANUAL_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MANUAL_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::ptx {

struct ManualRow {
  /// The chapter of the manual.
  std::string_view chapter, opcode;
  /// Supported forms, separated by spaces: `.sat.s32 {.u16,.u32}` is one form for each alternative
  /// in braces. `.` is the opcode alone.
  std::string_view forms;
  /// What the machine rejects; empty if nothing.
  std::string_view refused = {};
};

std::span<const ManualRow> manual();

/// Expands a row to all its forms: `add.sat.s32`, `add.u16`, `add.u32`.
std::vector<std::string> formsOf(const ManualRow &row);

/// The generated page of the documentation.
std::string manualPage();

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MANUAL_H
