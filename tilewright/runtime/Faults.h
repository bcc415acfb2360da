// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name the kernel when a signal ends the process. Compiled code checks no access. One far outside
// of its arrays is a SIGSEGV of the thread that runs the kernel. One just outside damages the heap,
// and the C library aborts whoever uses the heap next (SIGABRT). A thread that runs a kernel keeps
// its name where a signal handler finds it, and the process that of the last kernel.

#ifndef TILEWRIGHT_RUNTIME_FAULTS_H
#define TILEWRIGHT_RUNTIME_FAULTS_H

namespace tilewright::runtime {

/// Who may have damaged the heap, when a thread that runs no kernel faults after a launch?
enum class Suspects {
  Everybody, ///< The process has other code: nothing is said.
  Kernels,   ///< It does little but launch kernels: the last one is named, as for an abort.
};

/// From now on, the first SIGSEGV or SIGBUS of a thread that runs a kernel, or SIGABRT after a
/// launch, writes a line to standard error, with the name of the kernel and then `advice`, what to
/// do, in words. After a launch, an abort names the kernel that was launched last as what may be
/// the reason. Nothing is written for a signal that another process sends. The signal then goes
/// where it would have gone: to the handler that was there before, or to the end of the process.
/// Calls after the first one only change the advice. Strings are not copied.
void reportFaults(const char *advice, Suspects suspects = Suspects::Everybody);

/// Remembers, where faults are reported, which kernel is launched. The name is copied.
void rememberKernel(const char *name);

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
