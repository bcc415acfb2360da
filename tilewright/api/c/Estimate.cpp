// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch costs on GPUs, as a JSON document, and which costs have grown.

#include "tilewright/api/estimate/Estimate.h"
#include "tilewright/api/c/Common.h"
#include "tilewright/api/estimate/CostChanges.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

static Result<api::KernelEstimate> estimate(const twEntry &entry, const twEstimateOptions *given,
                                            const twArgument *arguments, size_t count) {
  Result<twEstimateOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  Result<GridAndArguments> on = GridAndArguments::of(options->grid, arguments, count);
  if (!on)
    return on.failure();
  if (options->blocks < -1)
    return Failure{"expected a number of blocks from -1, but got " +
                   std::to_string(options->blocks)};
  api::EstimateOptions known;
  if (options->target)
    known.target = options->target;
  if (options->blocks)
    known.blocks = options->blocks == -1 ? 0 : options->blocks;
  known.maxSteps = options->maxSteps;
  if (options->cancellation)
    known.cancelled = &options->cancellation->isRequested;
  return api::estimateKernel(entry.entry, on->grid, on->arguments, known);
}

twStatus twEntryEstimate(const twEntry *entry, const twEstimateOptions *options,
                         const twArgument *arguments, size_t argumentCount, char **json,
                         twDiagnostics **diagnostics) {
  if (json)
    *json = nullptr;
  if (!entry)
    return wrongUsage("twEntryEstimate: the entry is null", diagnostics);
  if (!json)
    return wrongUsage("twEntryEstimate: there is no place for the document", diagnostics);
  const Result<api::KernelEstimate> estimated = estimate(*entry, options, arguments, argumentCount);
  if (!estimated)
    return wrongUsage("twEntryEstimate: " + estimated.failure().message, diagnostics);
  if (estimated->isCancelled)
    return fail(TW_CANCELLED, "twEntryEstimate: cancelled", diagnostics);
  report({}, diagnostics);
  *json = copyOf(estimated->json);
  return TW_SUCCESS;
}

twStatus twEstimateIncreases(const char *before, const char *after, double tolerance, char **json,
                             twDiagnostics **diagnostics) {
  if (json)
    *json = nullptr;
  if (!before || !after)
    return wrongUsage("twEstimateIncreases: a document is null", diagnostics);
  if (!json)
    return wrongUsage("twEstimateIncreases: there is no place for the increases", diagnostics);
  const auto increases = api::costIncreases(before, after, tolerance);
  if (!increases)
    return wrongUsage("twEstimateIncreases: " + increases.failure().message, diagnostics);
  report({}, diagnostics);
  *json = copyOf(api::asJson(*increases));
  return TW_SUCCESS;
}
