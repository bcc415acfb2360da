// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is at an address? A region: an allocation with its bytes, which of them are defined, who
// touched them, and what was released through them. Regions have gaps between them, so that an
// access beyond the end of one never lands in the next.

#ifndef TILEWRIGHT_PTX_MACHINE_MEMORY_H
#define TILEWRIGHT_PTX_MACHINE_MEMORY_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/machine/Shadow.h"

#include <cstring>
#include <unordered_map>

namespace tilewright::ptx {

/// A release that an acquire may synchronise with.
struct Release {
  CtaName cta;
  Scope scope;
  SharedKnowledge known;
};

struct Mbarrier;

/// A part of a region with a name: a shared variable.
struct Part {
  uint64_t begin, end;
  std::string name;
};

struct Region {
  Region(std::string name, Space space, uint64_t base, uint64_t size)
      : name(std::move(name)), space(space), base(base) {
    resize(size);
  }

  uint64_t size() const { return bytes.size(); }
  /// New bytes are zero and not defined.
  void resize(uint64_t size);
  /// Is the range inside, and inside of one part if there are parts?
  bool contains(uint64_t offset, uint64_t count) const;
  /// `shared variable 'tile'`, and the offset in it.
  std::string describe(uint64_t &offset) const;

  /// At most 8 bytes, aligned to their number; a bit per byte.
  uint8_t definedAt(uint64_t offset) const {
    return uint8_t(definedBits[offset >> 3] >> (offset & 7));
  }
  void define(uint64_t offset, unsigned count, uint8_t mask) {
    const unsigned at = offset & 7;
    const uint8_t all = uint8_t(((1u << count) - 1) << at);
    uint8_t &bits = definedBits[offset >> 3];
    bits = uint8_t((bits & ~all) | ((mask << at) & all));
  }
  void defineAll() { std::fill(definedBits.begin(), definedBits.end(), uint8_t(0xFF)); }
  uint64_t load(uint64_t offset, unsigned count) const {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + offset, count);
    return bits;
  }
  void store(uint64_t offset, unsigned count, uint64_t bits) {
    std::memcpy(bytes.data() + offset, &bits, count);
  }
  Shadow &shadowOf() {
    if (!shadow)
      shadow = std::make_unique<Shadow>(size());
    return *shadow;
  }

  std::string name;
  Space space;
  uint64_t base;
  /// Nothing is before this offset.
  uint64_t first = 0;
  bool isReadOnly = false;
  bool isHeap = false; ///< malloc gave it to the kernel.
  std::vector<uint8_t> bytes, definedBits;
  std::vector<Part> parts;
  std::unordered_map<uint64_t, std::vector<Release>> releases;
  /// How many asynchronous copies to each 4 bytes nobody has waited for; empty if there never was
  /// one.
  std::vector<uint16_t> pending;

  /// By offset. Those that were invalidated are still there.
  std::map<uint64_t, std::shared_ptr<Mbarrier>> mbarriers;
  /// Of shared memory: whose it is.
  CtaName cta;

  bool isPending(uint64_t offset, uint64_t count) const {
    for (uint64_t word = offset / 4; !pending.empty() && word * 4 < offset + count; ++word)
      if (pending[word])
        return true;
    return false;
  }

private:
  std::unique_ptr<Shadow> shadow;
};

/// Global and constant memory.
class Memory {
public:
  /// The address of a new region, a multiple of the alignment. Its bytes are not defined.
  Region &allocate(std::string name, Space space, uint64_t size, uint64_t alignment = 512);
  /// A region at this address, behind all others.
  Region &place(std::string name, Space space, uint64_t base, uint64_t size);
  /// The region that begins here is gone.
  void release(uint64_t base) {
    regions.erase(base);
    last = nullptr;
  }
  /// The region that has this address, or none.
  Region *find(uint64_t address);
  /// The region that ends nearest before the address, for messages; none if there is none.
  const Region *before(uint64_t address) const;

private:
  std::map<uint64_t, std::unique_ptr<Region>> regions;
  Region *last = nullptr;
  uint64_t next = globalBase;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MEMORY_H
