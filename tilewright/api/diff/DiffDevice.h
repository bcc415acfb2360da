// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device whose results are compared, with the target that it compiles for.

#ifndef TILEWRIGHT_API_DIFF_DIFFDEVICE_H
#define TILEWRIGHT_API_DIFF_DIFFDEVICE_H

#include "tilewright/api/Options.h"

#include <string_view>
#include <vector>

namespace tilewright::api {

struct DiffDevice {
  Device device;
  /// As in CompileOptions; empty for the default.
  std::string target = {};

  /// Parses `reference`, `cpu`, `ptx` or `gpu`; all but the first may be followed by a target:
  /// `ptx:sm_80`. Fails for targets that do not exist, or that this machine cannot run.
  static support::Result<DiffDevice> parse(std::string_view text);
  /// As `parse` takes it.
  std::string name() const;

  bool operator==(const DiffDevice &) const = default;
};

/// Whether the list has the reference machine only, so that nothing is compared with it. An empty
/// list stands for the default devices.
bool isOnlyReference(const std::vector<DiffDevice> &devices);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_DIFFDEVICE_H
