// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Budget.h. The process has one counter, for this library's allocations and for "cuda" arrays
// that other libraries allocate by themselves (twCudaReserveMemory).

#include "tools/cuda/driver/Budget.h"
#include "tools/cuda/driver/Cuda.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace tilewright::cuda;
namespace fs = std::filesystem;

static std::atomic<size_t> reserved = 0;

std::optional<size_t> tilewright::cuda::readMemorySize(std::string_view text) {
  constexpr std::string_view units = "KMGT";
  size_t unit = 0;
  if (!text.empty() && units.find(text.back()) != units.npos) {
    unit = 10 * (1 + units.find(text.back()));
    text.remove_suffix(1);
  }
  size_t number = 0;
  const auto [stopped, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || stopped != text.end() || number == 0 ||
      number > size_t(PTRDIFF_MAX) >> unit)
    return std::nullopt;
  return number << unit;
}

//===-- Limits ------------------------------------------------------------------------------===//

static size_t machineMemory() {
  return size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
}

/// The smallest limit in files of this name, in the group's folder and its parents up to `root`. A
/// file with "max" instead of a number is no limit.
static size_t limitAbove(const fs::path &root, fs::path group, const char *file) {
  size_t limit = SIZE_MAX;
  for (group = group.relative_path();; group = group.parent_path()) {
    size_t bytes;
    if (std::ifstream(root / group / file) >> bytes)
      limit = std::min(limit, bytes);
    if (group.empty())
      return limit;
  }
}

/// The memory limit of the process's control groups, versions 1 and 2. The file's lines have the
/// form `NUMBER:CONTROLLERS:PATH`; version 2 has no controllers there.
static size_t groupMemory() {
  size_t limit = SIZE_MAX;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos)
      continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path path = line.substr(second + 1);
    if (controllers == ",,")
      limit = std::min(limit, limitAbove("/sys/fs/cgroup", path, "memory.max"));
    else if (controllers.find(",memory,") != controllers.npos)
      limit = std::min(limit, limitAbove("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
  }
  return limit;
}

/// The limit if the environment variable is not set.
static size_t usualLimit() { return std::min(machineMemory(), groupMemory()) / 5 * 4; }

size_t tilewright::cuda::memoryLimit() {
  static const size_t limit = [] {
    const char *said = std::getenv("TILEWRIGHT_MEMORY");
    if (const std::optional<size_t> bytes = said ? readMemorySize(said) : std::nullopt)
      return *bytes;
    return usualLimit();
  }();
  return limit;
}

/// The memory that is available without swapping.
static size_t availableMemory() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (size_t kibibytes; line.starts_with("MemAvailable:") &&
                          std::from_chars(line.data() + line.find_first_of("0123456789"),
                                          line.data() + line.size(), kibibytes)
                                  .ec == std::errc())
      return kibibytes << 10;
  return machineMemory();
}

size_t tilewright::cuda::memoryLeft() {
  return std::min(memoryLimit() - std::min(memoryLimit(), reserved.load()), availableMemory());
}

//===-- Counting allocations ----------------------------------------------------------------===//

bool tilewright::cuda::reserveMemory(size_t bytes) {
  size_t before = reserved;
  do {
    if (before > memoryLimit() || bytes > memoryLimit() - before)
      return false;
  } while (!reserved.compare_exchange_weak(before, before + bytes));
  return true;
}

void tilewright::cuda::releaseMemory(size_t bytes) { reserved -= bytes; }

/// Counts memory of "cuda" arrays that a library of this process allocates by itself. May be called
/// before cuInit.
TW_DRIVER_API CUresult twCudaReserveMemory(size_t bytes) {
  return reserveMemory(bytes) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
TW_DRIVER_API void twCudaReleaseMemory(size_t bytes) { releaseMemory(bytes); }
/// In bytes: the device memory, the part in use, and the limit that applies if the environment
/// variable is not set.
TW_DRIVER_API void twCudaMemory(size_t *limit, size_t *used, size_t *usual) {
  *limit = memoryLimit();
  *used = reserved;
  *usual = usualLimit();
}
