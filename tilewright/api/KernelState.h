// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that all copies of a Kernel share: the signature, and the entry prepared for a device.

#ifndef TILEWRIGHT_API_KERNELSTATE_H
#define TILEWRIGHT_API_KERNELSTATE_H

#include "tilewright/api/devices/Device.h"

namespace tilewright::api {

struct KernelState {
  std::string name;
  std::vector<Parameter> parameters;
  /// The module of the entry, to compare it with that of another kernel.
  std::weak_ptr<const ModuleState> module;
  std::unique_ptr<const Executable> executable;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_KERNELSTATE_H
