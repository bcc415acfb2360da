// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multicast addresses on a CPU. A multicast address is in a reserved range without memory, and
// stands for several arrays, which a kernel's multimem operations read and write together. Any
// other access there ends the process with a signal.

#ifndef TILEWRIGHT_RUNTIME_MULTICAST_H
#define TILEWRIGHT_RUNTIME_MULTICAST_H

#include "tilewright/support/Result.h"

#include <cstdint>
#include <span>
#include <utility>

namespace tilewright::runtime {

/// Owns a range. All threads of the process can use it.
class Multicast {
public:
  /// For arrays of `bytes` bytes each. There must be at least one array, and all must outlive the
  /// range.
  static support::Result<Multicast> create(std::span<void *const> copies, uint64_t bytes);

  Multicast(Multicast &&other) noexcept : begin(std::exchange(other.begin, nullptr)) {}
  Multicast &operator=(Multicast &&other) noexcept {
    std::swap(begin, other.begin);
    return *this;
  }
  ~Multicast();

  /// As aligned as the least aligned of the arrays.
  void *address() const { return begin; }
  /// Leaves the range to the caller, as for tw_multicast_create.
  void *release() { return std::exchange(begin, nullptr); }

private:
  explicit Multicast(void *begin) : begin(begin) {}

  void *begin;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_MULTICAST_H
