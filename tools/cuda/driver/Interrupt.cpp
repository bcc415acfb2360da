// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Interrupt.h.

#include "tools/cuda/driver/Interrupt.h"

#include <atomic>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tilewright::cuda;

/// Of the main thread, which has one at a time.
static std::atomic<twLaunchHandle *> running = nullptr;
/// Where the signal went before.
static struct sigaction previous = {};

static void onInterrupt(int signal, siginfo_t *info, void *context) {
  twLaunchCancel(running.load());
  if (previous.sa_flags & SA_SIGINFO)
    previous.sa_sigaction(signal, info, context);
  else
    previous.sa_handler(signal);
}

CancelOnInterrupt::CancelOnInterrupt(twLaunchHandle *launch, bool isInPython) {
  if (!isInPython || syscall(SYS_gettid) != getpid() || running.load())
    return;
  sigaction(SIGINT, nullptr, &before);
  const bool isHandled = before.sa_flags & SA_SIGINFO ||
                         (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
  if (!isHandled)
    return;
  previous = before;
  running = launch;
  struct sigaction ours = before;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = onInterrupt;
  isInstalled = sigaction(SIGINT, &ours, nullptr) == 0;
  if (!isInstalled)
    running = nullptr;
}

CancelOnInterrupt::~CancelOnInterrupt() {
  if (!isInstalled)
    return;
  sigaction(SIGINT, &before, nullptr);
  running = nullptr;
}
