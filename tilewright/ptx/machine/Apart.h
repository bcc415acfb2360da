// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When can CTAs run on several cores? When they do not talk to each other: the program has no
// atomic, volatile or ordered access to global memory, and reads no clock. Then each cluster is
// run on its own, from its first instruction to its last, by whichever thread of this process is
// free. Claims watch that no cluster touches what another one writes. If one does, memory is put
// back, and all CTAs run together on one core. If anything is found, memory is put back, too, and
// one machine runs one cluster after the other, each as before, and reports. So what a launch
// computes and finds is the same whatever the number of cores is.

#ifndef TILEWRIGHT_PTX_MACHINE_APART_H
#define TILEWRIGHT_PTX_MACHINE_APART_H

#include "tilewright/ptx/machine/Machine.h"

#include <array>
#include <atomic>
#include <mutex>

namespace tilewright::ptx {

/// May CTAs of this program run without knowing of each other?
bool mayRunApart(const Program &program);

/// Who reads and who writes each 4 bytes of a region, by number of the cluster, and what was there
/// before. Only pages that are touched cost memory.
class Claims {
public:
  explicit Claims(Region &region);
  ~Claims();

  /// False if another cluster writes there.
  bool read(uint64_t offset, uint64_t bytes, uint32_t cluster);
  /// False if another cluster reads or writes there. Whoever is to write asks first: what the page
  /// holds is kept before anybody has changed it.
  bool write(uint64_t offset, uint64_t bytes, uint32_t cluster);
  /// Puts back what the region was when this was made.
  void restore();

  static constexpr uint64_t pageBytes = 4096;

private:
  /// 0: nobody. Of two clusters that claim the same, at least one sees the other.
  using Claim = std::atomic<uint32_t>;
  static constexpr uint64_t granule = 4;
  static constexpr uint32_t several = UINT32_MAX;
  struct Page {
    std::array<Claim, pageBytes / granule> writers = {}, readers = {};
    std::once_flag once;
    std::vector<uint8_t> bytes, definedBits; ///< Empty unless somebody wrote.
  };

  uint64_t pageCount() const { return (region.size() + pageBytes - 1) / pageBytes; }
  Page &pageAt(uint64_t offset);
  void keep(Page &page, uint64_t number);

  Region &region;
  std::unique_ptr<std::atomic<Page *>[]> pages;
};

/// What a machine has that runs some clusters of a launch apart from the others.
struct ApartState {
  std::map<const Region *, Claims> *claims;
  std::atomic<bool> *haveTalked;
  /// Of the cluster that runs, plus 1.
  uint32_t cluster = 0;
  /// Accesses to global memory by clusters that this machine runs.
  std::map<const Region *, Shadow> shadows;

  /// Forgets accesses of clusters that are done if they take much memory. Claims know who talks to
  /// them.
  void forgetSome();

  /// False, after an end of all runs, if the access is not for this cluster alone.
  bool claim(const Region &region, uint64_t offset, uint64_t bytes, bool isWrite);
};

/// How clusters have to run, after which memory is as it was unless they are done.
enum class ApartResult { Done, InTurn, Together };

/// Runs all clusters apart. With a trace, it only finds out whether they talk: each is to be run in
/// turn, then.
ApartResult runApart(Machine &machine);
/// Runs one cluster after the other, each with the random turns that it has apart from the others.
void runInTurn(Machine &machine);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_APART_H
