// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a thread: its program counter, frames of registers, local memory and vector clock.
// Warps, CTAs and clusters hold the state of barriers and other rendezvous.

#ifndef TILEWRIGHT_PTX_MACHINE_THREAD_H
#define TILEWRIGHT_PTX_MACHINE_THREAD_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/code/Op.h"
#include "tilewright/ptx/machine/Memory.h"

#include <deque>
#include <functional>
#include <map>
#include <set>

namespace tilewright::ptx {

struct Cta;
struct Machine;
struct TensorMemory;
class OpenAccesses;
class TouchedSectors;
class ControlFlowPath;

inline constexpr unsigned lanesPerWarp = 32, warpsPerGroup = 4;
inline constexpr unsigned barriersPerCta = 16;

enum class State : uint8_t {
  Ready,
  /// Waits for other lanes of its mask, at `waitOp`.
  InCollective,
  /// At `activemask`: waits until the other threads of its warp arrive here, stop, or take too
  /// long.
  AtActivemask,
  /// Waits for a barrier of the CTA.
  AtBarrier,
  /// Waits for the barrier of the cluster.
  AtClusterBarrier,
  /// Waits for a phase of an mbarrier. The wait times out when nothing else can run.
  AtMbarrier,
  /// Waits for its own bulk groups.
  AtBulkGroup,
  /// Waits for the other warps of the warpgroup, at `waitOp`.
  InWarpgroup,
  /// Waits for registers that other warps release (setmaxnreg).
  AtRegisters,
  /// Waits for columns of tensor memory that other warps free.
  AtTensorColumns,
  Exited,
};

struct Frame {
  const Code *code;
  uint32_t pc;
  /// Where its registers and its local memory begin.
  size_t values;
  uint64_t local;
  /// End of its local memory, including allocations.
  uint64_t localEnd = 0;
  /// Where the caller expects the results: addresses in its local memory.
  std::vector<uint64_t> results;
};

/// A copy to shared memory that `cp.async` began.
struct PendingCopy {
  uint64_t offset;
  uint32_t bytes;
  uint32_t group; ///< Number of the group; UINT32_MAX before the commit.
  Site site;
  /// The source, its size, and the thread's vector clock when the copy began; null if not needed.
  Target source = {};
  uint32_t read = 0;
  SharedVectorClock vectorClock = nullptr;
  /// The agent and clock of the mbarrier that tracks the copy (cp.async.mbarrier.arrive); clock 0
  /// if there is none.
  uint32_t agent = 0, clock = 0;
  /// Number of that cp.async.mbarrier.arrive in its thread.
  uint32_t arrival = 0;
};

/// How many operations of a bulk group still have to finish reading, and writing.
struct BulkGroup {
  uint32_t reads = 0, writes = 0;
};

/// The bulk groups of a thread (PTX ISA, 9.7.9.25.2): group n has the clock n + 1 of both agents.
struct BulkGroups {
  uint32_t readAgent = 0, writeAgent = 0; ///< 0 before the first group.
  uint32_t committed = 0;
  bool hasOpen = false;
  std::map<uint32_t, BulkGroup> inFlight;
};

/// A register that a wgmma writes when its group completes.
struct PendingRegister {
  uint32_t slot;
  uint64_t value;
  bool isDefined;
};

struct PendingProduct {
  uint32_t group; ///< UINT32_MAX before the commit.
  uint32_t form;  ///< The kind of instruction: only a wgmma of the same form may use the registers.
  size_t frame;
  Site site;
  std::vector<PendingRegister> registers;
  std::vector<uint32_t> inputs; ///< Registers that the wgmma reads.
};

/// The pending wgmma instructions of a thread (PTX ISA, 9.7.15).
struct Products {
  std::vector<PendingProduct> pending;
  uint32_t committed = 0;
  /// The registers of a frame at the last wgmma.fence; empty if there was none.
  std::vector<uint64_t> fenced;
  size_t fencedFrame = 0;
};

/// The agent of one instruction of a thread that operates asynchronously on global memory.
struct AsyncAgent {
  uint32_t number = 0, begun = 0;
};

/// The registers of a tcgen05.ld before a wait for it.
struct PendingLoad {
  size_t frame;
  Site site;
  std::vector<PendingRegister> registers;
  std::optional<Site> use; ///< The first use of one of them.
};

struct Thread {
  // Used by every instruction.
  uint64_t *values = nullptr;
  uint8_t *defined = nullptr;
  uint32_t pc = 0;
  unsigned carry = 0; ///< CC.CF
  const Code *code = nullptr;

