// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel did wrong, as data. A finding of a launch says what happened, which rule it
// violates, in which tile block and element, and at which source line.

#ifndef TILEWRIGHT_API_FINDING_H
#define TILEWRIGHT_API_FINDING_H

#include "tilewright/api/Diagnostic.h"

#include <array>

namespace tilewright::api {

enum class FindingKind {
  /// An `assert` of the kernel failed.
  FailedAssert,
  /// The kernel has undefined behaviour according to the specification.
  Misbehaviour,
  /// A value that the specification leaves open became observable. A warning.
  UnspecifiedValue,
  /// The kernel stored a NaN, an infinity or an unspecified value (only with the check `origin`),
  /// or a value far from that of an execution in f64 (`precision`). A warning.
  SuspiciousValue,
  /// The kernel has an operation that the machine does not support.
  Unsupported,
  /// The launch reached its step limit.
  StepLimit,
  /// Every remaining tile block waited for a change that no other block can make.
  Deadlock,
};

struct Finding {
  FindingKind kind;
  bool isWarning = false;
  /// One line: `block (0, 0, 0): store_ptr_tko: ...`.
  std::string message;
  /// The message with its place and notes, as the command line prints them.
  std::string text;
  Place place;
  /// The check that made the finding: `race`, `bounds`, ...; may be empty.
  std::string rule = {};
  /// The section of the specification that requires the rule, and how to fix the kernel. Both may
  /// be empty.
  std::string section = {}, help = {};
  std::string kernel = {};
  std::array<int64_t, 3> block = {};
  /// The operation, `store_ptr_tko`; empty for an assertion that failed in compiled code.
  std::string operation = {};
  /// The element of the tile, `[3]`; empty for a scalar.
  std::string element = {};
  /// The array that the finding is about, `parameter 2 (4x8xf32)`, and the number of the element in
  /// its memory. If it is about no array, empty and none. If the access is outside of all arrays,
  /// the nearest array and none. An array whose address is in element 5 of that array appears as
  /// `parameter 2[5] (16xf32)`. Overlapping arrays are named together: `parameters 1 and 2
  /// (16xf32)`; elements then count from the lowest address. If the formats differ, as in
  /// `parameters 1 (16xf32) and 3 (8xi64)`, arrayElement counts bytes. An array with the name
  /// `array x` appears as `array x (4x8xf32)`.
  std::string array = {};
  std::optional<int64_t> arrayElement = std::nullopt;
  /// If it happened in another schedule than that of the launch: `replay:1:3,0`, which
  /// CompileOptions::replay repeats. Empty otherwise.
  std::string schedule = {};
  /// Other operations that the finding is about, such as the earlier access of a race, and the
  /// loops that were executing.
  std::vector<Note> related = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_FINDING_H
