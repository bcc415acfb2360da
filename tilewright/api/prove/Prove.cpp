// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prove.h.

#include "tilewright/api/prove/Prove.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/api/prove/Replay.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/report/Place.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

/// Fails if conditions could not tell parameters apart.
static Result<void> verifyDistinct(const std::vector<std::string> &names) {
  std::map<std::string, size_t> numbers;
  for (auto [index, name] : llvm::enumerate(names))
    if (const auto [first, isNew] = numbers.try_emplace(name, index + 1); !isNew)
      return Failure{"expected different names of the parameters, but parameters " +
                     std::to_string(first->second) + " and " + std::to_string(index + 1) +
                     " have the name '" + name + "'"};
  return {};
}

/// The given names, else those in the text of the program, else `arg1` and so on: `%0` would be a
/// number in conditions.
static Result<std::vector<std::string>> parameterNames(const ExploredProgram &program,
                                                       const std::vector<std::string> &given) {
  const auto parameters = program.entry().getBody().getArguments();
  if (!given.empty() && given.size() != parameters.size())
    return Failure{"expected a name for each of " + std::to_string(parameters.size()) +
                   " parameters, but got " + std::to_string(given.size())};
  std::vector<std::string> names = given;
  names.resize(parameters.size());
  for (auto [name, parameter] : llvm::zip_equal(names, parameters)) {
    const std::string inText = program.valueNames().lookup(parameter);
    if (name.empty() && inText.size() > 1 && !llvm::isDigit(inText[1]))
      name = inText.substr(1);
  }
  for (auto [index, name] : llvm::enumerate(names))
    if (name.empty())
      for (name = "arg" + std::to_string(index + 1); llvm::count(names, name) > 1;)
        name += "_";
  if (Result<void> distinct = verifyDistinct(names); !distinct)
    return distinct.failure();
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

static OperationProof rowOf(const prove::SubjectProof &subject, llvm::StringRef file,
                            std::optional<Counterexample> counterexample) {
  OperationProof row{placeOf(subject.op, file),
                     reference::nameOf(subject.op).str(),
                     subject.isAccess,
                     verdictOf(subject, counterexample.has_value()),
                     subject.conditions,
                     "",
                     {},
                     std::move(counterexample)};
  if (row.verdict == ProofVerdict::Unknown) {
    mlir::Operation *stop = subject.stoppedBy ? subject.stoppedBy : subject.op;
    row.stoppedBy = reference::nameOf(stop).str();
    row.stoppedAt = placeOf(stop, file);
  }
  return row;
}

Result<KernelProof> api::proveKernel(const Entry &entry, const ProveOptions &options) {
  const auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  Result<std::vector<std::string>> names = parameterNames(**program, options.names);
  if (!names)
    return names.failure();
  KernelProof result{entry.name(), *std::move(names), {}, {}};
  const KernelProof cancelled{entry.name(), {}, {}, {}, /*isCancelled=*/true};
  const prove::EntryProof proof =
      prove::proveEntry((*program)->entry(), result.parameters, options.cancelled);
  if (proof.isCancelled)
    return cancelled;
  result.conditions = proof.conditions;
  const Search search{(*program)->entry(), proof.symbols, options.names, options.cancelled};
  for (const prove::SubjectProof &subject : proof.subjects) {
    std::optional<Counterexample> found;
    if (subject.verdict != prove::Verdict::Holds && options.searchesCounterexamples) {
      auto searched = findCounterexample(search, subject);
      if (!searched)
        return searched.failure();
      found = *std::move(searched);
    }
    if (options.cancelled && *options.cancelled)
      return cancelled;
    result.operations.push_back(rowOf(subject, (*program)->file(), std::move(found)));
  }
  return result;
}

ProofVerdict api::verdictOf(const KernelProof &proof) {
  for (const ProofVerdict verdict :
       {ProofVerdict::Counterexample, ProofVerdict::Unknown, ProofVerdict::HoldsIf})
    if (llvm::any_of(proof.operations, [&](const auto &row) { return row.verdict == verdict; }))
      return verdict;
  return ProofVerdict::Holds;
}

Outcome api::outcomeOf(ProofVerdict verdict) {
  switch (verdict) {
  case ProofVerdict::Holds:
  case ProofVerdict::HoldsIf:
    return Outcome::Succeeded;
  case ProofVerdict::Unknown:
    return Outcome::Failed;
  case ProofVerdict::Counterexample:
    return Outcome::Misbehaved;
  }
  llvm_unreachable("verdicts are listed above");
}
