// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one run of a tile block has shown.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H

#include "tilewright/reference/exhaustive/Events.h"

#include <memory>
#include <string>

namespace tilewright::reference {

/// What a block may do.
struct Behaviour {
  Trace trace;
  /// For each place where events may be missing: the open reads (event numbers) that the missing
  /// events depend on.
  std::vector<llvm::SmallVector<unsigned, 2>> unseen = {};
  /// The block cannot end this way: the search drops all executions that contain this run.
  bool isGivenUp = false;
  /// The limit that ended the run early. If reads are open, their stand-in values may have driven
  /// the run into it.
  std::optional<std::string> limit = std::nullopt;
  /// Whatever the caller wants to know of it later.
  std::shared_ptr<const void> details = nullptr;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H
