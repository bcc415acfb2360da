// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InFlightStores.h.

#include "tilewright/ptx/machine/InFlightStores.h"

using namespace tilewright::ptx;

bool InFlightStores::begin(Target target, unsigned size, const uint8_t *values) {
  const uint64_t inBlock = target.offset % blockBytes;
  Block &block = blocks[target.region->base + target.offset - inBlock];
  ++block.parts;
  bool isSame = true;
  for (unsigned byte = 0; byte < size; ++byte) {
    uint8_t &value = block.values[inBlock + byte];
    const bool isBegun = block.begun >> (inBlock + byte) & 1;
    isSame &= values[byte] == (isBegun ? value : target.region->bytes[target.offset + byte]);
    value = values[byte];
  }
  block.begun |= uint16_t(((1u << size) - 1) << inBlock);
  return isSame;
}

void InFlightStores::end(Target target, uint64_t bytes) {
  visitParts(target.offset, bytes, [&](uint64_t at, unsigned) {
    const auto found = blocks.find(target.region->base + at / blockBytes * blockBytes);
    if (--found->second.parts == 0)
      blocks.erase(found);
  });
}
