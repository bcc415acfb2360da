// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says which memory orders, scopes and tokens a launch needs: `tilewright.advise`.

#include "Arguments.h"
#include "Cancellable.h"

#include <algorithm>
#include <nanobind/stl/string.h>

using namespace tilewright;
using namespace tilewright::python;

using AdviceHandle = std::unique_ptr<twAdvice, Destroyed<twAdviceDestroy>>;

nb::tuple python::advise(const twEntry *entry, const AdviseSettings &settings, nb::args objects) {
  const Arguments arguments(entry, settings.names, objects);
  twAdviseOptions options = {};
  options.size = sizeof options;
  std::copy(settings.grid.begin(), settings.grid.end(), options.grid);
  options.explorationRuns = settings.explorationRuns;
  options.randomSchedules = settings.randomSchedules;
  twAdvice *created = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status = cancellable([&](twCancellation *cancellation) {
    options.cancellation = cancellation;
    return twEntryAdvise(entry, &options, arguments.get().data(), arguments.get().size(), &created,
                         &reported);
  });
  const AdviceHandle advice(created);
  const DiagnosticsHandle diagnostics(reported);
  raiseSignals();
  report(status, diagnostics.get());
  return nb::make_tuple(nb::str(twAdviceJson(created)), nb::str(twAdviceText(created)),
                        twAdviceOutcome(created) == TW_SUCCESS);
}
