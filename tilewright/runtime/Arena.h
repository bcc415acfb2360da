// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do the tiles of a running block live that registers cannot hold? In an arena: scratch
// memory that a thread keeps from launch to launch, so that a launch allocates nothing once
// the thread has seen as large a kernel before. A lease takes an arena from the thread's
// shelf and puts it back; a launch within a launch thus gets one of its own.

#ifndef TILEWRIGHT_RUNTIME_ARENA_H
#define TILEWRIGHT_RUNTIME_ARENA_H

#include <cstdint>
#include <utility>

namespace tilewright::runtime {

/// Memory that begins at a page, or if it is large, at a huge page, and that is in huge pages where
/// the system has them, but for the first 2 MiB. Its contents do not survive growth.
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

  /// Makes room for so many bytes. False: there is no such memory.
  [[nodiscard]] bool reserve(int64_t bytes);

  /// Null as long as nothing was reserved.
  void *data() const { return memory; }

private:
  void *memory = nullptr;
  int64_t size = 0;
};

/// An arena of this thread, for the life of the lease, which stays on its thread.
class ArenaLease {
public:
  explicit ArenaLease(int64_t bytes);
  ~ArenaLease();
  ArenaLease(const ArenaLease &) = delete;
  ArenaLease &operator=(const ArenaLease &) = delete;

  /// False: there is no such memory.
  explicit operator bool() const { return isLarge; }
  void *data() const { return arena.data(); }

private:
  Arena arena;
  bool isLarge;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_ARENA_H
