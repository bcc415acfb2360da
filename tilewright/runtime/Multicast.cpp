// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Multicast.h.

#include "tilewright/runtime/Multicast.h"
#include "tilewright/runtime/Kernel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sys/mman.h>
#include <vector>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

static constexpr uint64_t pageBytes = 4096;

namespace {
struct Range {
  uint64_t bytes;
  void *mapping;
  size_t mappedBytes;
  std::vector<int64_t> distances;
  twCopies copies;
};

/// All ranges, by their first address. A Range does not move until it is removed.
struct Ranges {
  std::shared_mutex mutex;
  std::map<uint64_t, std::unique_ptr<Range>> byAddress;
  /// Kernels take no lock as long as there are no ranges.
  std::atomic<size_t> count = 0;

  static Ranges &all() {
    static Ranges ranges;
    return ranges;
  }
};
} // namespace

static constexpr int64_t noDistance = 0;
/// The copies of an address outside of all ranges: the address itself.
static constexpr twCopies itself = {1, &noDistance};

Result<Multicast> Multicast::create(std::span<void *const> copies, uint64_t bytes) {
  if (copies.empty())
    return Failure{"multicast memory stands for at least one array, but there is none"};
  const auto byAlignment = [](void *a, void *b) {
    return std::countr_zero(uintptr_t(a)) < std::countr_zero(uintptr_t(b));
  };
  const uint64_t inPage = uintptr_t(*std::ranges::min_element(copies, byAlignment)) % pageBytes;
  // With one byte behind the range: tw_copies() also accepts the address of its end, at which no
  // other array may begin.
  const size_t mappedBytes = (inPage + bytes + 1 + pageBytes - 1) / pageBytes * pageBytes;
  void *mapping = mappedBytes < bytes ? MAP_FAILED
                                      : mmap(nullptr, mappedBytes, PROT_NONE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return Failure{"there is no range of " + std::to_string(bytes) +
                   " addresses left for multicast memory"};

  const uint64_t begin = uintptr_t(mapping) + inPage;
  auto range = std::make_unique<Range>(Range{bytes, mapping, mappedBytes, {}, {}});
  for (void *copy : copies)
    range->distances.push_back(int64_t(uintptr_t(copy) - begin));
  range->copies = {int64_t(copies.size()), range->distances.data()};
  Ranges &ranges = Ranges::all();
  const std::unique_lock lock(ranges.mutex);
  ranges.byAddress[begin] = std::move(range);
  ++ranges.count;
  return Multicast(reinterpret_cast<void *>(begin));
}

/// Removes the range that begins at this address, if there is one.
static void endRange(void *address) {
  Ranges &ranges = Ranges::all();
  const std::unique_lock lock(ranges.mutex);
  const auto found = ranges.byAddress.find(uintptr_t(address));
  if (found == ranges.byAddress.end())
    return;
  munmap(found->second->mapping, found->second->mappedBytes);
  ranges.byAddress.erase(found);
  --ranges.count;
}

Multicast::~Multicast() {
  if (begin)
    endRange(begin);
}

//===-- In C ----------------------------------------------------------------------------------===//

const twCopies *tw_copies(uint64_t address) {
  Ranges &ranges = Ranges::all();
  if (ranges.count.load(std::memory_order_acquire) == 0)
    return &itself;
  const std::shared_lock lock(ranges.mutex);
  const auto after = ranges.byAddress.upper_bound(address);
  if (after == ranges.byAddress.begin())
    return &itself;
  const auto &[begin, range] = *std::prev(after);
  // `<=`: a view without elements may begin at the end of the range.
  return address - begin <= range->bytes ? &range->copies : &itself;
}

void *tw_multicast_create(void *const *copies, int64_t count, int64_t bytes) {
  Result<Multicast> made = count < 0 || bytes < 0
                               ? Failure{"multicast memory cannot have " + std::to_string(count) +
                                         " arrays of " + std::to_string(bytes) + " bytes"}
                               : Multicast::create({copies, size_t(count)}, uint64_t(bytes));
  if (!made) {
    std::fprintf(stderr, "tilewright: error: %s\n", made.failure().message.c_str());
    return nullptr;
  }
  return made->release();
}

void tw_multicast_destroy(void *address) { endRange(address); }
