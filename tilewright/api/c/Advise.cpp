// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twAdvice: which memory orders, scopes and tokens a launch needs, as text and as JSON.

#include "tilewright/api/advise/Advise.h"
#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Result;

struct twAdvice {
  bool hasErrors;
  std::string text, json;
};

static Result<api::KernelAdvice> advise(const twEntry &entry, const twAdviseOptions &options,
                                        const twArgument *arguments, size_t count) {
  Result<GridAndArguments> on = GridAndArguments::of(options.grid, arguments, count);
  if (!on)
    return on.failure();
  api::AdviseOptions known;
  if (options.explorationRuns)
    known.explorationRuns = options.explorationRuns;
  if (options.randomSchedules)
    known.randomSchedules = options.randomSchedules;
  if (options.cancellation)
    known.cancelled = &options.cancellation->isRequested;
  return api::adviseKernel(entry.entry, on->grid, on->arguments, known);
}

twStatus twEntryAdvise(const twEntry *entry, const twAdviseOptions *options,
                       const twArgument *arguments, size_t argumentCount, twAdvice **result,
                       twDiagnostics **diagnostics) {
  if (result)
    *result = nullptr;
  const auto isWrong = [&](const std::string &why) {
    return wrongUsage("twEntryAdvise: " + why, diagnostics);
  };
  if (!entry)
    return isWrong("the entry is null");
  if (!result)
    return isWrong("there is no place for the result");
  const Result<twAdviseOptions> given = readStruct(options, "options");
  if (!given)
    return isWrong(given.failure().message);
  const Result<api::KernelAdvice> advice = advise(*entry, *given, arguments, argumentCount);
  if (given->cancellation && given->cancellation->isRequested)
    return fail(TW_CANCELLED, "twEntryAdvise: cancelled", diagnostics);
  if (!advice)
    return isWrong(advice.failure().message);
  report({}, diagnostics);
  *result = new twAdvice{!advice->errors.empty(), api::toString(*advice), api::toJson(*advice)};
  return TW_SUCCESS;
}

twStatus twAdviceOutcome(const twAdvice *advice) {
  if (!advice)
    return TW_USAGE;
  return advice->hasErrors ? TW_MISBEHAVED : TW_SUCCESS;
}

const char *twAdviceText(const twAdvice *advice) { return advice ? advice->text.c_str() : nullptr; }

const char *twAdviceJson(const twAdvice *advice) { return advice ? advice->json.c_str() : nullptr; }

void twAdviceDestroy(twAdvice *advice) { delete advice; }
