// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, options for compiling and launching, and the result of a launch.

#ifndef TILEWRIGHT_API_OPTIONS_H
#define TILEWRIGHT_API_OPTIONS_H

#include "tilewright/api/Finding.h"
#include "tilewright/api/Report.h"

#include <functional>
#include <optional>

namespace tilewright::api {

//===-- Compiling ---------------------------------------------------------------------------===//

enum class Device {
  /// This processor, with compiled code.
  Cpu,
  /// The reference machine, which executes the specification and reports what a kernel does wrong.
  Reference,
  /// GPU code, executed and checked by the PTX machine, without a GPU.
  Ptx,
  /// The first NVIDIA GPU of this machine, through its driver.
  Gpu,
};

/// The order in which a machine executes unordered operations: those of tile blocks on the
/// reference machine, those of threads on the PTX machine.
enum class Schedule {
  ProgramOrder,
  /// A random legal order, which the seed determines.
  Random,
  /// From the last thread to the first. PTX machine only.
  Reverse,
};

struct CompileOptions {
  Device device = Device::Cpu;

  // For compiled code: all devices but Device::Reference.
  /// Cpu: `native`, or another processor whose code can run on this one, with `+FEATURE` or
  /// `+noFEATURE` (docs/cpu.md). Ptx and Gpu: a GPU like `sm_90a` (docs/nvidia.md). Empty: for Cpu
  /// `native`, for Ptx `sm_90a`, for Gpu the GPU of this machine.
  std::string target = {};
  /// 0 to 3.
  int optimization = 2;
  /// Cpu: emit line information for debuggers.
  bool debugInfo = false;
  /// Ptx: count what costs time on a GPU. The kernel's assumptions are then not checked.
  bool counters = false;

  // For Device::Reference and Device::Ptx.
  /// `all`, `none`, or a list of checks, as for the option `--check`.
  std::string checks = "all";
  Schedule schedule = Schedule::ProgramOrder;
  uint64_t seed = 0;
  /// The maximum number of operations that all blocks of a launch execute together; on the PTX
  /// machine, of instructions that all threads execute together. 0: $TILEWRIGHT_MAX_STEPS, else
  /// 1,000,000,000.
  int64_t maxSteps = 0;

  /// Fails if the device does not support a value, or the target cannot run on this machine.
  /// Kernel.cpp defines it.
  support::Result<void> verify() const;
};

//===-- Launching ---------------------------------------------------------------------------===//

struct LaunchOptions {
  /// The number of threads for compiled code and the PTX machine, including the caller's, at most
  /// 1024. 0: TILEWRIGHT_THREADS, else as many as this process can keep busy. The reference machine
  /// ignores it.
  int threads = 0;
  /// Receives what the kernel prints, from one thread at a time; must not throw. Empty: standard
  /// output. It may launch this kernel again, on the thread that called it. A GPU always prints to
  /// standard output.
  std::function<void(std::string_view)> output = {};
  /// Collects the findings of the launch. Only for the reference machine.
  std::optional<Report> report = std::nullopt;
  /// Gpu: a CUstream of the primary context of the first GPU. The launch is enqueued there, and
  /// `run` returns without waiting for it: faults are reported by later calls. Pointers must be
  /// Addresses. Null: the default stream; `run` waits for all earlier work on the GPU, then for the
  /// launch.
  void *stream = nullptr;
};

enum class Outcome {
  /// All blocks ran to their end, without findings other than warnings.
  Succeeded,
  /// An assertion failed, an operation is not supported, or the step limit was reached.
  Failed,
  /// The kernel has undefined behaviour according to the specification.
  Misbehaved,
  /// Cancelled before all blocks had ended, without findings other than warnings.
  Cancelled,
};

struct LaunchResult {
  Outcome outcome = Outcome::Succeeded;
  /// On a CPU, failed assertions, in the order of their blocks; on a GPU, at most one fault. On a
  /// machine, what its checks found, in the order in which it happened. Places are source lines; on
  /// the PTX machine, the place in the PTX text is a related one.
  std::vector<Finding> findings = {};
  /// The number of findings beyond the first thousand, which are not listed.
  int64_t unlistedFindings = 0;
  /// On the reference machine: tile blocks communicated, so other schedules were not checked for
  /// races.
  bool blocksSynchronise = false;
  /// Performance counters per line: the JSON object that `tilewright run --counters` writes. Empty
  /// unless CompileOptions::counters is set.
  std::string counters = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_OPTIONS_H
