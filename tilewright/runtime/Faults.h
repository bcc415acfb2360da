// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose fault is it that the process gets a SIGSEGV? Compiled code checks no access; one that is
// far outside of its arrays ends the process, without a word of which kernel that was. A thread
// that runs a kernel keeps its name where a signal handler finds it.

#ifndef TILEWRIGHT_RUNTIME_FAULTS_H
#define TILEWRIGHT_RUNTIME_FAULTS_H

namespace tilewright::runtime {

/// From now on, the first SIGSEGV or SIGBUS of a thread that runs a kernel writes a line to
/// standard error, with the name of the kernel and then `advice`, what to do, in words. The signal
/// then goes where it would have gone: to the handler that was there before, or to the end of the
/// process. Calls after the first one only change the advice. Strings are not copied.
void reportFaults(const char *advice);

/// While one lives, this thread runs the kernel of that name.
class RunsKernel {
public:
  explicit RunsKernel(const char *name);
  ~RunsKernel();
  RunsKernel(const RunsKernel &) = delete;
  RunsKernel &operator=(const RunsKernel &) = delete;

private:
  const char *const outer;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FAULTS_H
