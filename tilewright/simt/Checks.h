// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of a run: rules that the threads of a workgroup may break.

#ifndef TILEWRIGHT_SIMT_CHECKS_H
#define TILEWRIGHT_SIMT_CHECKS_H

#include "tilewright/report/Finding.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilewright::simt {

using report::Finding;

enum class Check {
  Race,              ///< Two threads access an element without a barrier, and at least one writes.
  DivergentBarrier,  ///< Not all threads reach an operation that they must execute together.
  OutOfBounds,       ///< An access outside its memory, or a vector outside its extents.
  UninitializedRead, ///< A read of uninitialised memory.
  Poison,            ///< Poison reaches memory, an address or control flow.
  Division,          ///< An integer division by zero, or one that overflows.
  Loop,              ///< A loop whose step is not positive.
};
inline constexpr unsigned checkCount = 7;

const report::Rule &ruleOf(Check check);

/// The rules of all checks in order, followed by the kinds of findings that come from no check of a
/// run or of a comparison.
llvm::ArrayRef<report::Rule> rules();

/// The name of a finding's rule as used in text: `divergent barrier`.
std::string nameOf(const Finding &finding);

/// `k.mlir:9:3`, or `an unknown place`.
std::string placeOf(mlir::Location where);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_CHECKS_H
