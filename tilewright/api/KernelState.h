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
  std::unique_ptr<const Executable> executable;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_KERNELSTATE_H
