// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the kernel when a signal ends the process. Compiled code does not check its accesses. An
// access far out of bounds raises SIGSEGV in the thread that runs the kernel. An access just out of
// bounds corrupts the heap, and the C library aborts the process at a later use of the heap
// (SIGABRT). So each thread stores the name of the kernel that it runs, and the process the name of
// the last kernel, where a signal handler can read them.

#ifndef TILEWRIGHT_RUNTIME_FAULTS_H
#define TILEWRIGHT_RUNTIME_FAULTS_H

namespace tilewright::runtime {

/// Whether kernels are blamed if a thread that runs no kernel faults after a launch.
enum class Suspects {
  Everybody, ///< The process runs other code too: nothing is reported.
  Kernels,   ///< The process does little but launch kernels: the last one is named, as for an
             ///< abort.
};

/// Installs handlers that name the kernel. They report the first SIGSEGV or SIGBUS of a thread that
/// runs a kernel, or the first SIGABRT after a launch, in one line on standard error: the name of
/// the kernel, then `advice`, a text that says what to do. For an abort, the most recently launched
/// kernel is named as the possible cause. Signals from other processes are not reported. Each
/// signal is then passed on to the previous handler or the default action. Calls after the first
/// one only change the advice. Strings are not copied.
void reportFaults(const char *advice, Suspects suspects = Suspects::Everybody);

/// Stores the name of the kernel that is launched, if faults are reported. The name is copied.
void setLastKernel(const char *name);

/// During its life, this thread runs the kernel of that name.
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
