// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does Ctrl-C end a launch? While the main thread runs one, the handler of SIGINT cancels it
// and then does what it did before, which for Python is to remember the signal.

#ifndef TILEWRIGHT_PYTHON_INTERRUPTS_H
#define TILEWRIGHT_PYTHON_INTERRUPTS_H

#include "Native.h"

#include <csignal>

namespace tilewright::python {

/// While it lives, SIGINT cancels the launch. Does nothing on other threads than the main one, and
/// where Python does not handle the signal.
class CancelledByInterrupt {
public:
  explicit CancelledByInterrupt(twLaunchHandle *launch);
  ~CancelledByInterrupt();
  CancelledByInterrupt(const CancelledByInterrupt &) = delete;
  CancelledByInterrupt &operator=(const CancelledByInterrupt &) = delete;

private:
  bool isInstalled = false;
  /// The launch that this one interrupts: printing runs Python code, which may launch, too.
  twLaunchHandle *outer = nullptr;
  struct sigaction before = {};
};

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_INTERRUPTS_H
