// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between the library and its devices. A device prepares an entry once: the result is
// an Executable, which runs any number of launches.

#ifndef TILEWRIGHT_API_DEVICES_DEVICE_H
#define TILEWRIGHT_API_DEVICES_DEVICE_H

#include "tilewright/api/Array.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/api/Options.h"
#include "tilewright/api/Report.h"
#include "tilewright/runtime/Grid.h"

#include <atomic>

namespace tilewright::api {

struct KernelState;
struct LaunchOptions;

/// What an Executable needs to run a launch.
struct Run {
  std::shared_ptr<const KernelState> kernel;
  const runtime::Grid &grid;
  std::span<const Argument> arguments;
  const LaunchOptions &options;
  const std::atomic<bool> &cancelled;
  std::atomic<int64_t> &blocksDone;
  /// The kernel of the dependent launch, or null.
  const KernelState *dependent = nullptr;
};

/// An entry prepared for a device. Immutable; any thread may call it.
class Executable {
public:
  virtual ~Executable() = default;

  virtual Device device() const = 0;
  /// Fails for an argument that the device does not support. The caller has checked that its type
  /// is that of the parameter.
  virtual support::Result<void> verify(const Argument &) const { return {}; }
  /// Fails if the device does not support these arguments together. Each has passed the function
  /// above.
  virtual support::Result<void> verify(std::span<const Argument>) const { return {}; }
  /// Fails if the device does not support these options.
  virtual support::Result<void> verify(const LaunchOptions &) const { return {}; }
  /// Fails if no dependent launch can follow a launch of this entry. The caller has checked that
  /// both entries are from the same module and for the same device.
  virtual support::Result<void> verifyDependent() const {
    return support::Failure{"only a CPU and the reference machine have dependent launches"};
  }
  virtual support::Result<LaunchResult> run(const Run &run) const = 0;

protected:
  static ReportState &stateOf(const Report &report) { return *report.state; }
};

/// An entry of a module, and the options to compile it with.
struct Request {
  ModuleState &module;
  const std::string &entry;
  const CompileOptions &options;
};

// For each device, one file in this folder implements both functions. `verify` fails for options
// that the device does not support; `prepare` expects verified options.
support::Result<void> verifyForCpu(const CompileOptions &options);
support::Result<std::unique_ptr<Executable>> prepareForCpu(const Request &request);
support::Result<void> verifyForReference(const CompileOptions &options);
support::Result<std::unique_ptr<Executable>> prepareForReference(const Request &request);
support::Result<void> verifyForPtx(const CompileOptions &options);
support::Result<std::unique_ptr<Executable>> prepareForPtx(const Request &request);
support::Result<void> verifyForGpu(const CompileOptions &options);
support::Result<std::unique_ptr<Executable>> prepareForGpu(const Request &request);

/// The maximum number of operations, or of PTX instructions, that a launch may execute: `maxSteps`
/// of its options, if it is not 0, else $TILEWRIGHT_MAX_STEPS, else a billion. Fails if the
/// variable is not a number.
support::Result<int64_t> stepLimitOf(int64_t maxSteps);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_DEVICE_H
