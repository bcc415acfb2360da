// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the reference machine look out for? A list of checks, each with the section of the
// specification that requires it. Where a kernel breaks one, the machine makes a finding.

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

/// Each can be switched off, but a failed assertion.
enum class Check : uint8_t {
  Assert,      ///< `assert` holds.
  Bounds,      ///< Accesses stay inside of a living allocation.
  Alignment,   ///< Addresses are multiples of the element size.
  Lifetime,    ///< An alloca is used in its scope, and by its block alone unless `global`.
  Constant,    ///< `constant` globals are not written.
  IndexSpace,  ///< Indices of views, slices and extents are in range.
  Undefined,   ///< Undefined elements reach no branch, address, mask, store or output.
  Unspecified, ///< Elements that nothing specifies are not stored or printed. A warning.
  Overflow,    ///< No-wrap assumptions hold where the result is used.
  Division,    ///< Integer divisions have a result where it is used.
  Shift,       ///< Shifts are by less than the width where the result is used.
  Promise,     ///< `assume` holds.
  Race,        ///< Conflicting accesses are ordered or morally strong.
  Scatter,     ///< The sparse indices of a store are distinct.
  Control,     ///< Loops have a positive step.
  Print,       ///< Format expressions fit their arguments.
};
inline constexpr unsigned checkCount = 16;

const report::Rule &ruleOf(Check check);
/// `bounds`, `index-space`, ...
inline llvm::StringRef nameOf(Check check) { return ruleOf(check).id; }
/// None where the finding comes from no check.
std::optional<Check> checkOf(const Finding &finding);

/// Of what ends a launch whichever checks are selected: all blocks wait for one another.
const report::Rule &deadlockRule();

/// The rules of all checks in their order, then what ends a launch without one.
llvm::ArrayRef<report::Rule> rules();

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

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_CHECKS_H
