// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does Ctrl-C end a launch in a program of Python's? Python's handler only notes the signal,
// and nobody looks while compiled code runs. So that the launch returns, it is cancelled, too.

#ifndef TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H
#define TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H

#include "tilewright/api/Tilewright.h"

#include <csignal>

namespace tilewright::tools {

/// While one lives on the main thread, SIGINT cancels the launch, and then goes where it went
/// before. Does nothing on other threads, and where the signal is ignored or ends the program. A
/// launch may run inside of another one; the signal then cancels the inner one.
class CancelOnInterrupt {
public:
  explicit CancelOnInterrupt(twLaunchHandle *launch);
  ~CancelOnInterrupt();
  CancelOnInterrupt(const CancelOnInterrupt &) = delete;
  CancelOnInterrupt &operator=(const CancelOnInterrupt &) = delete;

private:
  bool isOnMainThread, isInstalled = false;
  twLaunchHandle *outer = nullptr;
  struct sigaction before = {};
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H
