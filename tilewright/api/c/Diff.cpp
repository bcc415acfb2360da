// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twDiff: which operation a device computes wrongly, as text and as a JSON report.

#include "tilewright/api/diff/Diff.h"
#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

struct twDiff {
  tilewright::api::KernelDiff diff;
};

static Result<std::vector<api::DiffDevice>> devicesOf(const twDiffOptions &options) {
  if (options.deviceCount && !options.devices)
    return Failure{"the devices are null"};
  std::vector<api::DiffDevice> devices;
  for (const char *name : std::span(options.devices, options.deviceCount)) {
    if (!name)
      return Failure{"the name of a device is null"};
    Result<api::DiffDevice> device = api::DiffDevice::parse(name);
    if (!device)
      return device.failure();
    devices.push_back(*std::move(device));
  }
  return devices;
}

static Result<api::KernelDiff> diff(const twEntry &entry, const twDiffOptions *given,
                                    const twArgument *arguments, size_t count) {
  Result<twDiffOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  Result<GridAndArguments> on = GridAndArguments::of(options->grid, arguments, count);
  if (!on)
    return on.failure();
  Result<std::vector<api::DiffDevice>> devices = devicesOf(*options);
  if (!devices)
    return devices.failure();
  api::DiffOptions known;
  known.devices = *std::move(devices);
  known.readsSources = options->readsSources;
  return api::diffKernel(entry.entry, on->grid, on->arguments, known);
}

twStatus twEntryDiff(const twEntry *entry, const twDiffOptions *options,
                     const twArgument *arguments, size_t argumentCount, twDiff **result,
                     twDiagnostics **diagnostics) {
  if (result)
    *result = nullptr;
  if (!entry)
    return wrongUsage("twEntryDiff: the entry is null", diagnostics);
  if (!result)
    return wrongUsage("twEntryDiff: there is no place for the result", diagnostics);
  Result<api::KernelDiff> compared = diff(*entry, options, arguments, argumentCount);
  if (!compared)
    return wrongUsage("twEntryDiff: " + compared.failure().message, diagnostics);
  report({}, diagnostics);
  *result = new twDiff{*std::move(compared)};
  return TW_SUCCESS;
}

twStatus twDiffOutcome(const twDiff *diff) {
  if (!diff)
    return TW_USAGE;
  return diff->diff.exitStatus == 0   ? TW_SUCCESS
         : diff->diff.exitStatus == 3 ? TW_MISBEHAVED
                                      : TW_FAILED;
}

const char *twDiffText(const twDiff *diff) { return diff ? diff->diff.text.c_str() : nullptr; }

const char *twDiffJson(const twDiff *diff) { return diff ? diff->diff.json.c_str() : nullptr; }

void twDiffDestroy(twDiff *diff) { delete diff; }
