// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, options for compiling, and the result of a launch.

#ifndef TILEWRIGHT_API_OPTIONS_H
#define TILEWRIGHT_API_OPTIONS_H

#include "tilewright/api/Finding.h"
#include "tilewright/numerics/Element.h"
#include "tilewright/support/Result.h"

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
  /// The order CompileOptions::replay. Reference machine only.
  Replay,
  /// From the last thread to the first. PTX machine only.
  Reverse,
  /// All orders, for small kernels. A launch explores all executions that the memory model allows,
  /// prints nothing, leaves the arrays as they are, and returns an Exploration. Reference machine
  /// only.
  Exhaustive,
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
  /// With Schedule::Replay: the schedule of a finding, `replay:1:3,0`.
  std::string replay = {};
  /// The maximum number of operations that all blocks of a launch execute together; on the PTX
  /// machine, of instructions that all threads execute together. 0: $TILEWRIGHT_MAX_STEPS, else
  /// 1,000,000,000.
  int64_t maxSteps = 0;
  /// Reference: sum matrix products exactly and round once, instead of after each fused
  /// multiply-add.
  bool exactMma = false;

  /// Fails if the device does not support a value, or the target cannot run on this machine.
  /// Kernel.cpp defines it.
  support::Result<void> verify() const;
};

//===-- Launching ---------------------------------------------------------------------------===//

enum class Outcome {
  /// All blocks ran to their end, without findings other than warnings.
  Succeeded,
  /// An assertion failed, an operation is not supported, or a limit was reached.
  Failed,
  /// The kernel has undefined behaviour according to the specification.
  Misbehaved,
  /// Cancelled before all blocks had ended, without findings other than warnings.
  Cancelled,
};

/// An element of an array or global variable, and its value at the end of an execution.
struct ChangedElement {
  /// As in findings: `parameter 1 (1xi32)`.
  std::string array;
  /// The number of the element in the memory of the array.
  int64_t element;
  /// Poison if it is undefined.
  numerics::Element value;
  /// The value as text: `-7`, `poison`.
  std::string text;
};

/// The executions of a kernel that the memory model allows (Schedule::Exhaustive). If there are
/// findings other than warnings, the kernel is undefined, and the outcomes mean nothing.
struct Exploration {
  /// The number of executions that run to their end without a race.
  uint64_t executions = 0;
  /// The distinct outcomes of these executions. Each lists the elements whose values have changed,
  /// ordered by array and element.
  std::vector<std::vector<ChangedElement>> outcomes = {};
  /// Why not all executions were explored; empty if they were.
  std::string limit = {};
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
  /// With Schedule::Exhaustive. If its `limit` is not empty, the outcome is not Succeeded.
  std::optional<Exploration> exploration = std::nullopt;
  /// Performance counters per line: the JSON object that `tilewright run --counters` writes. Empty
  /// unless CompileOptions::counters is set.
  std::string counters = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_OPTIONS_H
