// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Memory.h.

#include "tilewright/ptx/machine/Memory.h"

using namespace tilewright::ptx;

SharedVectorClock Release::joinedTo(SharedVectorClock other) const {
  other = join(other, vectorClock);
  for (const OwnClock &each : own)
    other = withClock(other, cta.number, each.index, each.clock);
  return other;
}

void Region::resize(uint64_t size) {
  bytes.resize(size);
  definedBits.resize((size + 7) / 8);
  if (size % 8) // bytes added by a later resize must be undefined
    definedBits.back() &= uint8_t((1u << size % 8) - 1);
}

bool Region::contains(uint64_t offset, uint64_t count) const {
  if (offset < first || offset > size() || count > size() - offset)
    return false;
  if (parts.empty())
    return true;
  for (const Part &part : parts)
    if (offset >= part.begin && offset + count <= part.end)
      return true;
  return false;
}

std::string Region::describe(uint64_t &offset) const {
  for (const Part &part : parts)
    if (offset >= part.begin && offset < part.end) {
      offset -= part.begin;
      return part.name;
    }
  return name;
}

static constexpr uint64_t gap = 4096;

Region &Memory::allocate(std::string name, Space space, uint64_t size, uint64_t alignment) {
  alignment = std::max<uint64_t>(alignment, 512);
  return place(std::move(name), space, (next + alignment - 1) / alignment * alignment, size);
}

Region &Memory::place(std::string name, Space space, uint64_t base, uint64_t size) {
  next = std::max(next, base + size + gap);
  auto region = std::make_unique<Region>(std::move(name), space, base, size);
  return *(regions[base] = std::move(region));
}

Region *Memory::find(uint64_t address) const {
  const auto after = regions.upper_bound(address);
  if (after == regions.begin())
    return nullptr;
  Region *region = std::prev(after)->second.get();
  return address - region->base < region->size() ? region : nullptr;
}

const Region *Memory::before(uint64_t address) const {
  const auto after = regions.upper_bound(address);
  return after == regions.begin() ? nullptr : std::prev(after)->second.get();
}
