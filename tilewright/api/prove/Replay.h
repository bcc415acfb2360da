// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches for a small launch that violates what a proof could not show, and runs it on the
// reference machine. Only what that machine reports is a counterexample.

#ifndef TILEWRIGHT_API_PROVE_REPLAY_H
#define TILEWRIGHT_API_PROVE_REPLAY_H

#include "tilewright/api/prove/Counterexample.h"
#include "tilewright/prove/Prove.h"
#include "tilewright/support/Result.h"

#include <atomic>
#include <span>

namespace tilewright::api {

/// What launches are searched for.
struct Search {
  tile::EntryOp entry;
  const prove::Symbols &symbols;
  /// What findings call the arrays: a name for each parameter, or none.
  std::span<const std::string> names;
  /// If not null: whether to stop.
  const std::atomic<bool> *cancelled;
};

/// None if no launch was found that fails at the operation. Fails if there is too little memory.
support::Result<std::optional<Counterexample>> findCounterexample(const Search &search,
                                                                  const prove::SubjectProof &proof);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PROVE_REPLAY_H
