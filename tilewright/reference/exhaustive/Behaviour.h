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
  /// Of what has not been seen because it depends on open reads: these, by event, once for each
  /// place where something may be missing.
  std::vector<llvm::SmallVector<unsigned, 2>> unseen = {};
  /// With these values there is no such behaviour.
  bool isGivenUp = false;
  /// What made it too long; then nothing is known about the rest.
  std::optional<std::string> limit = std::nullopt;
  /// Whatever the caller wants to know of it later.
  std::shared_ptr<const void> details = nullptr;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_BEHAVIOUR_H
