// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Performance counters per instruction: executions by threads, and for the memory accesses of warps
// the sectors of global memory and the bank-conflict cycles of shared memory. The machine runs
// threads one after the other, so the lanes that a device would execute together are found by their
// control-flow path: lanes are converged if they have taken the same branches since they last
// reconverged (Reconvergence.h).

#ifndef TILEWRIGHT_PTX_WATCH_COUNTERS_H
#define TILEWRIGHT_PTX_WATCH_COUNTERS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/watch/Kind.h"
#include "tilewright/ptx/watch/Patterns.h"
#include "tilewright/ptx/watch/Reconvergence.h"

namespace tilewright::ptx {

/// Accesses of warps to global or shared memory, and their cost.
struct MemoryCounts {
  uint64_t accesses = 0;
  uint64_t lanes = 0; ///< Of all accesses together; bulk copies have none.
  /// Sectors or bank-conflict cycles, and the ideal number of them.
  uint64_t units = 0, idealUnits = 0;
  Patterns patterns;

  /// An access by these lanes to units (sectors or words) of `unit` bytes.
  void add(std::span<const LaneAccess> access, const Cost &cost, uint64_t unit);
  MemoryCounts &operator+=(const MemoryCounts &other);
};

/// Counts of one instruction or of several.
struct Counts {
  uint64_t executions = 0; ///< Executions by threads.
  MemoryCounts global, shared;
  /// Sectors that no earlier access of this source line in the same direction (loads, stores,
  /// atomic updates) by the same CTA touched. Which instruction of a line is first depends on the
  /// schedule; their sum does not.
  uint64_t distinctSectors = 0;
  /// The fewest sectors that could hold the bytes that no such earlier access touched. Again, only
  /// the sum over the line does not depend on the schedule.
  uint64_t dataSectors = 0;
  uint64_t barriers = 0; ///< Completed phases of a CTA barrier.
  uint64_t asyncBytes = 0;

  Counts &operator+=(const Counts &other);
};

/// The control-flow path of a thread: branches taken since it last reconverged with its warp.
class ControlFlowPath {
public:
  /// The thread is about to execute the op `at`; `depth` is its call depth.
  void arrive(size_t depth, uint32_t at) {
    while (levels.size() > 1 &&
           (levels.back().depth > depth ||
            (levels.back().depth == depth && levels.back().reconvergesAt == at)))
      levels.pop_back();
  }
  /// The thread took one of several successors; all paths reconverge at `reconvergesAt`.
  void branch(size_t depth, uint32_t at, uint32_t to, uint32_t reconvergesAt);
  /// The thread executed a guarded exit or return whose guard was false.
  void pass(uint32_t at) { levels.back().hash = mixed(levels.back().hash, at, 0); }
  /// The thread called a function and has the new call depth `depth`.
  void call(size_t depth, uint32_t at) {
    levels.push_back({depth, noReconvergence, mixed(levels.back().hash, at, 1)});
  }

  uint64_t hash() const { return levels.back().hash; }

private:
  struct Level {
    size_t depth;
    uint32_t reconvergesAt;
    uint64_t hash;
  };
  static uint64_t mixed(uint64_t hash, uint64_t at, uint64_t to);

  std::vector<Level> levels = {{0, noReconvergence, 0}};
};

/// Accesses of some lanes of a warp, which other lanes may still join.
class OpenAccesses {
public:
  struct Key {
    Site site;
    uint64_t path;
    Space space;
    uint8_t rank; ///< For shared memory: the CTA's rank, since each CTA has its own banks.
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, std::vector<LaneAccess>> all;
  size_t lanes = 0; ///< Sum over all accesses.
};

class Counters {
public:
  explicit Counters(const Program &program);

  // Called by the machine.
  void begin(Thread &thread);
  /// `isExecuted` is false if the guard was false.
  void end(Thread &thread, const Op &op, Position position, Step step, bool isExecuted);
  void access(Thread &thread, const Op &op, Target target, unsigned bytes);
  /// Counts an asynchronous copy of `bytes` bytes. `global` are its pieces of global memory, if
  /// they were not counted yet.
  void transfer(Cta &cta, Site site, uint64_t bytes, std::span<const LaneAccess> global = {});
  /// Counts reads of shared memory by an asynchronous operation, as accesses of these lanes.
  void read(Site site, std::span<const LaneAccess> shared) {
    at(site).shared.add(shared, bankCyclesOf(shared), bankBytes);
  }
  void barrier(Site site) { ++at(site).barriers; }
  /// Counts a matrix product whose first operand has elements of this type.
  void product(Type operand, uint64_t multiplyAdds) { multiplyAddsOf[operand] += multiplyAdds; }
  /// All remaining lanes of the warp have reconverged, so no lane can join earlier accesses.
  void converged(Warp &warp);

  /// Counts of an instruction, but not of the implicit return at the end of a body.
  const Counts &of(Site site) const { return sites[site.function][site.instruction]; }
  /// Can the entry reach this function?
  bool hasFunction(uint32_t number) const { return !sites[number].empty(); }
  Counts total() const;
  /// Executions by threads, per kind.
  std::array<uint64_t, kindCount> byKind() const;
  /// The multiply-adds of matrix products, by the type of the first operand. Those of a sparse
  /// operand include its zeros.
  const std::map<Type, uint64_t> &products() const { return multiplyAddsOf; }
  Counters &operator+=(const Counters &other);

private:
  Counts &at(Site site) { return sites[site.function][site.instruction]; }
  void close(Cta &cta, const OpenAccesses::Key &key, std::span<const LaneAccess> lanes);
  void accessGlobal(Cta &cta, Site site, std::span<const LaneAccess> lanes);

  const Program &program;
  std::vector<std::vector<Counts>> sites;
  /// Numbers of the source lines of the sites, separately for each direction.
  std::vector<std::vector<uint32_t>> lines;
  std::vector<Branches> branches;
  std::map<Type, uint64_t> multiplyAddsOf;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_COUNTERS_H
