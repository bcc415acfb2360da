// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Contents.h.

#include "tilewright/reference/memory/Contents.h"

#include <cstring>

using namespace tilewright::reference;

/// Null if there is not enough memory.
static OwnedBytes copyOf(const uint8_t *bytes, uint64_t size) {
  OwnedBytes copy = zeroBytes(size);
  if (copy && size)
    std::memcpy(copy.get(), bytes, size);
  return copy;
}

std::optional<MemoryContents> MemoryContents::of(const Memory &memory) {
  MemoryContents contents;
  for (const std::unique_ptr<Allocation> &allocation : memory.allocationsSince(0)) {
    // Multicast memory has no storage, and kernels cannot write constants.
    if (!allocation->bytes.data() || allocation->isConstant)
      continue;
    const uint64_t size = allocation->bytes.size();
    Copy copy{allocation.get(), copyOf(allocation->bytes.data(), size), nullptr};
    if (allocation->specified)
      copy.specified = copyOf(allocation->specified.get(), specifiedBytes(size));
    if (!copy.bytes || (allocation->specified && !copy.specified))
      return std::nullopt;
    contents.copies.push_back(std::move(copy));
  }
  return contents;
}

void MemoryContents::restore() const {
  for (const auto &[allocation, bytes, specified] : copies) {
    const uint64_t size = allocation->bytes.size();
    if (size)
      std::memcpy(allocation->bytes.data(), bytes.get(), size);
    if (specified)
      std::memcpy(allocation->specified.get(), specified.get(), specifiedBytes(size));
  }
}
