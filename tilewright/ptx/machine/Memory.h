// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is a set of regions. A region is an allocation: its bytes, which of them are defined, the
// last accesses (shadow memory), and the releases through each address. There are gaps between
// regions, so that an access beyond the end of one never lands in the next.

#ifndef TILEWRIGHT_PTX_MACHINE_MEMORY_H
#define TILEWRIGHT_PTX_MACHINE_MEMORY_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/machine/Shadow.h"

#include <array>
#include <atomic>
#include <cstring>
#include <unordered_map>

namespace tilewright::ptx {

/// A release that an acquire can synchronise with.
struct Release {
  /// A clock in the row of the CTA; clock 0: none.
  struct OwnClock {
    uint32_t index = 0, clock = 0;
  };

  CtaName cta;
  Scope scope;
  SharedVectorClock vectorClock;
  /// Clocks that are released in addition to `vectorClock`. Clock rows are long, and a thread that
  /// writes to many addresses releases a different clock at each; this way all these releases share
  /// one `vectorClock`.
  std::array<OwnClock, 2> own = {};

  /// Joins the whole release with `other`.
  SharedVectorClock joinedTo(SharedVectorClock other) const;
};

struct Mbarrier;

/// A named part of a region: a shared variable.
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
  /// New bytes are zero and undefined.
  void resize(uint64_t size);
  /// Is the range inside of the region, and inside of one part if there are parts?
  bool contains(uint64_t offset, uint64_t count) const;
  /// `shared variable 'tile'`; turns the offset into one in that variable.
  std::string describe(uint64_t &offset) const;

  /// A bit per byte, for at most 8 bytes, aligned to their count.
  uint8_t definedAt(uint64_t offset) const {
    const std::atomic_ref bits(const_cast<uint8_t &>(definedBits[offset >> 3]));
    return uint8_t(bits.load(std::memory_order_relaxed) >> (offset & 7));
  }
  void define(uint64_t offset, unsigned count, uint8_t mask) {
    const unsigned at = offset & 7;
    const uint8_t all = uint8_t(((1u << count) - 1) << at);
    const uint8_t expected = uint8_t((mask << at) & all);
    // CTAs that run in parallel may share this byte of 8 bits, but not a bit of it.
    const std::atomic_ref bits(definedBits[offset >> 3]);
    if ((bits.load(std::memory_order_relaxed) & all) == expected)
      return;
    bits.fetch_and(uint8_t(~all), std::memory_order_relaxed);
    bits.fetch_or(expected, std::memory_order_relaxed);
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
  /// Offset of the first valid byte.
  uint64_t first = 0;
  bool isReadOnly = false;
  bool isHeap = false; ///< Allocated by malloc in the kernel.
  std::vector<uint8_t> bytes, definedBits;
  std::vector<Part> parts;
  std::unordered_map<uint64_t, std::vector<Release>> releases;
  /// For each 4 bytes, the number of asynchronous copies that were not waited for; empty before the
  /// first copy.
  std::vector<uint16_t> pending;

  /// By offset. Invalidated mbarriers stay in the map.
  std::map<uint64_t, std::shared_ptr<Mbarrier>> mbarriers;
  /// For shared memory: the CTA that owns it.
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

/// A location in a region; `region` is null if none was found.
struct Target {
  Region *region = nullptr;
  uint64_t offset = 0;

  explicit operator bool() const { return region != nullptr; }
};

/// Global and constant memory.
class Memory {
public:
  /// Allocates a region; its base is a multiple of the alignment, its bytes are undefined.
  Region &allocate(std::string name, Space space, uint64_t size, uint64_t alignment = 512);
  /// Adds a region at a fixed address, after all others.
  Region &place(std::string name, Space space, uint64_t base, uint64_t size);
  /// Removes the region that begins at `base`.
  void release(uint64_t base) { regions.erase(base); }
  /// The region that contains the address, or null.
  Region *find(uint64_t address) const;
  template <typename Visit> void forEach(Visit visit) {
    for (auto &[base, region] : regions)
      visit(*region);
  }
  /// The last region that begins at or before the address, for messages; null if there is none.
  const Region *before(uint64_t address) const;

private:
  std::map<uint64_t, std::unique_ptr<Region>> regions;
  uint64_t next = globalBase;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MEMORY_H
