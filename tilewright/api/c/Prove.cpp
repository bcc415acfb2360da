// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twProof: whether accesses are in bounds for all launches, as text and as a JSON document.

#include "tilewright/api/prove/Prove.h"
#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

struct twProof {
  tilewright::api::ProofVerdict verdict;
  std::string text, json;
};

static Result<api::ProveOptions> optionsOf(const twProveOptions &options) {
  if (options.nameCount && !options.names)
    return Failure{"the names are null"};
  api::ProveOptions known;
  known.searchesCounterexamples = !options.proofOnly;
  for (const char *name : std::span(options.names, options.nameCount))
    known.names.push_back(name ? name : "");
  if (options.cancellation)
    known.cancelled = &options.cancellation->isRequested;
  return known;
}

twStatus twEntryProve(const twEntry *entry, const twProveOptions *options, twProof **result,
                      twDiagnostics **diagnostics) {
  if (result)
    *result = nullptr;
  const auto isWrong = [&](const std::string &why) {
    return wrongUsage("twEntryProve: " + why, diagnostics);
  };
  if (!entry)
    return isWrong("the entry is null");
  if (!result)
    return isWrong("there is no place for the result");
  const Result<twProveOptions> given = readStruct(options, "options");
  if (!given)
    return isWrong(given.failure().message);
  const Result<api::ProveOptions> known = optionsOf(*given);
  if (!known)
    return isWrong(known.failure().message);
  const Result<api::KernelProof> proof = api::proveKernel(entry->entry, *known);
  if (!proof)
    return isWrong(proof.failure().message);
  if (proof->isCancelled)
    return fail(TW_CANCELLED, "twEntryProve: cancelled", diagnostics);
  report({}, diagnostics);
  const std::string file = given->file ? given->file : "";
  *result =
      new twProof{api::verdictOf(*proof), api::toString(*proof, file), api::toJson(*proof, file)};
  return TW_SUCCESS;
}

twStatus twProofOutcome(const twProof *proof) {
  return proof ? statusOf(api::outcomeOf(proof->verdict)) : TW_USAGE;
}

const char *twProofText(const twProof *proof) { return proof ? proof->text.c_str() : nullptr; }

const char *twProofJson(const twProof *proof) { return proof ? proof->json.c_str() : nullptr; }

void twProofDestroy(twProof *proof) { delete proof; }
