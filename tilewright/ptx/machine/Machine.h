// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a grid execute? CTAs come in order, as many at a time as fit; their threads run in an
// order that the schedule decides, each until it has to wait or its turn is over. So every run is
// one legal execution, the same for the same seed, and what went wrong can be seen again.

#ifndef TILEWRIGHT_PTX_MACHINE_MACHINE_H
#define TILEWRIGHT_PTX_MACHINE_MACHINE_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/code/Program.h"
#include "tilewright/ptx/machine/Agenda.h"
#include "tilewright/ptx/machine/Thread.h"
#include "tilewright/ptx/machine/Underway.h"

#include <functional>
#include <random>

namespace tilewright::ptx {

enum class Order : uint8_t { Up, Down, Random };

struct Schedule {
  Order order = Order::Up;
  uint64_t seed = 0;
  /// Instructions of one turn of a thread; a random turn has 1 to this many. 0: 64 for random
  /// turns, else 4096.
  uint32_t quantum = 0;
  /// Instructions of all threads together.
  uint64_t stepLimit = uint64_t(1000) * 1000 * 1000;
};

struct ApartState;
class Counters;
class Trace;

/// An op of a thread, before it executes: the number of the function, and of the op.
struct Position {
  uint32_t function, at;
};

struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t dynamicShared = 0;
  /// The parameters of the entry, one after the other as the program lays them out.
  std::vector<uint8_t> parameters;
  /// CTAs of a cluster; without, as the entry says.
  std::optional<std::array<uint32_t, 3>> cluster = std::nullopt;
};

/// The extents of the clusters of a launch.
std::array<uint32_t, 3> clusterOf(const Program &program, const Launch &launch);
/// How many CTAs there are: as many as the launch says, or so many clusters of them where the entry
/// has `.blocksareclusters`.
std::array<uint32_t, 3> gridOf(const Program &program, const Launch &launch);
/// May a thread of it ask that a cluster does not begin?
bool mayCancelClusters(const Program &program);

struct Machine {
  Machine(const Program &program, Memory &memory, const Launch &launch, const Schedule &schedule)
      : program(program), memory(memory), launch(launch), schedule(schedule), random(schedule.seed),
        cluster(clusterOf(program, launch)), grid(gridOf(program, launch)),
        parameters("the parameters", Space::Param, parameterWindow + firstOffset,
                   launch.parameters.size()) {
    parameters.bytes = launch.parameters;
    parameters.defineAll();
  }

  uint64_t ctaCount() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  uint64_t clusterSize() const { return uint64_t(cluster[0]) * cluster[1] * cluster[2]; }
  /// The region of global or constant memory that has this address, or none.
  Region *find(uint64_t address) {
    if (!recent || address - recent->base >= recent->size())
      recent = memory.find(address);
    return recent;
  }
  /// Takes the next cluster from those that have still to begin: the number of its first CTA. None
  /// if all have begun.
  std::optional<uint32_t> takeCluster();
  /// What is known of accesses to a region.
  Shadow &shadowOf(Region &region);

  /// Where in the grid a CTA is.
  std::array<uint32_t, 3> indexOf(uint32_t cta) const;
  /// `CTA (1, 0, 0)`
  std::string nameOf(CtaName cta) const;

  /// One for each check, variable and pair of lines of the source; later ones are counted.
  void report(Finding finding);
  /// The same with what the thread knows of itself.
  void report(Check check, const Thread &thread, const Op &op, std::string message,
              std::vector<RelatedSite> related = {}, std::string memory = {});

  const Program &program;
  Memory &memory;
  const Launch &launch;
  const Schedule &schedule;
  std::mt19937_64 random;
  const std::array<uint32_t, 3> cluster, grid;
  /// The CTAs that have still to begin, from this one on.
  uint64_t nextCta = 0, endCta = 0;
  /// Asynchronous operations that have begun.
  Agenda agenda;
  /// What those that store to global memory will leave there.
  Underway underway;
  /// Counts what a thread that waits may wait for.
  uint64_t events = 0;
  Region parameters;
  Checks checks;
  /// Takes what a CTA prints by `vprintf`; if there is none, it is lost.
  std::function<void(const std::array<uint32_t, 3> &cta, std::string_view text)> output;
  /// How many cores may run CTAs that do not talk to each other; 0: all.
  uint32_t threads = 0;
  /// Of clusters that run apart from the others (Apart.h); otherwise null.
  ApartState *apart = nullptr;
  /// The region that was used last.
  Region *recent = nullptr;
  /// Those who watch; null if nobody asked for it.
  Counters *counters = nullptr;
  Trace *trace = nullptr;
  std::vector<Finding> findings;
  uint64_t unlisted = 0; ///< Findings beyond the first hundred.
  uint64_t steps = 0;
  uint64_t clockReadings = 0;
  uint64_t heapUsed = 0; ///< Bytes that malloc gave and free did not take back.
  /// Where the barrier of a grid that was launched cooperatively is; 0 if nobody asks for it.
  uint64_t gridWorkspace = 0;
  bool isStopped = false;
  /// Of a barrier and the end of a thread: has it gone past the barrier (Reconvergence.h)?
  std::map<std::pair<Site, Site>, bool> bypasses;
};

/// Of a number in a box with these extents, x fastest.
std::array<uint32_t, 3> coordinates(uint64_t number, const std::array<uint32_t, 3> &extents);

/// Executes the grid. Ends early if a finding says that it cannot go on.
void execute(Machine &machine);

/// Executes the CTAs from `first` to `end`, which are clusters.
void runCtas(Machine &machine, uint64_t first, uint64_t end);

/// What is wrong with the launch, if something is: extents, parameters, shared memory.
std::optional<std::string> checkLaunch(const Program &program, const Launch &launch);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MACHINE_H
