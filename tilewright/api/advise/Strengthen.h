// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches the smallest changes to the memory order of a kernel after which it has no races:
// stronger orderings, wider scopes, and tokens.

#ifndef TILEWRIGHT_API_ADVISE_STRENGTHEN_H
#define TILEWRIGHT_API_ADVISE_STRENGTHEN_H

#include "tilewright/api/advise/Trial.h"

namespace tilewright::api {

struct Fixes {
  /// Sets of changes of equal size and cost.
  std::vector<std::vector<Change>> all = {};
  /// `all sets of up to 2 of 7 changes`
  std::string tried = {};
};

support::Result<Fixes> findFixes(const ExploredProgram &program, const Trial &original,
                                 Trials &trials);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_STRENGTHEN_H
