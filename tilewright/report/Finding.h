// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did a machine find wrong with a program? Each machine that executes programs has a table
// of rules, and makes a finding where a program breaks one: what happened, which part of the
// program was executing, and at which operation of which source line. The line is that of the
// language the kernel was written in, where its debug information knows it (types, 10).

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

/// What a correct program does. Rules are rows of constant tables, so pointers to them stay valid.
struct Rule {
  /// `index-space`: selects it on command lines, and names it in reports.
  llvm::StringRef id;
  /// In words, for listings.
  llvm::StringRef summary;
  /// Of the specification that requires it, `operations, 7.2`; may be empty.
  llvm::StringRef section = "";
  /// How to correct the program, in one sentence; may be empty.
  llvm::StringRef help = "";
  /// A correct program may break it.
  bool isWarning = false;
};

enum class FindingKind {
  /// An `assert` did not hold: the kernel says so itself.
  FailedAssert,
  /// The program did what its specification calls undefined.
  Misbehaviour,
  /// A value that the specification leaves open got out: a correct program may do that
  /// with one that nobody looks at. A warning, not an error.
  UnspecifiedValue,
  /// The machine cannot execute an operation, or not in this form.
  Unsupported,
  /// The run did not end within the given number of steps.
  StepLimit,
  /// Nothing that is left of the program can go on.
  Deadlock,
  /// Two forms of one program left different values in memory.
  Difference,
  /// The program breaks a rule of the language: nothing can run it.
  InvalidProgram,
  /// It is valid, but odd: a hint that nobody knows. A warning.
  OddProgram,
};

/// `failed-assertion`, `misbehaviour`, `unspecified-value`, `unsupported`, `step-limit`,
/// `deadlock`, `difference`, `invalid-program`, `odd-program`
llvm::StringRef nameOf(FindingKind kind);

/// Is a run with such a finding still one that succeeded?
inline bool isWarning(FindingKind kind) {
  return kind == FindingKind::UnspecifiedValue || kind == FindingKind::OddProgram;
}

/// `error` or `warning`.
inline llvm::StringRef levelOf(FindingKind kind) { return isWarning(kind) ? "warning" : "error"; }

/// Another operation that a finding is about: the earlier access of a race, or where an
/// undefined value comes from.
struct Related {
  mlir::Location location;
  std::string message;
};

/// A loop that was executing, and how far it was.
struct Iteration {
  mlir::Location loop;
  int64_t number; ///< From 1.
  /// Of a `for`.
  std::optional<llvm::APSInt> inductionValue;
};

struct Finding {
  FindingKind kind;
  mlir::Location location;
  /// One line: `block (0, 0, 0): store_ptr_tko: element [3]: ...`.
  std::string message;

  // The same as data, as far as it applies.
  /// None for an operation that is not supported, and for the step limit.
  const Rule *rule = nullptr;
  mlir::Operation *op = nullptr;
  /// The entry or function that ran.
  std::string kernel = {};
  /// Of a program that is run in several forms: which one.
  std::string program = {};
  runtime::Block block = {};
  /// In its block, with x fastest; none where a block has no threads.
  std::optional<int64_t> thread = std::nullopt;
  std::string operation = {};
  std::string element = {}; ///< `[3]` of the tile.
  /// `parameter 2 (4x8xf32)`; of an access outside of all arrays, the nearest one.
  std::string array = {};
  int64_t arrayElement = -1; ///< In row-major order; -1 if it is in none.
  std::vector<Related> related = {};
  /// Outermost first.
  std::vector<Iteration> iterations = {};
};

/// The rule; where there is none, the kind.
llvm::StringRef ruleIdOf(const Finding &finding);

/// `in iteration 3 of this loop`
std::string toString(const Iteration &iteration);
/// The message, and the rule behind it: `block (0, 0, 0): ... [bounds]`.
std::string headlineOf(const Finding &finding);
/// `kernel.py:12:3: error: block (0, 0, 0): ...`, and a line for each related operation and loop.
std::string toString(const Finding &finding);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_FINDING_H
