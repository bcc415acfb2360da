// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did a kernel do wrong, as data? A finding of a launch: what happened, which rule it breaks,
// in which tile block and element, at which line.

#ifndef TILEWRIGHT_API_FINDING_H
#define TILEWRIGHT_API_FINDING_H

#include "tilewright/api/Diagnostic.h"

#include <array>

namespace tilewright::api {

enum class FindingKind {
  /// An `assert` of the kernel does not hold.
  FailedAssert,
  /// The kernel did what the specification calls undefined.
  Misbehaviour,
  /// A value that the specification leaves open got out. A warning.
  UnspecifiedValue,
  /// The machine cannot execute an operation.
  Unsupported,
  /// The launch did not end within its number of steps.
  StepLimit,
  /// All tile blocks that were left waited, and none could change what they waited for.
  Deadlock,
};

struct Finding {
  FindingKind kind;
  bool isWarning = false;
  /// One line: `block (0, 0, 0): store_ptr_tko: ...`.
  std::string message;
  /// The message with its place and notes, as the command line prints it.
  std::string text;
  Place place;
  /// `race`, `bounds`, ...: the check that made the finding, empty if none did.
  std::string rule = {};
  /// Of the specification that requires it, and how to correct the kernel; may be empty.
  std::string section = {}, help = {};
  std::string kernel = {};
  std::array<int64_t, 3> block = {};
  /// `store_ptr_tko`; empty for an assertion that failed in compiled code.
  std::string operation = {};
  /// Of the tile, `[3]`; empty for a scalar.
  std::string element = {};
  /// The array that is concerned, `parameter 2 (4x8xf32)`, and the number of the element in its
  /// memory; empty and none where it is about none. Of an access outside of all arrays it is the
  /// nearest one, without an element. An array that element 5 of it leads to is
  /// `parameter 2[5] (16xf32)`. Arrays that overlap are one, `parameters 1 and 2 (16xf32)`, or
  /// `parameters 1 (16xf32) and 3 (8xi64)`, where bytes are counted if the formats differ. An array
  /// with a name is called so, `array x (4x8xf32)`.
  std::string array = {};
  std::optional<int64_t> arrayElement = std::nullopt;
  /// Other operations that it is about, as the earlier access of a race, and the loops that were
  /// executing.
  std::vector<Note> related = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_FINDING_H
