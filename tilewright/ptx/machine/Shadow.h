// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow memory, which detects data races. For each granule of memory it keeps the last write, and
// two reads since then, of different warps if possible. Granules have 4 bytes; a page gets smaller
// ones when an access needs them.
//
// A race is two accesses, one of them a write, of which neither happens before the other, unless
// both are strong and each is in the scope of the other (PTX ISA, 8.7.1). There is one exception:
// two writes of threads, or two bulk stores, that leave the same bytes are not reported, because
// compilers let several threads store a value that all of them hold, and libraries let each thread
// of a warp begin the same bulk store or cp.async, which counts as a write of a thread here. Later
// accesses must be ordered after each of these writes, and each of them after earlier reads. The
// exception does not cover an atomic and a store that leave the same bytes: in the other order the
// result would differ.

#ifndef TILEWRIGHT_PTX_MACHINE_SHADOW_H
#define TILEWRIGHT_PTX_MACHINE_SHADOW_H

#include "tilewright/ptx/machine/Finding.h"
#include "tilewright/ptx/machine/VectorClock.h"

namespace tilewright::ptx {

enum class Scope : uint8_t { Weak, Cta, Cluster, Gpu, System };

/// Names a CTA by its number. The CTAs of a cluster have consecutive numbers, in the order of their
/// ranks.
struct CtaName {
  uint32_t number = 0;
  uint8_t rank = 0;

  bool operator==(const CtaName &) const = default;
  uint32_t firstOfCluster() const { return number - rank; }
};

/// Does the scope of a thread of CTA `from` include the threads of CTA `to`?
inline bool includes(Scope scope, CtaName from, CtaName to) {
  if (from == to || scope >= Scope::Gpu)
    return scope != Scope::Weak;
  return scope == Scope::Cluster && from.firstOfCluster() == to.firstOfCluster();
}

/// One access of one thread or agent; empty if `thread` is UINT32_MAX.
struct Epoch {
  CtaName cta;
  uint32_t thread = UINT32_MAX;
  uint32_t clock = 0;
  Scope scope = Scope::Weak;
  bool isAtomic : 1 = false;
  /// An access by an agent (VectorClock.h): program order does not order it.
  bool isAsync : 1 = false;
  /// A read before the last write.
  bool isPast : 1 = false;
  /// By an agent, but in the generic proxy: a copy of cp.async that an mbarrier tracks.
  bool isCopy : 1 = false;
  /// A read by a bulk store to global memory, which the end of the CTA need not wait for: CUTLASS
  /// ends CTAs whose stores still read their memory.
  bool isStore : 1 = false;
  Site site;

  explicit operator bool() const { return thread != UINT32_MAX; }
  bool isSameThread(const Epoch &other) const { return thread == other.thread && cta == other.cta; }
};

/// An earlier access that races with a new one.
struct Conflict {
  Epoch earlier;
  bool isWrite;
  uint64_t offset;
  /// The two accesses are ordered, but without a proxy fence between them.
  bool isUnfenced = false;
};

/// What orders a new access after earlier ones.
struct Ordering {
  const VectorClock *vectorClock;
  /// For an access of the async proxy: the index in a clock row where the fence clocks begin, which
  /// tell which writes of threads a proxy fence made visible. 0 for the generic proxy, which needs
  /// no fence.
  uint32_t fences = 0;
};

class Shadow {
public:
  explicit Shadow(uint64_t bytes) : bytes(bytes) {}

  /// Number of granules with an entry, which determines the memory use.
  uint64_t cellCount() const { return cells; }

  /// Records a read; returns the first conflict.
  std::optional<Conflict> read(uint64_t offset, unsigned size, const Epoch &epoch,
                               const Ordering &ordering);
  /// Records a write; returns the first conflict. `isSame`: memory already holds these bytes.
  std::optional<Conflict> write(uint64_t offset, unsigned size, const Epoch &epoch,
                                const Ordering &ordering, bool isSame = false);
  /// The first conflict with an access to all of the memory, after which it is no longer used.
  std::optional<Conflict> findUnordered(const Epoch &epoch, const VectorClock *vectorClock) const;
  /// The first access by another CTA or an own agent that `vectorClock` does not include: it may
  /// come after the CTA that owns this memory ends. Own bulk stores may.
  std::optional<Conflict> findUnobserved(CtaName own, const VectorClock *vectorClock) const;

  /// A write to these bytes that `vectorClock` does not include.
  std::optional<Epoch> findUnobservedWrite(uint64_t offset, unsigned size,
                                           const VectorClock *vectorClock);

private:
  struct Cell {
    Epoch write, reads[2];
  };
  struct Page {
    unsigned shift = 2; ///< log2 of the granule size: 4, 2 or 1 bytes.
    std::vector<Cell> cells;
    /// By cell: writes that left the same bytes as the last write and are not ordered before it.
    /// Empty until there is one.
    std::vector<std::vector<Epoch>> repeated;

    std::span<const Epoch> repeatedAt(size_t cell) const {
      return repeated.empty() ? std::span<const Epoch>() : repeated[cell];
    }
    /// Updates `repeated` before `epoch` becomes the last write of a cell.
    void updateRepeated(size_t cell, const Epoch &epoch, const VectorClock *vectorClock,
                        bool isSame);
  };
  static constexpr unsigned pageShift = 9;

  Page &pageFor(uint64_t offset, unsigned size);
  template <typename Visit> void visit(uint64_t offset, unsigned size, Visit visit);
  /// The first result of find(page, cell, offset) that has a value, over all allocated pages.
  template <typename Find> static auto findIn(const Shadow &shadow, Find find);

  uint64_t bytes, cells = 0;
  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_SHADOW_H