  Machine *machine = nullptr;
  Cta *cta = nullptr;
  Warp *warp = nullptr;
  uint32_t lane = 0;
  uint32_t number = 0; ///< Number in its CTA, x fastest.
  std::array<uint32_t, 3> index = {};

  State state = State::Ready;
  const Op *waitOp = nullptr;
  uint32_t waitMask = 0;
  uint32_t waitBarrier = 0, waitCount = 0;
  /// How many aligned barriers of the CTA it has executed.
  uint32_t alignedBarriers = 0;
  unsigned waitedTimeSlices =
      0; ///< At activemask: how many time slices of the warp it has waited for.
  /// Arrivals and waits at the barrier of the cluster; the instruction of the last arrival.
  uint32_t clusterArrivals = 0, clusterWaits = 0;
  const Op *clusterOp = nullptr;
  /// The phase that it waits for, and the location of the mbarrier.
  uint64_t waitPhase = 0, waitOffset = 0;
  const Region *waitRegion = nullptr;
  bool isTimedOut = false;

  uint64_t steps = 0; ///< Number of executed instructions.
  uint32_t clock = 1;
  SharedVectorClock vectorClock;
  /// The last fence: what later strong writes release.
  std::optional<Release> fenced;
  /// Releases seen by strong reads, which a later fence acquires.
  std::vector<Release> seen;

  std::vector<Frame> frames;
  std::vector<uint64_t> valueStack;
  std::vector<uint8_t> definedStack;
  Region local{"local memory", Space::Local, localWindow, 0};

  std::vector<PendingCopy> copies;
  uint32_t committedGroups = 0, waitedGroups = 0, copyArrivals = 0;
  BulkGroups bulk;
  std::map<Site, AsyncAgent> asyncAgents;
  Products products;
  std::vector<PendingLoad> tensorLoads;
  /// The vector clock at the last tcgen05.fence::after_thread_sync (TensorMemory.h).
  SharedVectorClock tensorView;
  /// The vector clock at the last fence.mbarrier_init, and its agent.
  SharedVectorClock initVectorClock;
  uint32_t initAgent = 0;

  /// Only with counters: the control-flow path (Counters.h), and the last op if it may execute
  /// again.
  std::shared_ptr<ControlFlowPath> path;
  const Op *waitedOp = nullptr;

  template <typename T> T get(uint32_t slot) const {
    T value;
    static_assert(sizeof(T) <= 8);
    std::memcpy(&value, &values[slot], sizeof(T));
    return value;
  }
  /// Are all bytes of a T defined?
  template <typename T> bool has(uint32_t slot) const {
    constexpr uint8_t all = uint8_t((1u << sizeof(T)) - 1);
    return (defined[slot] & all) == all;
  }
  template <typename T> void put(uint32_t slot, T value, bool isDefined) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    values[slot] = bits;
    defined[slot] = isDefined ? 0xFF : 0;
  }
  Site site(const Op &op) const { return {code->number, op.instruction}; }
  Epoch epoch(const Op &op, Scope scope, bool isAtomic) const;
  ThreadClock now() const;
  /// Accesses from here on are not part of earlier releases.
  void advance() { ++clock; }
};

/// What a warp does with tensor memory (TensorMemory.h): agents, 0 before they are needed, and the
/// clocks of operations that it begins next.
struct TensorWarp {
  uint32_t loadAgent = 0, storeAgent = 0, pipelineAgent = 0, fenceAgent = 0;
  uint32_t loads = 0, stores = 0, group = 1, fenceClock = 1;
  /// Columns that the waiting lanes of a tcgen05.alloc have got.
  std::optional<uint32_t> granted;
  /// Arrivals of its commits that are on the way to mbarriers of a CTA, the oldest first.
  std::map<const Region *, std::deque<std::function<void()>>> arrivals;
};

