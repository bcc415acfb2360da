// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a run look out for? The rules that the threads of a workgroup may break.

#ifndef TILEWRIGHT_SIMT_CHECKS_H
#define TILEWRIGHT_SIMT_CHECKS_H

#include "tilewright/report/Finding.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilewright::simt {

using report::Finding;

enum class Check {
  Race,              ///< Two threads meet in memory, one writes, and no barrier is between.
  DivergentBarrier,  ///< Not all threads reach what they have to execute together.
  OutOfBounds,       ///< An access outside of its memory, or a vector outside of its extents.
  UninitializedRead, ///< A read of memory that nobody has written.
  Poison,            ///< An undefined value reaches memory, an address or control flow.
  Division,          ///< An integer division by zero, or one that overflows.
  Loop,              ///< A loop whose step is not positive.
};
inline constexpr unsigned checkCount = 7;

const report::Rule &ruleOf(Check check);

/// The rules of all checks in their order, then what a run and a comparison of two runs report
/// without one: kinds of findings.
llvm::ArrayRef<report::Rule> rules();

/// The rule of a finding as text has it: `divergent barrier`.
std::string nameOf(const Finding &finding);

/// `k.mlir:9:3`, or `an unknown place`.
std::string placeOf(mlir::Location where);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_CHECKS_H
