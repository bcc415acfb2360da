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
  /// Places where the run may lack events, because an open read could have had another value. Each
  /// entry lists the open reads (event numbers) that decide there; an empty list stands for the end
  /// of the run.
  std::vector<llvm::SmallVector<unsigned, 2>> unseen = {};
  /// The limit that ended the run early. If reads are open, their stand-in values may be the reason
  /// that the run reached it.
  std::optional<std::string> limit = std::nullopt;
  /// Opaque data that the caller attaches to the run.
  std::shared_ptr<const void> details = nullptr;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H
