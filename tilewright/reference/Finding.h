// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What went wrong in a launch? A list of findings: each says what happened, in which
// tile block, and at which operation of which source line. The line is that of the
// language the kernel was written in, where its debug information knows it (types, 10).

#ifndef TILEWRIGHT_REFERENCE_FINDING_H
#define TILEWRIGHT_REFERENCE_FINDING_H

#include "tilewright/runtime/Grid.h"
#include "tilewright/support/Result.h"
#include "tilewright/tile/Places.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::reference {

enum class FindingKind {
  /// An `assert` did not hold: the kernel says so itself.
  FailedAssert,
  /// The kernel did what the specification calls undefined.
  Misbehaviour,
  /// A value that the specification leaves open got out: a correct program may do that
  /// with one that nobody looks at. A warning, not an error.
  UnspecifiedValue,
  /// This machine cannot execute an operation, or not in this form.
  Unsupported,
  /// The launch did not end within the given number of steps.
  StepLimit,
};

/// Is a launch with such a finding still one that succeeded?
inline bool isWarning(FindingKind kind) { return kind == FindingKind::UnspecifiedValue; }

/// What the machine looks out for. Each can be switched off, but a failed assertion.
enum class Check : uint8_t {
  Assert,      ///< `assert` holds.
  Bounds,      ///< Accesses stay inside of a living allocation.
  Alignment,   ///< Addresses are multiples of the element size.
  Lifetime,    ///< An alloca is used in its scope, and by its block alone unless `global`.
  Constant,    ///< `constant` globals are not written.
  IndexSpace,  ///< Indices of views, slices and extents are in range.
  Undefined,   ///< Undefined elements reach no branch, address, mask, store or output.
  Unspecified, ///< Elements that nothing specifies are not stored or printed. A warning.
  Overflow,    ///< No-wrap promises hold where the result is used.
  Division,    ///< Integer divisions have a result where it is used.
  Shift,       ///< Shifts are by less than the width where the result is used.
  Promise,     ///< `assume` holds.
  Race,        ///< Conflicting accesses are ordered or morally strong.
  Scatter,     ///< The sparse indices of a store are distinct.
  Control,     ///< Loops have a positive step.
  Print,       ///< Format expressions fit their arguments.
};
inline constexpr unsigned checkCount = 16;

/// `bounds`, `index-space`, ...
llvm::StringRef nameOf(Check check);
/// In words, for listings.
llvm::StringRef summaryOf(Check check);
/// Where the rule comes from: `operations, 7.2`.
llvm::StringRef ruleOf(Check check);
/// What to do about it, in one sentence.
llvm::StringRef helpOf(Check check);

class Checks {
public:
  static Checks all() { return Checks((1u << checkCount) - 1); }
  static Checks none() { return Checks(0); }
  /// `all`, `none`, or names separated by commas, each added, or with `no-` in front
  /// removed; a list that starts with a removal starts from all.
  static support::Result<Checks> parse(llvm::StringRef text);

  bool has(Check check) const { return bits >> unsigned(check) & 1; }
  void set(Check check, bool on) {
    bits = on ? bits | 1u << unsigned(check) : bits & ~(1u << unsigned(check));
  }

private:
  explicit Checks(uint32_t bits) : bits(bits) {}
  uint32_t bits;
};

/// Another operation that a finding is about: the earlier access of a race, or where an
/// undefined value comes from.
struct Related {
  mlir::Location location;
  std::string message;
};

/// A loop that was going on, and how far it was.
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
  std::optional<Check> check = std::nullopt;
  mlir::Operation *op = nullptr;
  std::string kernel = {};
  runtime::Block block = {};
  std::string operation = {};
  std::string element = {};  ///< `[3]` of the tile.
  std::string array = {};    ///< `parameter 2 (4x8xf32)`.
  int64_t arrayElement = -1; ///< In row-major order.
  std::vector<Related> related = {};
  /// Outermost first.
  std::vector<Iteration> iterations = {};
};

using tile::locationText;
using tile::sourcePosition;

/// `in iteration 3 of this loop`
std::string toString(const Iteration &iteration);
/// `kernel.py:12:3: error: block (0, 0, 0): ...`, and a line for each related operation and loop.
std::string toString(const Finding &finding);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_FINDING_H
