// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Arena.h"
#include "tilewright/runtime/Array.h"

#include <cstdlib>
#include <sys/mman.h>
#include <vector>

using namespace tilewright::runtime;

static constexpr int64_t pageBytes = 4096;
static constexpr int64_t hugePageBytes = int64_t(1) << 21;

Arena::~Arena() { std::free(memory); }

bool Arena::reserve(int64_t bytes) {
  if (bytes <= size)
    return true;
  // With overcommit, the allocation itself would succeed.
  if (bytes > memoryOfThisMachine())
    return false;
  const int64_t alignment = bytes >= hugePageBytes ? hugePageBytes : pageBytes;
  const int64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  // Freed first, so that both need not fit at once.
  std::free(memory);
  memory = std::aligned_alloc(size_t(alignment), size_t(rounded));
  size = memory ? rounded : 0;
  // Huge pages from 2 MiB on. A launch of few blocks uses only the beginning, and clearing a huge
  // page would take longer than such a launch. A failure of madvise does not matter.
  if (memory && rounded > hugePageBytes)
    madvise(static_cast<char *>(memory) + hugePageBytes, size_t(rounded - hugePageBytes),
            MADV_HUGEPAGE);
  return memory != nullptr;
}

/// The arenas that this thread does not use at present; one, unless launches were nested.
static std::vector<Arena> &shelf() {
  static thread_local std::vector<Arena> arenas;
  return arenas;
}

ArenaLease::ArenaLease(int64_t bytes) {
  std::vector<Arena> &arenas = shelf();
  if (!arenas.empty()) {
    arena = std::move(arenas.back());
    arenas.pop_back();
  }
  isLarge = arena.reserve(bytes);
}

ArenaLease::~ArenaLease() { shelf().push_back(std::move(arena)); }
