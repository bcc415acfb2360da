// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry prepared for a device: compiled for this processor or GPU, or prepared for one of the
// two machines that check it. A Launch (Launch.h) runs it.

#ifndef TILEWRIGHT_API_KERNEL_H
#define TILEWRIGHT_API_KERNEL_H

#include "tilewright/api/Module.h"
#include "tilewright/api/Options.h"

namespace tilewright::api {

/// An entry that can be launched. It is immutable, and keeps alive what it needs; copies share it.
/// Any thread may launch it at any time. Launches of compiled code on a CPU, and launches on the
/// PTX machine, run concurrently. Launches of one kernel on the reference machine, and all launches
/// on a GPU, run one after the other.
///
/// On a CPU or GPU, global variables keep their values from launch to launch. On a machine, each
/// launch starts with their initial values.
class Kernel {
public:
  /// Fails if `verify` rejects the options, or the entry cannot be compiled.
  static support::Result<Kernel> compile(const Entry &entry, const CompileOptions &options = {});

  /// The name and the parameters of the entry.
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
