// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads may work on a launch? As many as somebody asked for: the option of the
// program, else TILEWRIGHT_THREADS. Else as many as this process can keep busy: the
// processors it may run on, and no more than its control group grants it time for.

#ifndef TILEWRIGHT_RUNTIME_THREADS_H
#define TILEWRIGHT_RUNTIME_THREADS_H

#include "tilewright/support/Result.h"

#include <filesystem>
#include <string_view>

namespace tilewright::runtime {

inline constexpr int maxThreads = 1024;

/// A number in 1..maxThreads. `name` says who asks: `--threads`.
support::Result<int> parseThreads(std::string_view name, std::string_view text);

/// TILEWRIGHT_THREADS, else availableThreads(). Refuses a variable that is no such number.
support::Result<int> defaultThreads();

/// How many threads can run at the same time. Found out once.
int availableThreads();

/// Processors in the affinity mask of this process.
int affinityThreads();

/// The quota of the control groups that `membership` (as /proc/self/cgroup) lists, and of the
/// groups around them, in processors, rounded up; maxThreads without any quota. `root` is
/// where the file systems of both versions are mounted: /sys/fs/cgroup.
int cgroupThreads(const std::filesystem::path &membership, const std::filesystem::path &root);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_THREADS_H
