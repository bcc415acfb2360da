// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes Ctrl-C end a launch or an exploration in a Python process. Python's handler only records
// the signal, and Python does not check it while compiled code runs. So the signal also cancels the
// launch, which then returns.

#ifndef TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H
#define TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H

#include <csignal>

namespace tilewright::tools {

/// While such an object lives on the main thread, SIGINT calls `cancel(what)` and is then passed to
/// the previous handler. Does nothing on other threads, or if the signal is ignored or ends the
/// program. Launches may be nested; the signal then cancels the inner one.
class CancelOnInterrupt {
public:
  /// A signal handler may call `cancel`.
  CancelOnInterrupt(void (*cancel)(void *), void *what);
  ~CancelOnInterrupt();
  CancelOnInterrupt(const CancelOnInterrupt &) = delete;
  CancelOnInterrupt &operator=(const CancelOnInterrupt &) = delete;

  void operator()() const { cancel(what); }

private:
  void (*const cancel)(void *);
  void *const what;
  bool isOnMainThread, isInstalled = false;
  const CancelOnInterrupt *outer = nullptr;
  struct sigaction before = {};
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_CANCELONINTERRUPT_H
