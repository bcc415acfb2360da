// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares devices: `tilewright.diff`.

#include "Arguments.h"

#include <algorithm>
#include <nanobind/stl/string.h>

using namespace tilewright;
using namespace tilewright::python;

using DiffHandle = std::unique_ptr<twDiff, Destroyed<twDiffDestroy>>;

nb::tuple python::diff(const twEntry *entry, const DiffSettings &settings, nb::args objects) {
  const Arguments arguments(entry, settings.names, objects);
  std::vector<const char *> devices;
  for (const std::string &device : settings.devices)
    devices.push_back(device.c_str());
  twDiffOptions options = {};
  options.size = sizeof options;
  std::copy(settings.grid.begin(), settings.grid.end(), options.grid);
  options.devices = devices.data();
  options.deviceCount = devices.size();
  options.readsSources = settings.readsSources;
  twDiff *created = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status = unlocked([&] {
    return twEntryDiff(entry, &options, arguments.get().data(), arguments.get().size(), &created,
                       &reported);
  });
  const DiffHandle diff(created);
  report(status, DiagnosticsHandle(reported).get());
  return nb::make_tuple(nb::str(twDiffJson(created)), nb::str(twDiffText(created)),
                        twDiffOutcome(created) == TW_SUCCESS);
}
