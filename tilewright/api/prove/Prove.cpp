// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prove.h.

#include "tilewright/api/prove/Prove.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/api/prove/Replay.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/report/Place.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

/// The names in the text of the program, `arg1` and so on if it has none: `%0` would be a number in
/// conditions.
static std::vector<std::string> parameterNames(const ExploredProgram &program) {
  std::vector<std::string> names;
  for (mlir::Value parameter : program.entry().getBody().getArguments()) {
    const std::string name = program.valueNames().lookup(parameter);
    const bool isNamed = name.size() > 1 && !llvm::isDigit(name[1]);
    names.push_back(isNamed ? name.substr(1) : "arg" + std::to_string(names.size() + 1));
  }
  return names;
}

static Place placeOf(mlir::Operation *op, llvm::StringRef file) {
  const report::SourcePlace place = report::placeOf(op->getLoc(), file);
  return {place.file, place.line, place.column, place.byte};
}

static ProofVerdict verdictOf(const prove::SubjectProof &proof, bool isRefuted) {
  switch (proof.verdict) {
  case prove::Verdict::Holds:
    return ProofVerdict::Holds;
  case prove::Verdict::HoldsIf:
    return ProofVerdict::HoldsIf;
  case prove::Verdict::Fails:
    return isRefuted ? ProofVerdict::Counterexample : ProofVerdict::Unknown;
  case prove::Verdict::Unknown:
    return ProofVerdict::Unknown;
  }
  llvm_unreachable("verdicts are listed above");
}

Result<KernelProof> api::proveKernel(const Entry &entry, const ProveOptions &options) {
  const auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  const llvm::StringRef file = (*program)->file();
  KernelProof result{entry.name(), parameterNames(**program), {}, {}};
  const prove::EntryProof proof = prove::proveEntry((*program)->entry(), result.parameters);
  result.conditions = proof.conditions;
  for (const prove::SubjectProof &subject : proof.subjects) {
    OperationProof row{placeOf(subject.op, file),
                       reference::nameOf(subject.op).str(),
                       subject.isAccess,
                       ProofVerdict::Unknown,
                       subject.conditions,
                       "",
                       {},
                       {}};
    const bool isOpen = subject.verdict != prove::Verdict::Holds;
    if (isOpen && options.searchesCounterexamples) {
      auto found = findCounterexample((*program)->entry(), proof.symbols, subject);
      if (!found)
        return found.failure();
      row.counterexample = *std::move(found);
    }
    row.verdict = verdictOf(subject, row.counterexample.has_value());
    if (row.verdict == ProofVerdict::Unknown) {
      mlir::Operation *stop = subject.stoppedBy ? subject.stoppedBy : subject.op;
      row.stoppedBy = reference::nameOf(stop).str();
      row.stoppedAt = placeOf(stop, file);
    }
    result.operations.push_back(std::move(row));
  }
  return result;
}
