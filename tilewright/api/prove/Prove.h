// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves for all sizes that a kernel stays inside of its memory, or finds the condition under which
// it does, and launches that show where it does not (docs/prove.md).

#ifndef TILEWRIGHT_API_PROVE_PROVE_H
#define TILEWRIGHT_API_PROVE_PROVE_H

#include "tilewright/api/Entry.h"
#include "tilewright/api/Options.h"
#include "tilewright/api/prove/Counterexample.h"
#include "tilewright/support/Result.h"

#include <atomic>

namespace tilewright::api {

enum class ProofVerdict {
  Holds,          ///< For all launches.
  HoldsIf,        ///< For all launches that satisfy the conditions.
  Counterexample, ///< For no launch that is known; one that fails is given.
  Unknown,        ///< The proof does not get past an operation.
};

/// What is known about a memory access or an assumption.
struct OperationProof {
  Place place;
  /// `load_view_tko`
  std::string operation;
  bool isAccess;
  ProofVerdict verdict;
  /// All must hold: `grid.x <= ceil(n / 1024)`.
  std::vector<std::string> conditions;
  /// Of an unknown verdict: the operation that is not analysed, and its place.
  std::string stoppedBy;
  Place stoppedAt;
  std::optional<Counterexample> counterexample;
};

struct KernelProof {
  std::string entry;
  /// The names of the parameters in conditions.
  std::vector<std::string> parameters;
  std::vector<OperationProof> operations;
  /// Under which every operation holds whose verdict is Holds or HoldsIf.
  std::vector<std::string> conditions;
  /// Nothing else is known then.
  bool isCancelled = false;
};

/// Counterexample if an operation has one, else Unknown if one is, else HoldsIf or Holds.
ProofVerdict verdictOf(const KernelProof &proof);
/// For exit statuses: Failed if the verdict is Unknown, Misbehaved if it is Counterexample.
Outcome outcomeOf(ProofVerdict verdict);

struct ProveOptions {
  /// Search for launches that fail, and run them on the reference machine.
  bool searchesCounterexamples = true;
  /// What conditions and findings call the parameters: one name for each, or none. Without a name,
  /// that in the text is used, else `arg1` and so on. They must be different.
  std::vector<std::string> names = {};
  /// If not null: whether to stop.
  const std::atomic<bool> *cancelled = nullptr;
};

support::Result<KernelProof> proveKernel(const Entry &entry, const ProveOptions &options = {});

/// As text, and as JSON (docs/prove.md). Commands that show counterexamples read `file`; if that is
/// empty, there are none.
std::string toString(const KernelProof &proof, const std::string &file);
std::string toJson(const KernelProof &proof, const std::string &file);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PROVE_PROVE_H
