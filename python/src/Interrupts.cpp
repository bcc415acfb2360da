// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Interrupts.h. Any thread may be chosen to run the handler, so the launch may end while the
// handler looks at it: the destructor waits for handlers that run.

#include "Interrupts.h"

#include <atomic>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::python;

static std::atomic<twLaunchHandle *> current = nullptr;
static std::atomic<int> handlersRunning = 0;
/// Python's.
static std::atomic<void (*)(int)> previousHandler = nullptr;
static_assert(decltype(current)::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              decltype(previousHandler)::is_always_lock_free);

static void cancelCurrent(int signal) {
  ++handlersRunning;
  twLaunchCancel(current);
  --handlersRunning;
  if (void (*handler)(int) = previousHandler)
    handler(signal);
}

CancelledByInterrupt::CancelledByInterrupt(twLaunchHandle *launch) {
  if (getpid() != gettid())
    return;
  outer = current.exchange(launch);
  isInstalled = true;
  sigaction(SIGINT, nullptr, &before);
  if (outer || (before.sa_flags & SA_SIGINFO) || before.sa_handler == SIG_DFL ||
      before.sa_handler == SIG_IGN)
    return;
  previousHandler = before.sa_handler;
  struct sigaction ours = before;
  ours.sa_handler = cancelCurrent;
  sigaction(SIGINT, &ours, nullptr);
}

CancelledByInterrupt::~CancelledByInterrupt() {
  if (!isInstalled)
    return;
  if (!outer)
    sigaction(SIGINT, &before, nullptr);
  current = outer;
  while (handlersRunning)
    usleep(10);
}
