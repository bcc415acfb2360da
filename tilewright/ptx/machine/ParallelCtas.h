// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs CTAs in parallel on several cores of the host, if they do not communicate: the program has
// no atomic, volatile or ordered access to global memory, and reads no clock. Each free worker
// thread takes a cluster and runs it alone, from its first instruction to its last. Claims detect a
// cluster that touches memory which another one writes. In this case memory is restored, and all
// CTAs run interleaved on one core. If there is a finding, memory is restored as well, and one
// machine runs the clusters one after the other, each with the same schedule as before, and
// reports. The results and findings of a launch therefore do not depend on the number of cores.

#ifndef TILEWRIGHT_PTX_MACHINE_PARALLELCTAS_H
#define TILEWRIGHT_PTX_MACHINE_PARALLELCTAS_H

#include "tilewright/ptx/machine/Machine.h"

#include <array>
#include <atomic>
#include <mutex>

namespace tilewright::ptx {

/// False if the program has an instruction through which CTAs of different clusters communicate.
/// Plain loads and stores do not count: claims check them during the run.
bool canRunInParallel(const Program &program);

/// Records which clusters read and write each 4 bytes of a region, and a copy of the old contents.
/// Only touched pages cost memory.
class Claims {
public:
  explicit Claims(Region &region);
  ~Claims();

  /// Returns false if another cluster writes there.
  bool read(uint64_t offset, uint64_t bytes, uint32_t cluster);
  /// Returns false if another cluster reads or writes there. Must be called before the write,
  /// because it saves the page first.
  bool write(uint64_t offset, uint64_t bytes, uint32_t cluster);
  /// Restores the contents that the region had when this object was created.
  void restore();

  static constexpr uint64_t pageBytes = 4096;

private:
  /// A cluster number; 0: unclaimed. If two clusters claim the same granule, at least one of them
  /// sees the claim of the other.
  using Claim = std::atomic<uint32_t>;
  static constexpr uint64_t granule = 4;
  static constexpr uint32_t several = UINT32_MAX;
  struct Page {
    std::array<Claim, pageBytes / granule> writers = {}, readers = {};
    std::once_flag once;
    std::vector<uint8_t> bytes, definedBits; ///< Empty unless a cluster wrote to the page.
  };

  uint64_t pageCount() const { return (region.size() + pageBytes - 1) / pageBytes; }
  Page &pageAt(uint64_t offset);
  void save(Page &page, uint64_t number);

  Region &region;
  std::unique_ptr<std::atomic<Page *>[]> pages;
};

/// Additional state of a machine that runs some of the clusters of a launch.
struct ParallelState {
  std::map<const Region *, Claims> *claims;
  std::atomic<bool> *haveCommunicated;
  /// Number of the running cluster, plus 1.
  uint32_t cluster = 0;
  /// Shadow of global memory, for the clusters that this machine runs.
  std::map<const Region *, Shadow> shadows;

  /// Drops the shadows of finished clusters when they take much memory. Claims still detect
  /// communication with them.
  void dropShadows();

  /// Returns false, after all runs were told to end, if another cluster uses the same memory.
  bool claim(const Region &region, uint64_t offset, uint64_t bytes, bool isWrite);
};

/// How the clusters must run. Memory is restored unless the result is Done.
enum class ParallelResult { Done, Sequential, Interleaved };

/// Runs all clusters in parallel. With a trace, it only determines whether they communicate; if
/// not, the result is Sequential.
ParallelResult runInParallel(Machine &machine);
/// Runs one cluster after the other, each with the random seed that it has in a parallel run.
void runSequentially(Machine &machine);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_PARALLELCTAS_H
