// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CancelOnInterrupt.h. The handler may run on any thread, so the object may die while the
// handler uses it: the destructor waits for running handlers.

#include "tools/CancelOnInterrupt.h"

#include <atomic>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tilewright::tools;

static std::atomic<const CancelOnInterrupt *> current = nullptr;
static std::atomic<int> handlersRunning = 0;
static_assert(decltype(current)::is_always_lock_free && std::atomic<int>::is_always_lock_free);
/// The previous handler of the signal. Written only while our handler is not installed.
static struct sigaction previous = {};

static void cancelCurrent(int signal, siginfo_t *info, void *context) {
  ++handlersRunning;
  if (const CancelOnInterrupt *innermost = current)
    (*innermost)();
  const struct sigaction next = previous;
  --handlersRunning;
  if (next.sa_flags & SA_SIGINFO)
    next.sa_sigaction(signal, info, context);
  else
    next.sa_handler(signal);
}

static bool isHandled(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

CancelOnInterrupt::CancelOnInterrupt(void (*cancel)(void *), void *what)
    : cancel(cancel), what(what), isOnMainThread(syscall(SYS_gettid) == getpid()) {
  if (!isOnMainThread)
    return;
  outer = current.exchange(this);
  if (outer || sigaction(SIGINT, nullptr, &before) != 0 || !isHandled(before))
    return;
  previous = before;
  struct sigaction ours = before;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = cancelCurrent;
  isInstalled = sigaction(SIGINT, &ours, nullptr) == 0;
}

CancelOnInterrupt::~CancelOnInterrupt() {
  if (!isOnMainThread)
    return;
  if (isInstalled)
    sigaction(SIGINT, &before, nullptr);
  current = outer;
  while (handlersRunning)
    usleep(10);
}
