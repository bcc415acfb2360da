// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the CPU quota of control groups. A quota is a time per period: in version 2 one file,
// `cpu.max` ("200000 100000", or "max 100000"), in version 1 two files with -1 for no quota. In a
// container, the group's path may be the host's, of which only the end, or nothing, is mounted; so
// every folder on the path is read, and the root itself.

#include "tilewright/runtime/Threads.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <thread>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

Result<int> runtime::parseThreads(std::string_view name, std::string_view text) {
  int threads = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error == std::errc() && end == text.data() + text.size() && threads >= 1 &&
      threads <= maxThreads)
    return threads;
  return Failure{std::string(name) + " must be a number in 1.." + std::to_string(maxThreads) +
                 ", but is '" + std::string(text) + "'"};
}

Result<int> runtime::defaultThreads() {
  if (const char *text = std::getenv("TILEWRIGHT_THREADS"))
    return parseThreads("TILEWRIGHT_THREADS", text);
  return availableThreads();
}

int runtime::availableThreads() {
  static const int threads =
      std::min(affinityThreads(), cgroupThreads("/proc/self/cgroup", "/sys/fs/cgroup"));
  return threads;
}

int runtime::affinityThreads() {
  // The call fails on machines with more processors than a cpu_set_t holds; then all processors
  // count.
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == 0)
    return std::clamp(CPU_COUNT(&processors), 1, maxThreads);
  return std::clamp(int(std::thread::hardware_concurrency()), 1, maxThreads);
}

//===-- Control groups ------------------------------------------------------------------------===//

/// Quota divided by period, rounded up. Zero or less: there is no quota.
static int processors(double quota, double period) {
  if (quota <= 0 || period <= 0)
    return maxThreads;
  return int(std::clamp(quota / period + 0.999, 1.0, double(maxThreads)));
}

/// The first two numbers in a file; -1 for one that is missing or is not a number.
static std::pair<double, double> numbersIn(const fs::path &file) {
  std::ifstream stream(file);
  std::pair<double, double> numbers{-1, -1};
  if (!(stream >> numbers.first))
    return {-1, -1};
  if (!(stream >> numbers.second))
    numbers.second = -1;
  return numbers;
}

static int quotaOf(const fs::path &group) {
  auto [quota, period] = numbersIn(group / "cpu.max");
  double quota1 = numbersIn(group / "cpu.cfs_quota_us").first;
  double period1 = numbersIn(group / "cpu.cfs_period_us").first;
  return std::min(processors(quota, period), processors(quota1, period1));
}

/// The smallest quota of `mount`/`path` and the groups around it.
static int quotaAlong(const fs::path &mount, const fs::path &path) {
  int threads = quotaOf(mount);
  fs::path group = mount;
  for (const fs::path &folder : path.relative_path()) {
    group /= folder;
    threads = std::min(threads, quotaOf(group));
  }
  return threads;
}

int runtime::cgroupThreads(const fs::path &membership, const fs::path &root) {
  int threads = maxThreads;
  std::ifstream stream(membership);
  // `0::/path` for version 2, `4:cpu,cpuacct:/path` for version 1.
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    std::string hierarchy, controllers, path;
    std::getline(fields, hierarchy, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, path);
    if (controllers.empty())
      threads = std::min(threads, quotaAlong(root, path));
    else if (("," + controllers + ",").find(",cpu,") != std::string::npos)
      threads = std::min(threads, quotaAlong(root / controllers, path));
  }
  return threads;
}
