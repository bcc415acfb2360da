// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions does the PTX manual have (PTX ISA 9.0, 9.7), and which of them has the
// machine? One table: docs/ptx-instructions.md is made of it, and the tests ask for a test of each
// form.

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
  /// Forms that the machine has, separated by spaces: `.sat.s32 {.u16,.u32}`, an instruction for
  /// each choice of a brace. `.` is the opcode alone.
  std::string_view forms;
  /// What it refuses, by name; empty if nothing.
  std::string_view refused = {};
};

std::span<const ManualRow> manual();

/// `add.sat.s32`, `add.u16`, `add.u32`: all forms of a row, one by one.
std::vector<std::string> formsOf(const ManualRow &row);

/// The page of the documentation.
std::string manualPage();

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MANUAL_H
