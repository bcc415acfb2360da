// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconvergence points of branches: the immediate post-dominator, which is the first instruction
// that all paths from the branch to the end have in common. Paths that end the thread at once are
// ignored, because the remaining lanes need not wait for exited ones.

#ifndef TILEWRIGHT_PTX_WATCH_RECONVERGENCE_H
#define TILEWRIGHT_PTX_WATCH_RECONVERGENCE_H

#include "tilewright/ptx/code/Op.h"

namespace tilewright::ptx {

/// No common instruction: the lanes stay diverged.
inline constexpr uint32_t noReconvergence = UINT32_MAX;

/// For each instruction of a function: where may lanes diverge and reconverge?
struct Branches {
  std::vector<bool> isBranch;
  std::vector<uint32_t> reconvergesAt; ///< An op, or `noReconvergence`.
  std::vector<bool> mayEnd;            ///< A guarded `ret` or `exit`.
  std::vector<bool> isCall;
};

Branches findBranches(const Code &code);

/// Has a thread that exited at instruction `end` passed `at` without executing it? True if the
/// thread must have executed a post-dominator of `at` (ignoring paths that exit at once) that can
/// be reached without `at`.
bool isBypassed(const Code &code, uint32_t at, uint32_t end);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_RECONVERGENCE_H
