// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did a kernel do that costs time? For each instruction: how often threads executed it, and
// for accesses of warps how many sectors of global memory and steps of the banks of shared memory
// they took. Threads run one after the other here, so lanes that would execute an instruction
// together on a device are found by the way they came: those that decided alike at all branches
// since they were last together (Reconvergence.h) are together.

#ifndef TILEWRIGHT_PTX_WATCH_COUNTERS_H
#define TILEWRIGHT_PTX_WATCH_COUNTERS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/watch/Kind.h"
#include "tilewright/ptx/watch/Reconvergence.h"
#include "tilewright/ptx/watch/Transactions.h"

namespace tilewright::ptx {

/// Accesses of warps to one kind of memory, and what they took.
struct MemoryCounts {
  uint64_t accesses = 0;
  /// Sectors or steps.
  uint64_t units = 0, leastUnits = 0;

  void add(const Cost &cost) {
    ++accesses;
    units += cost.actual;
    leastUnits += cost.least;
  }
  MemoryCounts &operator+=(const MemoryCounts &other);
};

/// Of an instruction, or of several together.
struct Counts {
  uint64_t executions = 0; ///< By threads.
  MemoryCounts global, shared;
  uint64_t barriers = 0; ///< Phases of a barrier of the CTA that ended here.
  uint64_t asyncBytes = 0;

  Counts &operator+=(const Counts &other);
};

/// The way of a thread: where it branched and has not yet come together with its warp again.
class Way {
public:
  /// The thread, `depth` calls deep, is about to execute this op.
  void arrive(size_t depth, uint32_t at) {
    while (levels.size() > 1 && (levels.back().depth > depth ||
                                 (levels.back().depth == depth && levels.back().meetsAt == at)))
      levels.pop_back();
  }
  /// It decided for one of several successors; all ways come together at `meetsAt`.
  void branch(size_t depth, uint32_t at, uint32_t to, uint32_t meetsAt);
  /// It could have ended here, and did not.
  void pass(uint32_t at) { levels.back().hash = mixed(levels.back().hash, at, 0); }
  /// It called a function, and is now `depth` calls deep.
  void call(size_t depth, uint32_t at) {
    levels.push_back({depth, nowhere, mixed(levels.back().hash, at, 1)});
  }

  uint64_t hash() const { return levels.back().hash; }

private:
  struct Level {
    size_t depth;
    uint32_t meetsAt;
    uint64_t hash;
  };
  static uint64_t mixed(uint64_t hash, uint64_t at, uint64_t to);

  std::vector<Level> levels = {{0, nowhere, 0}};
};

/// Accesses of some lanes of a warp to which others may still belong.
class OpenAccesses {
public:
  struct Key {
    Site site;
    uint64_t way;
    Space space;
    uint8_t rank; ///< Of shared memory: that of its CTA, which has banks of its own.
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, std::vector<LaneAccess>> all;
  size_t lanes = 0; ///< In all of them.
};

class Counters {
public:
  explicit Counters(const Program &program);

  // What the machine tells.
  void begin(Thread &thread);
  /// `isExecuted`: the guard let it.
  void end(Thread &thread, const Op &op, Position position, Step step, bool isExecuted);
  void access(Thread &thread, const Op &op, Target target, unsigned bytes);
  /// An asynchronous copy of so many bytes, with its pieces of global memory if nobody has told
  /// them yet.
  void transfer(Site site, uint64_t bytes, std::span<const LaneAccess> global = {});
  /// Reads of shared memory by an asynchronous operation, as if these lanes did it.
  void read(Site site, std::span<const LaneAccess> shared) {
    at(site).shared.add(bankStepsOf(shared));
  }
  void barrier(Site site) { ++at(site).barriers; }
  /// All lanes of the warp that are left are at one place: no other joins earlier accesses.
  void together(Warp &warp);

  /// Of an instruction; those of the end of a body are not there.
  const Counts &of(Site site) const { return sites[site.function][site.instruction]; }
  /// Can the entry reach this function?
  bool hasFunction(uint32_t number) const { return !sites[number].empty(); }
  Counts total() const;
  /// Executions by threads.
  std::array<uint64_t, kindCount> byKind() const;
  Counters &operator+=(const Counters &other);

private:
  Counts &at(Site site) { return sites[site.function][site.instruction]; }
  void close(const OpenAccesses::Key &key, std::span<const LaneAccess> lanes);

  const Program &program;
  std::vector<std::vector<Counts>> sites;
  std::vector<Branches> branches;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_COUNTERS_H
