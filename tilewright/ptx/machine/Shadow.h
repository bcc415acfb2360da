// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who touched these bytes? For each granule of memory: the last write, and two reads since that
// are by different warps if they can be. Granules have 4 bytes until an access needs smaller
// ones, page by page. A race is two accesses of which neither happens before the other, one of
// them a write, unless both are strong and each is in the scope of the other (PTX ISA, 8.7.1).

#ifndef TILEWRIGHT_PTX_MACHINE_SHADOW_H
#define TILEWRIGHT_PTX_MACHINE_SHADOW_H

#include "tilewright/ptx/machine/Clock.h"
#include "tilewright/ptx/machine/Finding.h"

namespace tilewright::ptx {

enum class Scope : uint8_t { Weak, Cta, Gpu, System };

/// One access of one thread; no thread: nothing yet.
struct Epoch {
  uint32_t cta = 0, thread = UINT32_MAX;
  uint32_t clock = 0;
  Scope scope = Scope::Weak;
  bool isAtomic = false;
  Site site;

  explicit operator bool() const { return thread != UINT32_MAX; }
  bool isSameThread(const Epoch &other) const { return thread == other.thread && cta == other.cta; }
};

/// The earlier access that a new one races with.
struct Conflict {
  Epoch earlier;
  bool isWrite;
  uint64_t offset;
};

class Shadow {
public:
  explicit Shadow(uint64_t bytes) : bytes(bytes) {}

  /// The first conflict. `known` is what the thread knows.
  std::optional<Conflict> read(uint64_t offset, unsigned size, const Epoch &epoch,
                               const Knowledge *known);
  std::optional<Conflict> write(uint64_t offset, unsigned size, const Epoch &epoch,
                                const Knowledge *known);

private:
  struct Cell {
    Epoch write, reads[2];
  };
  struct Page {
    unsigned shift = 2; ///< Granules of 4 bytes, 2 or 1.
    std::vector<Cell> cells;
  };
  static constexpr unsigned pageShift = 9;

  Page &pageFor(uint64_t offset, unsigned size);
  template <typename Visit> void visit(uint64_t offset, unsigned size, Visit visit);

  uint64_t bytes;
  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_SHADOW_H
