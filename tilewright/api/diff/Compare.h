// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares one device with the reference machine, and finds the operation that differs. A device
// whose arrays differ is run again, with probes on all values at once. If that hides the
// difference, because the compiler does something else with the probes, each value gets a program
// of its own with one probe.

#ifndef TILEWRIGHT_API_DIFF_COMPARE_H
#define TILEWRIGHT_API_DIFF_COMPARE_H

#include "tilewright/api/diff/DiffResult.h"
#include "tilewright/api/diff/Locate.h"

namespace tilewright::api {

/// A launch on the reference machine.
struct ReferenceResult {
  DeviceOutcome outcome;
  MemoryHistory history;
  /// The arrays afterwards.
  Contents arrays;

  static support::Result<std::unique_ptr<const ReferenceResult>> of(const DiffLaunch &launch);
};

struct Comparison {
  Verdict verdict = Verdict::Equal;
  /// One line.
  std::string summary = "equal";
  /// What the device found, if the verdict is Misbehaved.
  DeviceOutcome outcome = {};
  /// If the verdict is Different.
  std::optional<Culprit> culprit = {};
  /// In which the culprit was found; empty if the operation is not known.
  Observations observations = {};
};

Comparison compareOn(const DiffDevice &device, const DiffLaunch &launch,
                     const ReferenceResult &reference);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_COMPARE_H
