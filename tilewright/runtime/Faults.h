// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose fault is it that the process gets a SIGSEGV? Compiled code checks no access; one that is
// far outside of its arrays ends the process, without a word of which kernel that was. A thread
// that runs a kernel keeps its name where a signal handler finds it.

#ifndef TILEWRIGHT_RUNTIME_FAULTS_H
#define TILEWRIGHT_RUNTIME_FAULTS_H

#include <utility>

namespace tilewright::runtime {

/// From now on, the first SIGSEGV or SIGBUS of a thread that runs a kernel writes a line to
/// standard error, with the name of the kernel and then `advice`, what to do, in words. The signal
/// then goes where it would have gone: to the handler that was there before, or to the end of the
/// process. Calls after the first one only change the advice. Strings are not copied.
void reportFaults(const char *advice);

/// The kernel that this thread runs; null if it runs none. The handler may not ask for memory,
/// which a thread's first look at its own variables does, unless they are where the loader puts
/// them.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local const char *runningKernel;

/// While one lives, this thread runs the kernel of that name.
class RunsKernel {
public:
  explicit RunsKernel(const char *name) : outer(std::exchange(runningKernel, name)) {}
  ~RunsKernel() { runningKernel = outer; }
  RunsKernel(const RunsKernel &) = delete;
  RunsKernel &operator=(const RunsKernel &) = delete;

private:
  const char *const outer;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FAULTS_H
