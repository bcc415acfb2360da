// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Exploration.h.

#include "tools/tilewright/explore/Exploration.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

static Exploration failed(const Failure &failure, int status) {
  return {(status == ExitUsage ? "tilewright explore: " : "") + failure.message, status, {}};
}

Exploration tools::explore(const ExploreOptions &options, const std::atomic<bool> *cancelled) {
  api::ExploreOptions forLibrary;
  forLibrary.target = options.target.cpu;
  forLibrary.readsSources = options.sources;
  forLibrary.maxSteps = options.maxSteps;
  forLibrary.cancelled = cancelled;
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return failed(grid.failure(), ExitUsage);
  EntryArguments given;
  if (Result<void> loaded = given.load(options); !loaded)
    return failed(loaded.failure(), given.status());
  if (options.compares()) {
    const std::string &file = options.otherFile.empty() ? options.file : options.otherFile;
    const std::vector<std::string> names = options.otherEntry.empty()
                                               ? std::vector<std::string>{given.entry().name(), ""}
                                               : std::vector<std::string>{options.otherEntry};
    int status;
    Result<api::Entry> other = readEntry(file, names, status);
    if (!other)
      return failed(other.failure(), status);
    forLibrary.compare = *std::move(other);
  }
  Result<api::ExploredKernel> explored =
      api::exploreKernel(given.entry(), *grid, given.arguments(), forLibrary);
  if (!explored)
    return failed(explored.failure(), ExitInvalid);
  return {"", statusOf(explored->outcome), *std::move(explored)};
}
