// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can run? A Kernel: an entry, compiled for this processor or prepared for the reference
// machine, which checks what it does. A Launch (Launch.h) runs it.

#ifndef TILEWRIGHT_API_KERNEL_H
#define TILEWRIGHT_API_KERNEL_H

#include "tilewright/api/Module.h"

namespace tilewright::api {

enum class Device {
  /// Code for this processor.
  Cpu,
  /// The machine that executes what the specification says, and reports what a kernel does wrong.
  Reference,
};

/// The order in which the reference machine executes what nothing orders.
enum class Schedule {
  ProgramOrder,
  /// Any legal order, decided by the seed.
  Random,
};

struct CompileOptions {
  Device device = Device::Cpu;

  // For Device::Cpu.
  /// `native`, or a processor that this one can run the code of, with `+FEATURE` or
  /// `+noFEATURE` (docs/cpu.md).
  std::string target = "native";
  /// 0 to 3.
  int optimization = 2;
  /// Debuggers see the code and its lines.
  bool debugInfo = false;

  // For Device::Reference.
  /// `all`, `none`, or a list of checks, as `--check` of the command line takes it.
  std::string checks = "all";
  Schedule schedule = Schedule::ProgramOrder;
  uint64_t seed = 0;
  /// Operations that all blocks of a launch may execute together; 0: $TILEWRIGHT_MAX_STEPS, or else
  /// 1,000,000,000.
  int64_t maxSteps = 0;

  /// Fails if a value is none that there is, or the target is not this machine's.
  support::Result<void> verify() const;
};

/// An entry that can be launched. It never changes, and keeps alive what it needs; copies share
/// it. Any thread may launch it at any time, several at once, too: compiled code then runs at the
/// same time; launches of one kernel on the reference machine run one after the other.
///
/// Global variables of compiled code keep their values from launch to launch; on the reference
/// machine each launch starts with their initial values.
class Kernel {
public:
  /// Fails for options that `verify` refuses, and for an entry that cannot be compiled.
  static support::Result<Kernel> compile(const Entry &entry, const CompileOptions &options = {});

  /// Of the entry.
  const std::string &name() const;
  const std::vector<Parameter> &parameters() const;
  Device device() const;

private:
  friend class Launch;
  explicit Kernel(std::shared_ptr<const struct KernelState> state) : state(std::move(state)) {}

  std::shared_ptr<const KernelState> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_KERNEL_H
