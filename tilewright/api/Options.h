// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices, how to compile and launch for them, and what a launch returns.

#ifndef TILEWRIGHT_API_OPTIONS_H
#define TILEWRIGHT_API_OPTIONS_H

#include "tilewright/api/Finding.h"
#include "tilewright/api/Report.h"

#include <functional>
#include <optional>

namespace tilewright::api {

//===-- Compiling ---------------------------------------------------------------------------===//

enum class Device {
  /// Code for this processor.
  Cpu,
  /// The machine that executes what the specification says, and reports what a kernel does wrong.
  Reference,
  /// Code for a GPU, on the machine that executes and checks PTX.
  Ptx,
  /// The first NVIDIA GPU of this machine, through its driver.
  Gpu,
};

/// The order in which a machine executes what nothing orders: tile blocks and operations on the
/// reference machine, threads on the PTX machine.
enum class Schedule {
  ProgramOrder,
  /// Any legal order, decided by the seed.
  Random,
  /// From the last thread to the first; PTX machine only.
  Reverse,
};

struct CompileOptions {
  Device device = Device::Cpu;

  // For compiled code: all devices but Device::Reference.
  /// Cpu: `native`, or a processor that this one can run the code of, with `+FEATURE` or
  /// `+noFEATURE` (docs/cpu.md). Ptx and Gpu: a GPU, `sm_90a` (docs/nvidia.md). Empty:
  /// `native`; the usual GPU; the one of this machine.
  std::string target = {};
  /// 0 to 3.
  int optimization = 2;
  /// Cpu: debuggers see the code and its lines.
  bool debugInfo = false;
  /// Ptx: launches count what costs time on a GPU. The kernel's assumptions are not checked then.
  bool counters = false;

  // For Device::Reference and Device::Ptx.
  /// `all`, `none`, or a list of checks, as `--check` of the command line takes it.
  std::string checks = "all";
  Schedule schedule = Schedule::ProgramOrder;
  uint64_t seed = 0;
  /// Operations that all blocks of a launch may execute together, or instructions that all threads
  /// may; 0: $TILEWRIGHT_MAX_STEPS, or else
  /// 1,000,000,000.
  int64_t maxSteps = 0;

  /// Fails if the device does not know a value, or the target is not this machine's. Kernel.cpp
  /// defines it.
  support::Result<void> verify() const;
};

//===-- Launching ---------------------------------------------------------------------------===//

struct LaunchOptions {
  /// Of compiled code and the PTX machine, the caller's included; 0: TILEWRIGHT_THREADS, else as
  /// many as this process may keep busy. At most 1024. The reference machine decides itself.
  int threads = 0;
  /// Takes what the kernel prints, from one thread at a time; must not throw. Empty: standard
  /// output. It may launch this kernel again, on the thread that calls it. A GPU always prints to
  /// standard output.
  std::function<void(std::string_view)> output = {};
  /// Collects the findings of the launch. The kernel must be one for the reference machine.
  std::optional<Report> report = std::nullopt;
};

enum class Outcome {
  /// All blocks ran to their end, and nothing but warnings was found.
  Succeeded,
  /// An assertion does not hold, an operation is not supported, or the step limit was reached.
  Failed,
  /// The kernel did what the specification calls undefined.
  Misbehaved,
  /// Cancelled before all blocks had run, and nothing but warnings was found until then.
  Cancelled,
};

struct LaunchResult {
  Outcome outcome = Outcome::Succeeded;
  /// Compiled code reports assertions that do not hold, in the order of their blocks; machines
  /// report what their checks find, in the order in which it happened. Places are lines of the
  /// source; on the PTX machine the place in the PTX text is a related one.
  std::vector<Finding> findings = {};
  /// Findings beyond the first thousand are counted only.
  int64_t unlistedFindings = 0;
  /// On the reference machine: tile blocks communicated, and other schedules were not checked for
  /// races.
  bool blocksSynchronise = false;
  /// What the kernel did that costs time on a GPU, by line: the JSON object that `tilewright run
  /// --counters` writes. Empty unless CompileOptions::counters asked for it.
  std::string counters = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_OPTIONS_H
