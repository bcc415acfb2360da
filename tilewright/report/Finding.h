// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: errors that a machine detects while it executes a program. Each machine has a table of
// rules, and makes a finding for each violation: what happened, which part of the program was
// executing, and the operation with its source line. If debug information is available, that is the
// line in the language in which the kernel was written (types, 10).

#ifndef TILEWRIGHT_REPORT_FINDING_H
#define TILEWRIGHT_REPORT_FINDING_H

#include "tilewright/runtime/Grid.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::report {

/// A rule that correct programs follow. Rules are rows of constant tables, so pointers to them stay
/// valid.
struct Rule {
  /// `index-space`: the name of the rule on command lines and in reports.
  llvm::StringRef id;
  /// A description, for listings.
  llvm::StringRef summary;
  /// The section of the specification that requires it, `operations, 7.2`; may be empty.
  llvm::StringRef section = "";
  /// One sentence of advice on how to fix the program; may be empty.
  llvm::StringRef help = "";
  /// Correct programs may violate the rule.
  bool isWarning = false;
};

enum class FindingKind {
  /// An `assert` of the kernel failed.
  FailedAssert,
  /// The program has undefined behaviour.
  Misbehaviour,
  /// An unspecified value was stored or printed. This is only a warning, because a correct program
  /// may do so if nobody uses the value.
  UnspecifiedValue,
  /// An array has a NaN, an infinity or an imprecise value that the kernel stored, and the user
  /// asked for them (`--check origin,precision`). A warning.
  SuspiciousValue,
  /// The machine does not support an operation, or this form of it.
  Unsupported,
  /// The run exceeded its step limit.
  StepLimit,
  /// No remaining part of the program can continue.
  Deadlock,
  /// Two versions of one program left different values in memory.
  Difference,
  /// The program violates a rule of the language, so nothing can run it.
  InvalidProgram,
  /// The program is valid but suspicious, for example because of an unknown hint. A warning.
  SuspiciousProgram,
};

/// `failed-assertion`, `misbehaviour`, `unspecified-value`, `suspicious-value`, `unsupported`,
/// `step-limit`, `deadlock`, `difference`, `invalid-program`, `suspicious-program`
llvm::StringRef nameOf(FindingKind kind);

/// Whether a run with such a finding still counts as successful.
inline bool isWarning(FindingKind kind) {
  return kind == FindingKind::UnspecifiedValue || kind == FindingKind::SuspiciousValue ||
         kind == FindingKind::SuspiciousProgram;
}

/// `error` or `warning`.
inline llvm::StringRef levelOf(FindingKind kind) { return isWarning(kind) ? "warning" : "error"; }

/// Another operation involved in a finding: the earlier access of a race, or the origin of an
/// undefined value.
struct Related {
  mlir::Location location;
  std::string message;
};

/// A loop that was executing, and the number of its iteration.
struct Iteration {
  mlir::Location loop;
  int64_t number; ///< From 1.
  /// For a `for` loop.
  std::optional<llvm::APSInt> inductionValue;
};

struct Finding {
  FindingKind kind;
  mlir::Location location;
  /// One line: `block (0, 0, 0): store_ptr_tko: element [3]: ...`
  std::string message;

  // The same as data, as far as applicable.
  /// Null for unsupported operations and for the step limit.
  const Rule *rule = nullptr;
  mlir::Operation *op = nullptr;
  /// The entry or function that ran.
  std::string kernel = {};
  /// If a program is run in several versions: which one.
  std::string program = {};
  runtime::Block block = {};
  /// Thread number in its block, with x fastest; none if blocks have no threads.
  std::optional<int64_t> thread = std::nullopt;
  std::string operation = {};
  std::string element = {}; ///< `[3]`: index in the tile.
  /// `parameter 2 (4x8xf32)`; for an access outside all arrays, the nearest one.
  std::string array = {};
  int64_t arrayElement = -1; ///< In row-major order; -1 if in no array.
  std::vector<Related> related = {};
  /// Outermost first.
  std::vector<Iteration> iterations = {};
  /// If it happened in another schedule than the given one: `replay:1:3,0`, as options name it.
  std::string schedule = {};
};

/// The id of the rule, or the name of the kind if there is no rule.
llvm::StringRef ruleIdOf(const Finding &finding);

/// `in iteration 3 of this loop`
std::string toString(const Iteration &iteration);
/// `in the schedule replay:1:3,0`; empty if it is the given schedule.
std::string scheduleTextOf(const Finding &finding);
/// The message followed by the rule: `block (0, 0, 0): ... [bounds]`.
std::string headlineOf(const Finding &finding);
/// `kernel.py:12:3: error: block (0, 0, 0): ...`, and a line for each related operation and loop.
std::string toString(const Finding &finding);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_FINDING_H