/// A setmaxnreg that a warp has executed.
struct RegisterChange {
  Site site;
  bool isIncrease = false;
};

struct Warp {
  Cta *cta = nullptr;
  uint32_t number = 0;
  std::vector<Thread *> threads; ///< By lane; the last warp may have fewer.
  /// Only with counters.
  std::shared_ptr<OpenAccesses> open;
  /// Registers per thread; 0: unknown (async/RegisterCounts.h).
  uint32_t registers = 0;
  std::vector<RegisterChange> registerChanges;
  TensorWarp tensor;
  /// The aligned barriers that some lanes have executed and others have not, the oldest first; how
  /// many are no longer here.
  std::deque<Site> barriers;
  uint32_t pastBarriers = 0;

  /// Lanes that exist and have not exited.
  uint32_t alive() const;
};

struct Barrier {
  uint32_t arrived = 0; ///< Number of threads that arrived, including those of bar.arrive.
  uint32_t expected = 0;
  std::vector<Thread *> waiting;
  std::vector<ThreadClock> clocks;
  /// Predicates of bar.red: their number, and how many are true.
  uint32_t votes = 0, trueVotes = 0;
};

/// The barrier of a cluster. Each thread alternates arrivals and waits, so only the vector clock of
/// the last phase is needed.
struct ClusterBarrier {
  uint32_t arrived = 0, phase = 0;
  /// Joined clocks of the arrivals in this phase; those of the last completed phase.
  SharedVectorClock gathered, vectorClock;
  std::vector<ThreadClock> clocks;
  std::vector<Thread *> waiting;
};

/// CTAs that run at the same time and access each other's shared memory.
struct Cluster {
  std::array<uint32_t, 3> index = {};
  std::vector<Cta *> ctas; ///< By rank.
  ClusterBarrier barrier;
  uint32_t aliveThreads = 0;
  /// Number of asynchronous operations in flight that its threads have begun.
  uint64_t inFlight = 0;
};

/// A fence.proxy.tensormap::generic.acquire by a thread, and the vector clock that it acquired.
struct TensorMapAcquire {
  uint32_t thread, clock;
  SharedVectorClock vectorClock;
};

struct Cta {
  Machine *machine = nullptr;
  uint32_t number = 0;
  uint32_t rank = 0; ///< In its cluster.
  std::shared_ptr<Cluster> cluster;
  std::array<uint32_t, 3> ctaid = {};
  std::array<uint32_t, 3> index = {}; ///< Of the tile block that it runs (Machine::indexOf).
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<Warp> warps;
  std::array<Barrier, barriersPerCta> barriers;
  std::unique_ptr<Region> shared;
  uint32_t aliveThreads = 0;
  /// Joined vector clocks of the exited threads.
  SharedVectorClock ended;
  uint32_t agents = 0;
  /// A thread has observed that all clusters have begun (clusterlaunchcontrol).
  bool hasSeenLastCluster = false;
  /// Agents of the mbarriers that track copies of cp.async.
  std::set<uint32_t> copyAgents;
  /// Agents of the wgmma groups, by warpgroup; 0 before the first group.
  std::vector<uint32_t> warpgroupAgents;
  /// The last acquire of each thread, by the address of the tensor map.
  std::map<uint64_t, std::vector<TensorMapAcquire>> tensorMaps;
  /// Null before the first tcgen05 instruction.
  std::shared_ptr<TensorMemory> tensor;
  /// Only with counters.
  std::shared_ptr<TouchedSectors> touched;

  CtaName name() const { return {number, uint8_t(rank)}; }
  uint32_t threadCount() const { return uint32_t(threads.size()); }
  /// Adds an agent to the clock row of this CTA (VectorClock.h); returns its index.
  uint32_t addAgent() { return 3 * threadCount() + agents++; }
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_THREAD_H
