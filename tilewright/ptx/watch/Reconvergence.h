// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do lanes that branched apart come together again? At the first instruction that all ways
// from the branch to the end have in common, its immediate post-dominator. Ways that end the
// thread at once do not count: the lanes that are left need not wait for those that are gone.

#ifndef TILEWRIGHT_PTX_WATCH_RECONVERGENCE_H
#define TILEWRIGHT_PTX_WATCH_RECONVERGENCE_H

#include "tilewright/ptx/code/Op.h"

namespace tilewright::ptx {

/// No common instruction: the lanes stay apart.
inline constexpr uint32_t nowhere = UINT32_MAX;

/// For each instruction of a function that may send lanes to different places.
struct Branches {
  std::vector<bool> isBranch;
  std::vector<uint32_t> meetsAt; ///< An op, or `nowhere`.
  std::vector<bool> mayEnd;      ///< A `ret` or `exit` with a guard.
  std::vector<bool> isCall;
};

Branches findBranches(const Code &code);

/// Has a thread that ended at the instruction `end` gone past `at` without executing it? That is so
/// if it must have been where all ways from `at` lead, other than those that end the thread at
/// once, and where `at` need not be executed first.
bool isBypassed(const Code &code, uint32_t at, uint32_t end);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_RECONVERGENCE_H
