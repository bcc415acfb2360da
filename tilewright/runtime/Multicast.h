// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a multicast address on a CPU? An address of a range in which there is no memory, and
// which stands for several arrays: those that the multimem operations of a kernel read and write
// together. Any other access there ends the process by a signal.

#ifndef TILEWRIGHT_RUNTIME_MULTICAST_H
#define TILEWRIGHT_RUNTIME_MULTICAST_H

#include "tilewright/support/Result.h"

#include <cstdint>
#include <span>
#include <utility>

namespace tilewright::runtime {

/// The range lasts as long as this. It is known to all threads of the process.
class Multicast {
public:
  /// For arrays of so many bytes each, at least one, that live as long.
  static support::Result<Multicast> create(std::span<void *const> copies, uint64_t bytes);

  Multicast(Multicast &&other) noexcept : begin(std::exchange(other.begin, nullptr)) {}
  Multicast &operator=(Multicast &&other) noexcept {
    std::swap(begin, other.begin);
    return *this;
  }
  ~Multicast();

  /// As far from a multiple of any power of two as the least aligned of the arrays.
  void *address() const { return begin; }
  /// Leaves the range to the caller, as tw_multicast_create does.
  void *release() { return std::exchange(begin, nullptr); }

private:
  explicit Multicast(void *begin) : begin(begin) {}

  void *begin;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_MULTICAST_H
