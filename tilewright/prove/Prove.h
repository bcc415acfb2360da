// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves for all launches of an entry that its accesses stay inside of memory, and that its
// assumptions hold, or finds the condition under which they do.

#ifndef TILEWRIGHT_PROVE_PROVE_H
#define TILEWRIGHT_PROVE_PROVE_H

#include "tilewright/prove/Analysis.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::prove {

enum class Verdict {
  Holds,   ///< For all launches.
  HoldsIf, ///< For all launches that satisfy the conditions.
  Fails,   ///< No launch satisfies the condition.
  Unknown, ///< An operation is not analysed.
};

struct SubjectProof {
  mlir::Operation *op;
  /// A memory access; otherwise an assumption.
  bool isAccess;
  Verdict verdict;
  /// Each must hold.
  std::vector<std::string> conditions;
  /// Of an unknown verdict.
  mlir::Operation *stoppedBy = nullptr;
  /// Launches that may violate it.
  Cases launches;
};

struct EntryProof {
  Symbols symbols;
  std::vector<SubjectProof> subjects;
  /// Under which everything holds that holds under a condition.
  std::vector<std::string> conditions;
  /// Nothing else is known then.
  bool isCancelled = false;
};

/// `names` has one for each parameter, all different. Stops when `cancelled`, which may be null,
/// becomes true.
EntryProof proveEntry(tile::EntryOp entry, llvm::ArrayRef<std::string> names,
                      const std::atomic<bool> *cancelled = nullptr);

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_PROVE_H
