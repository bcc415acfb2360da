// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a grid. CTAs start in order, as many at a time as fit. The schedule chooses which thread
// runs next; each runs until it waits or its quantum ends. Every run is therefore one legal
// execution, and can be reproduced from its seed.

#ifndef TILEWRIGHT_PTX_MACHINE_MACHINE_H
#define TILEWRIGHT_PTX_MACHINE_MACHINE_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/code/Program.h"
#include "tilewright/ptx/machine/EventQueue.h"
#include "tilewright/ptx/machine/InFlightStores.h"
#include "tilewright/ptx/machine/Thread.h"

#include <atomic>
#include <functional>
#include <random>

namespace tilewright::ptx {

enum class Order : uint8_t { Up, Down, Random };

struct Schedule {
  Order order = Order::Up;
  uint64_t seed = 0;
  /// Maximum number of instructions of a time slice; a random schedule draws from 1 to this number.
  /// 0: 64 for random schedules, otherwise 4096.
  uint32_t quantum = 0;
  /// Instructions of all threads together.
  uint64_t stepLimit = uint64_t(1000) * 1000 * 1000;
};

struct ParallelState;
class Counters;
class Trace;

/// The next op of a thread: the number of the function, and the index of the op.
struct Position {
  uint32_t function, at;
};

struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t dynamicShared = 0;
  /// The parameters of the entry, in the layout of the program.
  std::vector<uint8_t> parameters;
  /// Extents of a cluster; by default those of the entry.
  std::optional<std::array<uint32_t, 3>> cluster = std::nullopt;
};

/// The extents of a cluster in this launch.
std::array<uint32_t, 3> clusterOf(const Program &program, const Launch &launch);
/// The extents of the grid in CTAs: as the launch says, or that many clusters if the entry has
/// `.blocksareclusters`.
std::array<uint32_t, 3> gridOf(const Program &program, const Launch &launch);
/// The rows of a panel, a power of two; 1 if tile blocks are CTAs. Otherwise the kernel says so in
/// a constant, and each CTA runs another block than that of its id: in a panel, y varies fastest
/// (nvidia/plan/Rasterization.h).
uint32_t panelOf(const Program &program);
/// Can a thread of the program cancel the launch of a cluster?
bool mayCancelClusters(const Program &program);

struct Machine {
  Machine(const Program &program, Memory &memory, const Launch &launch, const Schedule &schedule)
      : program(program), memory(memory), launch(launch), schedule(schedule), random(schedule.seed),
        cluster(clusterOf(program, launch)), grid(gridOf(program, launch)), panel(panelOf(program)),
        parameters("the parameters", Space::Param, parameterWindow + firstOffset,
                   launch.parameters.size()) {
    parameters.bytes = launch.parameters;
    parameters.defineAll();
  }

  uint64_t ctaCount() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  uint64_t clusterSize() const { return uint64_t(cluster[0]) * cluster[1] * cluster[2]; }
  /// The region of global or constant memory that contains the address, or null.
  Region *find(uint64_t address) {
    if (!recent || address - recent->base >= recent->size())
      recent = memory.find(address);
    return recent;
  }
  /// Takes the next cluster that has not begun; returns the number of its first CTA. None if all
  /// have begun.
  std::optional<uint32_t> takeCluster();
  /// The shadow memory of a region.
  Shadow &shadowOf(Region &region);

  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }

  /// The id of a CTA: its coordinates in the grid.
  std::array<uint32_t, 3> ctaidOf(uint32_t cta) const;
  /// The tile block that it runs, by which everything that is reported names it.
  std::array<uint32_t, 3> indexOf(uint32_t cta) const;
  /// Whether a tile block runs as a cluster of CTAs.
  bool areBlocksClusters() const;
  /// `block (1, 0, 0)`, or `CTA 1 of block (0, 0, 0)`
  std::string nameOf(CtaName cta) const;

  /// Reports a finding. There is one per check, variable and pair of source lines; repetitions are
  /// counted.
  void report(Finding finding);
  /// The same, with site and coordinates of the thread.
  void report(Check check, const Thread &thread, const Op &op, std::string message,
              std::vector<RelatedSite> related = {}, std::string memory = {});

  const Program &program;
  Memory &memory;
  const Launch &launch;
  const Schedule &schedule;
  std::mt19937_64 random;
  const std::array<uint32_t, 3> cluster, grid;
  const uint32_t panel;
  /// The range of CTAs that have not begun.
  uint64_t nextCta = 0, endCta = 0;
  /// Asynchronous operations in flight.
  EventQueue eventQueue;
  /// The bytes that stores in flight will leave in global memory.
  InFlightStores inFlightStores;
  /// Counts events that a waiting thread may be waiting for.
  uint64_t events = 0;
  Region parameters;
  Checks checks;
  /// If not empty, only these clusters run, one after the other.
  std::vector<uint64_t> sample;
  /// Receives the output of `vprintf` of a CTA; if empty, the output is lost.
  std::function<void(const std::array<uint32_t, 3> &cta, std::string_view text)> output;
  /// Maximum number of cores for CTAs that do not communicate; 0: all.
  uint32_t threads = 0;
  /// Set if clusters run in parallel (ParallelCtas.h), otherwise null.
  ParallelState *parallel = nullptr;
  /// The region that was accessed last.
  Region *recent = nullptr;
  /// Observers; null if not requested.
  Counters *counters = nullptr;
  Trace *trace = nullptr;
  std::vector<Finding> findings;
  uint64_t unlisted = 0; ///< Number of findings beyond the first hundred.
  uint64_t steps = 0;
  uint64_t clockReadings = 0;
  uint64_t heapUsed = 0; ///< Bytes allocated by malloc and not freed.
  /// Address of the workspace for the grid barrier of a cooperative launch; 0 if not used.
  uint64_t gridWorkspace = 0;
  bool isStopped = false;
  /// Set by another thread to end the run early; may be null.
  const std::atomic<bool> *cancelled = nullptr;
  /// By barrier and exit instruction: has a thread that exits there passed the barrier
  /// (Reconvergence.h)?
  std::map<std::pair<Site, Site>, bool> bypasses;
};

/// Coordinates of element `number` of a box with these extents, x fastest.
std::array<uint32_t, 3> coordinates(uint64_t number, const std::array<uint32_t, 3> &extents);

/// Executes the grid. Ends early if a finding makes further execution impossible.
void execute(Machine &machine);

/// Executes the CTAs from `first` to `end`, which are whole clusters.
void runCtas(Machine &machine, uint64_t first, uint64_t end);

/// Checks extents, parameters and shared memory of the launch; returns a message if they are wrong.
std::optional<std::string> checkLaunch(const Program &program, const Launch &launch);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MACHINE_H
