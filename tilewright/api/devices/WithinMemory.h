// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a launch on a machine such that memory that runs out is a failure.

#ifndef TILEWRIGHT_API_DEVICES_WITHINMEMORY_H
#define TILEWRIGHT_API_DEVICES_WITHINMEMORY_H

#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tilewright/support/Result.h"

#include <new>

namespace tilewright::api {

/// `launch` returns a Result.
template <typename Launch> auto withinMemory(Launch launch) -> decltype(launch()) {
  reference::ThrowingAllocations throwing;
  try {
    return launch();
  } catch (const std::bad_alloc &) {
    return support::Failure{
        "out of memory: the kernel's tiles and checks exceed this process's limit"};
  }
}

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_WITHINMEMORY_H
