// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of the reference machine, each with the section of the specification that requires it.
// A kernel that breaks one causes a finding.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_CHECKS_H
#define TILEWRIGHT_REFERENCE_MACHINE_CHECKS_H

#include "tilewright/report/Finding.h"
#include "tilewright/support/Result.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilewright::reference {

using report::Finding;
using report::FindingKind;
using report::Iteration;
using report::Related;
using tile::locationText;
using tile::sourcePosition;

/// Each can be disabled, except for failed assertions.
enum class Check : uint8_t {
  Assert,     ///< `assert` holds.
  Bounds,     ///< Accesses stay inside a live allocation.
  Alignment,  ///< Addresses are multiples of the element size.
  Lifetime,   ///< An alloca is used in its scope only, and only by its block unless it is `global`.
  Constant,   ///< `constant` globals are not written.
  IndexSpace, ///< Indices of views, slices and extents are in range.
  Undefined,  ///< Undefined elements reach no branch, address, mask, store or output.
  Unspecified, ///< Unspecified elements are not stored or printed. A warning.
  Overflow,    ///< No-wrap assumptions hold where the result is used.
  Division,    ///< The results of integer divisions are defined where they are used.
  Shift,       ///< Shift amounts are less than the width where the result is used.
  Assumption,  ///< `assume` holds.
  Race,        ///< Conflicting accesses are ordered or morally strong.
  Scatter,     ///< The sparse indices of a store are distinct.
  Control,     ///< Loops have a positive step.
  Print,       ///< Format expressions fit their arguments.
  Origin,      ///< Floats in arrays are finite. A warning; only if it is named.
  Precision,   ///< They are close to those of an execution in f64. A warning; only if it is named.
};
inline constexpr unsigned checkCount = 18;

const report::Rule &ruleOf(Check check);
/// `bounds`, `index-space`, ...
inline llvm::StringRef nameOf(Check check) { return ruleOf(check).id; }
/// None if the finding does not come from a check.
std::optional<Check> checkOf(const Finding &finding);

/// The rule of a deadlock, in which all blocks wait for one another. It cannot be disabled.
const report::Rule &deadlockRule();

/// The rules of all checks in order, followed by deadlockRule().
llvm::ArrayRef<report::Rule> rules();

class Checks {
public:
  /// All but `origin` and `precision`, because a correct program may compute NaNs, and round.
  static Checks all() {
    Checks checks((1u << checkCount) - 1);
    checks.set(Check::Origin, false);
    checks.set(Check::Precision, false);
    return checks;
  }
  static Checks none() { return Checks(0); }
  /// Parses a comma-separated list of `all`, `none` and names. A name adds a check, and a name
  /// after `no-` removes it; a list that starts with a removal starts from all.
  static support::Result<Checks> parse(llvm::StringRef text);

  bool has(Check check) const { return bits >> unsigned(check) & 1; }
  void set(Check check, bool on) {
    bits = on ? bits | 1u << unsigned(check) : bits & ~(1u << unsigned(check));
  }

private:
  explicit Checks(uint32_t bits) : bits(bits) {}
  uint32_t bits;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_CHECKS_H
