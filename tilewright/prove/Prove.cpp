// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prove.h.

#include "tilewright/prove/Prove.h"
#include "tilewright/prove/Conditions.h"
#include "tilewright/prove/Walk.h"

using namespace tilewright;
using namespace tilewright::prove;

static SubjectProof prove(const Analysis &analysis, Conditions &conditions, const Subject &subject,
                          std::set<unsigned> &conditional) {
  SubjectProof proof{subject.op, subject.isAccess, Verdict::Unknown, {}, nullptr, {}};
  proof.stoppedBy = subject.stoppedBy;
  if (proof.stoppedBy)
    return proof;
  const std::set<unsigned> obligations = conditions.closure(subject.support.obligations);
  const Condition condition = conditions.of(obligations, proof.stoppedBy);
  if (proof.stoppedBy)
    return proof;
  for (unsigned number : obligations)
    if (analysis.obligations[number].kind != ObligationKind::Range)
      llvm::append_range(proof.launches, conditions.launchesOf(number));
  if (!conditions.isPossible(condition)) {
    proof.stoppedBy = conditions.unknownIn(obligations);
    proof.verdict = proof.stoppedBy ? Verdict::Unknown : Verdict::Fails;
    return proof;
  }
  proof.verdict = condition.isTrue() ? Verdict::Holds : Verdict::HoldsIf;
  proof.conditions = conditions.textOf(condition);
  conditional.insert(obligations.begin(), obligations.end());
  return proof;
}

EntryProof prove::proveEntry(tile::EntryOp entry, llvm::ArrayRef<std::string> names,
                             const std::atomic<bool> *cancelled) {
  const Analysis analysis = analyse(entry, names);
  Conditions conditions(analysis, cancelled);
  EntryProof proof;
  std::set<unsigned> conditional;
  for (const Subject &subject : analysis.subjects)
    proof.subjects.push_back(::prove(analysis, conditions, subject, conditional));
  mlir::Operation *unknown = nullptr;
  proof.conditions = conditions.textOf(conditions.of(conditional, unknown));
  proof.symbols = analysis.symbols;
  if (cancelled && *cancelled)
    return {Symbols(0), {}, {}, /*isCancelled=*/true};
  return proof;
}
