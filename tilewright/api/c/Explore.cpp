// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twExplored: what a kernel does, costs and does wrong, as a JSON document and as a page.

#include "tilewright/api/explore/Explore.h"
#include "tilewright/api/c/Common.h"
#include "tilewright/api/explore/Page.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

struct twExplored {
  tilewright::api::ExploredKernel kernel;
  std::string page;
};

static Result<api::ExploredKernel> explore(const twEntry &entry, const twExploreOptions *given,
                                           const twArgument *arguments, size_t count) {
  Result<twExploreOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  Result<GridAndArguments> on = GridAndArguments::of(options->grid, arguments, count);
  if (!on)
    return on.failure();
  api::ExploreOptions known;
  if (options->target)
    known.target = options->target;
  known.readsSources = options->readsSources;
  if (options->sourceCount && !options->sources)
    return Failure{"the sources are null"};
  for (const twSourceText &source : std::span(options->sources, options->sourceCount)) {
    if (!source.file || !source.text)
      return Failure{"a file or text of the sources is null"};
    known.sources.push_back({source.file, source.text});
  }
  if (options->compare)
    known.compare = options->compare->entry;
  known.maxSteps = options->maxSteps;
  if (options->cancellation)
    known.cancelled = &options->cancellation->isRequested;
  return api::exploreKernel(entry.entry, on->grid, on->arguments, known);
}

twCancellation *twCancellationCreate(void) { return new twCancellation; }

void twCancellationRequest(twCancellation *cancellation) {
  if (cancellation)
    cancellation->isRequested = true;
}

void twCancellationDestroy(twCancellation *cancellation) { delete cancellation; }

twStatus twEntryExplore(const twEntry *entry, const twExploreOptions *options,
                        const twArgument *arguments, size_t argumentCount, twExplored **explored,
                        twDiagnostics **diagnostics) {
  if (explored)
    *explored = nullptr;
  if (!entry)
    return wrongUsage("twEntryExplore: the entry is null", diagnostics);
  if (!explored)
    return wrongUsage("twEntryExplore: there is no place for the result", diagnostics);
  Result<api::ExploredKernel> kernel = explore(*entry, options, arguments, argumentCount);
  if (!kernel)
    return wrongUsage("twEntryExplore: " + kernel.failure().message, diagnostics);
  if (kernel->outcome == api::Outcome::Cancelled)
    return fail(TW_CANCELLED, "twEntryExplore: cancelled", diagnostics);
  report({}, diagnostics);
  std::string page = api::pageOf(kernel->json);
  *explored = new twExplored{std::move(*kernel), std::move(page)};
  return TW_SUCCESS;
}

twStatus twExploredOutcome(const twExplored *explored) {
  return explored ? statusOf(explored->kernel.outcome) : TW_USAGE;
}

const char *twExploredJson(const twExplored *explored) {
  return explored ? explored->kernel.json.c_str() : nullptr;
}

const char *twExploredPage(const twExplored *explored) {
  return explored ? explored->page.c_str() : nullptr;
}

void twExploredDestroy(twExplored *explored) { delete explored; }
