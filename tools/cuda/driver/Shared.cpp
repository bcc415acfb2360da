// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Shared.h.

#include "tools/cuda/driver/Shared.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

using namespace tilewright::cuda;

namespace {
/// Precedes each block.
struct Header {
  SharedKind kind;
  SharedTag tag;
  uint64_t size;
  bool operator==(const Header &) const = default;
};

/// The mapped file. Ranges start with the header of a block; keys are offsets in the file.
struct Arena {
  char *start;
  int descriptor;
  SharedTag next;
  /// Sizes of free ranges, and of used ranges (header and block).
  std::map<size_t, size_t> free, used;
  /// An upper bound of the bytes in free ranges that still have pages.
  size_t retained = 0;
};

struct Shared {
  std::mutex mutex;
  bool isMade = false;
  /// None if it could not be created.
  std::optional<Arena> arena;
};
} // namespace

static constexpr size_t alignment = 256;
static_assert(sizeof(Header) <= alignment);
/// Pages of free ranges are kept for later blocks, up to this many bytes.
static constexpr size_t mostRetained = size_t(256) << 20;
static constexpr const char *fileName = "tilewright-cuda";

static Shared &shared() {
  static auto *const shared = new Shared;
  return *shared;
}

static size_t pageSize() { return size_t(sysconf(_SC_PAGESIZE)); }
static size_t roundUp(size_t size, size_t to) { return (size + to - 1) / to * to; }

//===-- The file ----------------------------------------------------------------------------===//

static std::optional<Arena> makeArena() {
  const size_t size = size_t(sysconf(_SC_PHYS_PAGES)) * pageSize();
  SharedTag tag = {0, 0};
  if (getrandom(&tag.file, sizeof tag.file, 0) != ssize_t(sizeof tag.file))
    return std::nullopt;
  const int descriptor = memfd_create(fileName, MFD_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  void *start = MAP_FAILED;
  if (ftruncate(descriptor, off_t(size)) == 0)
    start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (start == MAP_FAILED) {
    close(descriptor);
    return std::nullopt;
  }
  return Arena{static_cast<char *>(start), descriptor, tag, {{0, size}}, {}, 0};
}

/// After a fork, the file belongs to the parent; existing mappings stay.
static void resetArenaAfterFork() {
  if (shared().arena)
    close(shared().arena->descriptor);
  shared().arena.reset();
  shared().isMade = false;
  shared().mutex.unlock();
}

/// The caller holds the lock.
static std::optional<Arena> &arena() {
  static const int watched = pthread_atfork([] { shared().mutex.lock(); },
                                            [] { shared().mutex.unlock(); }, resetArenaAfterFork);
  if (!shared().isMade && watched == 0) {
    shared().arena = makeArena();
    shared().isMade = true;
  }
  return shared().arena;
}

//===-- Blocks ------------------------------------------------------------------------------===//

void *tilewright::cuda::allocateShared(size_t size, SharedKind kind) {
  std::lock_guard lock(shared().mutex);
  std::optional<Arena> &from = arena();
  if (!from || size > PTRDIFF_MAX)
    return nullptr;
  const size_t needed = alignment + roundUp(size, alignment);
  const auto found = std::find_if(from->free.begin(), from->free.end(),
                                  [&](const auto &range) { return range.second >= needed; });
  if (found == from->free.end())
    return nullptr;
  const auto [offset, room] = *found;
  from->free.erase(found);
  if (room > needed)
    from->free[offset + needed] = room - needed;
  from->used[offset] = needed;
  const Header header = {kind, {from->next.file, from->next.number++}, size};
  std::memcpy(from->start + offset, &header, sizeof header);
  return from->start + offset + alignment;
}

/// The used range that contains the block, or the end.
static std::map<size_t, size_t>::iterator findUsed(Arena &arena, const void *block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  const auto start = reinterpret_cast<uintptr_t>(arena.start) + alignment;
  return address < start ? arena.used.end() : arena.used.find(address - start);
}

/// Returns the pages of free ranges to the system.
static void releasePages(Arena &from) {
  for (const auto &[begin, size] : from.free) {
    const size_t first = roundUp(begin, pageSize()),
                 last = (begin + size) / pageSize() * pageSize();
    if (first < last)
      madvise(from.start + first, last - first, MADV_REMOVE);
  }
  from.retained = 0;
}

void tilewright::cuda::freeShared(void *block) {
  std::lock_guard lock(shared().mutex);
  if (!shared().arena)
    return;
  Arena &from = *shared().arena;
  const auto found = findUsed(from, block);
  if (found == from.used.end())
    return;
  const auto [offset, size] = *found;
  from.used.erase(found);
  std::memset(from.start + offset, 0, sizeof(Header));
  // Merge with adjacent free ranges.
  size_t begin = offset, end = offset + size;
  auto next = from.free.lower_bound(offset);
  if (next != from.free.end() && next->first == end) {
    end += next->second;
    next = from.free.erase(next);
  }
  if (next != from.free.begin() && std::prev(next)->first + std::prev(next)->second == begin) {
    begin = std::prev(next)->first;
    from.free.erase(std::prev(next));
  }
  from.free[begin] = end - begin;
  from.retained += size;
  if (from.retained > mostRetained)
    releasePages(from);
}

//===-- Names -------------------------------------------------------------------------------===//

bool tilewright::cuda::nameShared(const void *block, SharedName &name) {
  std::lock_guard lock(shared().mutex);
  if (!shared().arena)
    return false;
  Arena &from = *shared().arena;
  const auto found = findUsed(from, block);
  if (found == from.used.end())
    return false;
  Header header;
  std::memcpy(&header, from.start + found->first, sizeof header);
  name = {header.kind,     header.tag, found->first + alignment, header.size, getpid(),
          from.descriptor, {}};
  return true;
}

/// Checks the descriptor's target before it opens it: the process may have ended, and another
/// process may have the same number.
CUresult tilewright::cuda::openShared(const SharedName &name, SharedKind kind, int &descriptor) {
  if (name.kind != kind || name.offset < alignment || name.process < 1 || name.descriptor < 0)
    return CUDA_ERROR_INVALID_HANDLE;
  const std::string path =
      "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.descriptor);
  char text[64];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  const std::string expected = std::string("/memfd:") + fileName;
  if (length < 0 || !std::string_view(text, size_t(length)).starts_with(expected))
    return CUDA_ERROR_INVALID_HANDLE;
  descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0)
    return CUDA_ERROR_INVALID_HANDLE;
  Header header;
  const ssize_t read = pread(descriptor, &header, sizeof header, off_t(name.offset - alignment));
  const bool isValid =
      read == ssize_t(sizeof header) && header == Header{name.kind, name.tag, name.size};
  if (isValid && name.process != getpid())
    return CUDA_SUCCESS;
  close(descriptor);
  return isValid ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_HANDLE;
}
