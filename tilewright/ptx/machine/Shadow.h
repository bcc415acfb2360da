// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who touched these bytes? For each granule of memory: the last write, and two reads since that
// are by different warps if they can be. Granules have 4 bytes until an access needs smaller
// ones, page by page. A race is two accesses of which neither happens before the other, one of
// them a write, unless both are strong and each is in the scope of the other (PTX ISA, 8.7.1). Two
// writes of threads, or two bulk stores, that leave the same bytes are let pass, since compilers
// have several threads store what all of them hold, and libraries have each thread of a warp begin
// the same bulk store; what comes later has to be ordered after each of them, and each of them
// after what was read before. An atomic that leaves the bytes of a store would not do so before it:
// these two are a race.

#ifndef TILEWRIGHT_PTX_MACHINE_SHADOW_H
#define TILEWRIGHT_PTX_MACHINE_SHADOW_H

#include "tilewright/ptx/machine/Clock.h"
#include "tilewright/ptx/machine/Finding.h"

namespace tilewright::ptx {

enum class Scope : uint8_t { Weak, Cta, Cluster, Gpu, System };

/// A CTA by its number. Those of a cluster have consecutive numbers, in the order of their ranks.
struct CtaName {
  uint32_t number = 0;
  uint8_t rank = 0;

  bool operator==(const CtaName &) const = default;
  uint32_t firstOfCluster() const { return number - rank; }
};

/// Does the scope of a thread of one CTA include the threads of the other?
inline bool includes(Scope scope, CtaName from, CtaName to) {
  if (from == to || scope >= Scope::Gpu)
    return scope != Scope::Weak;
  return scope == Scope::Cluster && from.firstOfCluster() == to.firstOfCluster();
}

/// One access of one thread; no thread: nothing yet.
struct Epoch {
  CtaName cta;
  uint32_t thread = UINT32_MAX;
  uint32_t clock = 0;
  Scope scope = Scope::Weak;
  bool isAtomic = false;
  /// By an agent, not a thread (Clock.h): program order does not order it.
  bool isAsync = false;
  /// A read that the last write has come after.
  bool isPast = false;
  Site site;

  explicit operator bool() const { return thread != UINT32_MAX; }
  bool isSameThread(const Epoch &other) const { return thread == other.thread && cta == other.cta; }
};

/// The earlier access that a new one races with.
struct Conflict {
  Epoch earlier;
  bool isWrite;
  uint64_t offset;
  /// The two are ordered, but no proxy fence is between them.
  bool isUnfenced = false;
};

/// What orders a new access after earlier ones.
struct Sight {
  const Knowledge *known;
  /// Of an access of the async proxy: where the fences are that show writes of threads to it, in
  /// a row behind the clocks of the threads. 0: the generic proxy, which needs none.
  uint32_t fences = 0;
};

class Shadow {
public:
  explicit Shadow(uint64_t bytes) : bytes(bytes) {}

  /// How many granules it remembers something of, which is what its memory depends on.
  uint64_t cellCount() const { return cells; }

  /// The first conflict.
  std::optional<Conflict> read(uint64_t offset, unsigned size, const Epoch &epoch,
                               const Sight &sight);
  /// With `isSame`, what is written is there already.
  std::optional<Conflict> write(uint64_t offset, unsigned size, const Epoch &epoch,
                                const Sight &sight, bool isSame = false);
  /// The first conflict with an access to all of the memory, which nobody uses afterwards.
  std::optional<Conflict> findUnordered(const Epoch &epoch, const Knowledge *known) const;
  /// An access by another CTA, or an asynchronous one, that is not known: it may come after the
  /// end of the CTA that has this memory.
  std::optional<Conflict> findUnknown(CtaName own, const Knowledge *known) const;

  /// A write to these bytes that is not known.
  std::optional<Epoch> writeUnknownTo(uint64_t offset, unsigned size, const Knowledge *known);

private:
  struct Cell {
    Epoch write, reads[2];
  };
  struct Page {
    unsigned shift = 2; ///< Granules of 4 bytes, 2 or 1.
    std::vector<Cell> cells;
    /// By cell: writes that the last one has repeated, and is not ordered after. Empty until there
    /// is one.
    std::vector<std::vector<Epoch>> repeated;

    std::span<const Epoch> repeatedAt(size_t cell) const {
      return repeated.empty() ? std::span<const Epoch>() : repeated[cell];
    }
    /// Before `epoch` becomes the last write of a cell.
    void keepRepeated(size_t cell, const Epoch &epoch, const Knowledge *known, bool isSame);
  };
  static constexpr unsigned pageShift = 9;

  Page &pageFor(uint64_t offset, unsigned size);
  template <typename Visit> void visit(uint64_t offset, unsigned size, Visit visit);
  /// The first result of find(page, cell, offset) that is one, of all cells that were ever touched.
  template <typename Find> static auto findIn(const Shadow &shadow, Find find);

  uint64_t bytes, cells = 0;
  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_SHADOW_H
