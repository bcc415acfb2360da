// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates what a launch costs on GPUs: `tilewright.estimate`.

#include "Arguments.h"
#include "Cancellable.h"

#include <algorithm>
#include <nanobind/stl/string.h>

using namespace tilewright;
using namespace tilewright::python;

nb::str python::estimate(const twEntry *entry, const EstimateSettings &settings, nb::args objects) {
  const Arguments arguments(entry, settings.names, objects);
  twEstimateOptions options = {};
  options.size = sizeof options;
  std::copy(settings.grid.begin(), settings.grid.end(), options.grid);
  options.target = settings.target.empty() ? nullptr : settings.target.c_str();
  options.blocks = settings.blocks.value_or(-1);
  options.maxSteps = settings.maxSteps;
  char *json = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status = cancellable([&](twCancellation *cancellation) {
    options.cancellation = cancellation;
    return twEntryEstimate(entry, &options, arguments.get().data(), arguments.get().size(), &json,
                           &reported);
  });
  const std::unique_ptr<char, Destroyed<twFree>> document(json);
  const DiagnosticsHandle diagnostics(reported);
  raiseSignals();
  report(status, diagnostics.get());
  return nb::str(document.get());
}

nb::str python::estimateIncreases(const std::string &before, const std::string &after,
                                  double tolerance) {
  char *json = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status =
      twEstimateIncreases(before.c_str(), after.c_str(), tolerance, &json, &reported);
  const std::unique_ptr<char, Destroyed<twFree>> increases(json);
  report(status, DiagnosticsHandle(reported).get());
  return nb::str(increases.get());
}
