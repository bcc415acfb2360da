// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What will be in global memory when the copies to it that have begun are done? Libraries have all
// threads of a warp begin the same bulk store. That two such stores leave the same bytes is known
// before the first of them has moved any.

#ifndef TILEWRIGHT_PTX_MACHINE_UNDERWAY_H
#define TILEWRIGHT_PTX_MACHINE_UNDERWAY_H

#include "tilewright/ptx/machine/Memory.h"

#include <array>

namespace tilewright::ptx {

class Underway {
public:
  static constexpr unsigned blockBytes = 16;

  /// A copy will write these bytes, which are within an aligned block of 16. Would they have been
  /// there anyway?
  bool begin(Target target, unsigned size, const uint8_t *values);
  /// A copy has written as many bytes from the target on.
  void end(Target target, uint64_t bytes);

private:
  struct Block {
    uint32_t parts = 0; ///< That were begun and have not ended.
    /// A bit per byte that a copy will write. The values of the others are not kept up to date: a
    /// thread may write them at any time.
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

#endif // TILEWRIGHT_PTX_MACHINE_UNDERWAY_H
