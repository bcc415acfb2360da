// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of one run of a tile block, as the exhaustive search sees it.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H

#include "tilewright/reference/exhaustive/Events.h"

#include <memory>
#include <string>

namespace tilewright::reference {

/// One possible behaviour of a block.
struct Behaviour {
  Trace trace;
  /// For each point of the run where other read values could have produced further events: the open
  /// reads (event numbers) that those events depend on.
  std::vector<llvm::SmallVector<unsigned, 2>> unseen = {};
  /// The limit that ended the run early. If reads are open, their stand-in values may be the reason
  /// that the run reached it.
  std::optional<std::string> limit = std::nullopt;
  /// Opaque data that the caller attaches to the run.
  std::shared_ptr<const void> details = nullptr;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H
