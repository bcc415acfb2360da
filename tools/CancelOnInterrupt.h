// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes Ctrl-C end a launch in a Python process. Python's handler only records the signal, and
// Python does not check it while compiled code runs. So the signal also cancels the launch, which
// then returns.

#ifndef TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H
#define TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H

#include "tilewright/api/Tilewright.h"

#include <csignal>

namespace tilewright::tools {

/// While such an object lives on the main thread, SIGINT cancels the launch and is then passed to
/// the previous handler. Does nothing on other threads, or if the signal is ignored or ends the
/// program. Launches may be nested; the signal then cancels the inner one.
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
