// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts the contents of global memory once all stores in flight are done. Libraries let all
// threads of a warp begin the same bulk store; this way the machine knows that two such stores
// leave the same bytes before either has moved any.

#ifndef TILEWRIGHT_PTX_MACHINE_INFLIGHTSTORES_H
#define TILEWRIGHT_PTX_MACHINE_INFLIGHTSTORES_H

#include "tilewright/ptx/machine/Memory.h"

#include <array>

namespace tilewright::ptx {

class InFlightStores {
public:
  static constexpr unsigned blockBytes = 16;

  /// Records that a copy will write these bytes, which lie in an aligned block of 16. Returns true
  /// if they would have been there anyway.
  bool begin(Target target, unsigned size, const uint8_t *values);
  /// Records that a copy of `bytes` bytes to the target is done.
  void end(Target target, uint64_t bytes);

private:
  struct Block {
    uint32_t parts = 0; ///< Parts of copies that have begun and not ended.
    /// A bit per byte that a copy will write. The values of other bytes are not kept up to date,
    /// because a thread may write them at any time.
    uint16_t begun = 0;
    std::array<uint8_t, blockBytes> values = {};
  };
  std::unordered_map<uint64_t, Block> blocks; ///< By address.
};

/// Calls visit(offset, size) for aligned parts of at most 16 bytes.
template <typename Visit> void visitParts(uint64_t offset, uint64_t bytes, Visit visit) {
  const uint64_t end = offset + bytes;
  for (uint64_t at = offset; at < end;) {
    unsigned size = 16;
    while (at % size || at + size > end)
      size /= 2;
    visit(at, size);
    at += size;
  }
}

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_INFLIGHTSTORES_H
