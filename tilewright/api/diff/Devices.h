// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an entry, given as an operation, on any device: for comparing devices, on the program and on
// changed copies of it.

#ifndef TILEWRIGHT_API_DIFF_DEVICES_H
#define TILEWRIGHT_API_DIFF_DEVICES_H

#include "tilewright/api/Array.h"
#include "tilewright/api/diff/DiffDevice.h"
#include "tilewright/reference/watch/Observer.h"
#include "tilewright/report/Finding.h"
#include "tilewright/runtime/Grid.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::api {

struct DeviceLaunch {
  tile::EntryOp entry;
  const runtime::Grid &grid;
  const std::vector<Argument> &arguments;
  /// The name of the program's file.
  llvm::StringRef file;
  /// Check the kernel, on a device that can.
  bool checks = false;
  /// For the reference machine; may be null.
  reference::Observer *observer = nullptr;
};

struct DeviceOutcome {
  Outcome outcome = Outcome::Succeeded;
  /// What the device found, except warnings.
  std::vector<report::Finding> findings = {};
  /// Owns their locations, unless the program does.
  std::shared_ptr<mlir::MLIRContext> context = {};
};

/// The arrays are changed in place. What the kernel prints is discarded. Fails if the device cannot
/// run the entry.
support::Result<DeviceOutcome> runOn(const DiffDevice &device, const DeviceLaunch &launch);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_DEVICES_H
