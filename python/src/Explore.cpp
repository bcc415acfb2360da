// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explores a kernel: `tilewright.explore`.

#include "Arguments.h"
#include "Cancellable.h"

#include <algorithm>
#include <nanobind/stl/string.h>

using namespace tilewright;
using namespace tilewright::python;

using ExploredHandle = std::unique_ptr<twExplored, Destroyed<twExploredDestroy>>;

nb::tuple python::explore(const twEntry *entry, const ExploreSettings &settings, nb::args objects) {
  const Arguments arguments(entry, settings.names, objects);
  twExploreOptions options = {};
  options.size = sizeof options;
  std::copy(settings.grid.begin(), settings.grid.end(), options.grid);
  options.target = settings.target.empty() ? nullptr : settings.target.c_str();
  options.readsSources = settings.readsSources;
  std::vector<twSourceText> sources;
  for (const auto &[file, text] : settings.sources)
    sources.push_back({file.c_str(), text.c_str()});
  options.sources = sources.data();
  options.sourceCount = sources.size();
  options.compare = settings.compare;
  options.maxSteps = settings.maxSteps;
  twExplored *created = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status = cancellable([&](twCancellation *cancellation) {
    options.cancellation = cancellation;
    return twEntryExplore(entry, &options, arguments.get().data(), arguments.get().size(), &created,
                          &reported);
  });
  const ExploredHandle explored(created);
  const DiagnosticsHandle diagnostics(reported);
  raiseSignals();
  report(status, diagnostics.get());
  return nb::make_tuple(nb::str(twExploredJson(created)), nb::str(twExploredPage(created)),
                        twExploredOutcome(created) == TW_SUCCESS);
}
