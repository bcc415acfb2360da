// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is at an address? A region: an allocation with its bytes, which of them are defined, who
// touched them, and what was released through them. Regions have gaps between them, so that an
// access beyond the end of one never lands in the next.

#ifndef TILEWRIGHT_PTX_MACHINE_MEMORY_H
#define TILEWRIGHT_PTX_MACHINE_MEMORY_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/machine/Shadow.h"

#include <array>
#include <atomic>
#include <cstring>
#include <unordered_map>

namespace tilewright::ptx {

/// A release that an acquire may synchronise with.
struct Release {
  /// A clock in the row of the CTA; clock 0: none.
  struct OwnClock {
    uint32_t index = 0, clock = 0;
  };

  CtaName cta;
  Scope scope;
  SharedKnowledge known;
  /// What is released beyond `known`. Rows are long, and a thread that writes to many addresses
  /// releases something else at each: so these share what it knew.
  std::array<OwnClock, 2> own = {};

  /// What is known together with all of it.
  SharedKnowledge joinedTo(SharedKnowledge other) const;
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
    const std::atomic_ref bits(const_cast<uint8_t &>(definedBits[offset >> 3]));
    return uint8_t(bits.load(std::memory_order_relaxed) >> (offset & 7));
  }
  void define(uint64_t offset, unsigned count, uint8_t mask) {
    const unsigned at = offset & 7;
    const uint8_t all = uint8_t(((1u << count) - 1) << at);
    const uint8_t wanted = uint8_t((mask << at) & all);
    // CTAs that run apart may share the 8 bytes that these bits are for, but no bit.
    const std::atomic_ref bits(definedBits[offset >> 3]);
    if ((bits.load(std::memory_order_relaxed) & all) == wanted)
      return;
    bits.fetch_and(uint8_t(~all), std::memory_order_relaxed);
    bits.fetch_or(wanted, std::memory_order_relaxed);
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

/// A place in a region; no region: none was found.
struct Target {
  Region *region = nullptr;
  uint64_t offset = 0;

  explicit operator bool() const { return region != nullptr; }
};

/// Global and constant memory.
class Memory {
public:
  /// The address of a new region, a multiple of the alignment. Its bytes are not defined.
  Region &allocate(std::string name, Space space, uint64_t size, uint64_t alignment = 512);
  /// A region at this address, behind all others.
  Region &place(std::string name, Space space, uint64_t base, uint64_t size);
  /// The region that begins here is gone.
  void release(uint64_t base) { regions.erase(base); }
  /// The region that has this address, or none.
  Region *find(uint64_t address) const;
  template <typename Visit> void forEach(Visit visit) {
    for (auto &[base, region] : regions)
      visit(*region);
  }
  /// The region that ends nearest before the address, for messages; none if there is none.
  const Region *before(uint64_t address) const;

private:
  std::map<uint64_t, std::unique_ptr<Region>> regions;
  uint64_t next = globalBase;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MEMORY_H
