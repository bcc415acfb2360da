// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Kernel is an entry prepared for a device: compiled for this processor or GPU, or for one of the
// two machines that check what it does. A Launch (Launch.h) runs it.

#ifndef TILEWRIGHT_API_KERNEL_H
#define TILEWRIGHT_API_KERNEL_H

#include "tilewright/api/Module.h"
#include "tilewright/api/Options.h"

namespace tilewright::api {

/// An entry that can be launched. It never changes, and keeps alive what it needs; copies share
/// it. Any thread may launch it at any time, several at once, too: compiled code then runs at the
/// same time, as does the PTX machine; launches of one kernel on the reference machine, and all
/// launches on a GPU, run one after the other.
///
/// Global variables of compiled code keep their values from launch to launch; on a machine each
/// launch starts with their initial values.
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
