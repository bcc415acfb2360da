// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does Ctrl-C end a launch? Python notes the signal, and raises KeyboardInterrupt when the
// launch has returned to it. So that it returns, the launch is cancelled, too.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_INTERRUPT_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_INTERRUPT_H

#include "tilewright/api/Tilewright.h"

#include <signal.h>

namespace tilewright::cuda {

/// While one lives, on the main thread of a program in Python, SIGINT cancels the launch, and then
/// goes where it went before. Does nothing on other threads, and where the signal is ignored or
/// ends the program.
class CancelOnInterrupt {
public:
  CancelOnInterrupt(twLaunchHandle *launch, bool isInPython);
  ~CancelOnInterrupt();
  CancelOnInterrupt(const CancelOnInterrupt &) = delete;

private:
  bool isInstalled = false;
  struct sigaction before = {};
};

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_INTERRUPT_H
