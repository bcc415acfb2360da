// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads work on a launch: the program's option, else TILEWRIGHT_THREADS, else as many as
// this process can keep busy. The last is the number of processors that it may run on, limited by
// the CPU quota of its control group.

#ifndef TILEWRIGHT_RUNTIME_THREADS_H
#define TILEWRIGHT_RUNTIME_THREADS_H

#include "tilewright/support/Result.h"

#include <filesystem>
#include <string_view>

namespace tilewright::runtime {

inline constexpr int maxThreads = 1024;

/// Parses a number in 1..maxThreads. `name` is the option or variable for error messages:
/// `--threads`.
support::Result<int> parseThreads(std::string_view name, std::string_view text);

/// TILEWRIGHT_THREADS, else availableThreads(). Fails if the variable is not such a number.
support::Result<int> defaultThreads();

/// How many threads can run at the same time. Cached.
int availableThreads();

/// Processors in the affinity mask of this process.
int affinityThreads();

/// The CPU quota in processors, rounded up: the smallest of the control groups that `membership` (a
/// file like /proc/self/cgroup) lists and of their parent groups; maxThreads if there is no quota.
/// `root` is where the file systems of both versions are mounted: /sys/fs/cgroup.
int cgroupThreads(const std::filesystem::path &membership, const std::filesystem::path &root);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_THREADS_H
