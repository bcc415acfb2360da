// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory for the tiles of a running block that do not fit into registers. A thread keeps
// its arena from launch to launch, so that a launch allocates nothing once the thread has run a
// kernel that needs as much. A lease takes an arena from the thread's free list and puts it back; a
// nested launch thus gets its own.

#ifndef TILEWRIGHT_RUNTIME_ARENA_H
#define TILEWRIGHT_RUNTIME_ARENA_H

#include <cstdint>
#include <utility>

namespace tilewright::runtime {

/// Page-aligned memory. Large arenas are aligned to a huge page, and all but their first 2 MiB use
/// huge pages where the system has them. Growing discards the contents.
class Arena {
public:
  Arena() = default;
  Arena(Arena &&other) noexcept
      : memory(std::exchange(other.memory, nullptr)), size(std::exchange(other.size, 0)) {}
  Arena &operator=(Arena &&other) noexcept {
    std::swap(memory, other.memory);
    std::swap(size, other.size);
    return *this;
  }
  ~Arena();

  /// Grows to at least `bytes` bytes. False: out of memory.
  [[nodiscard]] bool reserve(int64_t bytes);

  /// Null until memory has been reserved.
  void *data() const { return memory; }

private:
  void *memory = nullptr;
  int64_t size = 0;
};

/// An arena of the current thread for the life of the lease. A lease must not change threads.
class ArenaLease {
public:
  explicit ArenaLease(int64_t bytes);
  ~ArenaLease();
  ArenaLease(const ArenaLease &) = delete;
  ArenaLease &operator=(const ArenaLease &) = delete;

  /// False: out of memory.
  explicit operator bool() const { return isLarge; }
  void *data() const { return arena.data(); }

private:
  Arena arena;
  bool isLarge;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_ARENA_H
