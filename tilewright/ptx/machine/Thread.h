// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a thread? A program counter, frames of registers, local memory, and what it knows of
// the others. Warps and CTAs have what threads wait for together.

#ifndef TILEWRIGHT_PTX_MACHINE_THREAD_H
#define TILEWRIGHT_PTX_MACHINE_THREAD_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/code/Op.h"
#include "tilewright/ptx/machine/Memory.h"

namespace tilewright::ptx {

struct Cta;
struct Machine;
class OpenAccesses;
class Way;

inline constexpr unsigned lanesPerWarp = 32, warpsPerGroup = 4;
inline constexpr unsigned barriersPerCta = 16;

enum class State : uint8_t {
  Ready,
  /// For other lanes of its mask, at `waitOp`.
  InCollective,
  /// At `activemask`: for the other threads of its warp to come here, stop or take too long.
  AtActivemask,
  /// For a barrier of the CTA.
  AtBarrier,
  /// For the barrier of the cluster.
  AtClusterBarrier,
  /// For a phase of an mbarrier. If nothing else goes on, the wait ends without it.
  AtMbarrier,
  /// For bulk groups of its own.
  AtBulkGroup,
  /// For the other warps of the warpgroup, at `waitOp`.
  InWarpgroup,
  /// For registers that other warps give back (setmaxnreg).
  AtRegisters,
  Exited,
};

struct Frame {
  const Code *code;
  uint32_t pc;
  /// Where its registers and its local memory begin.
  size_t values;
  uint64_t local;
  /// Where its local memory ends, with what it allocated.
  uint64_t localEnd = 0;
  /// Where the caller wants results: addresses in its local memory.
  std::vector<uint64_t> results;
};

/// A copy to shared memory that `cp.async` began.
struct PendingCopy {
  uint64_t offset;
  uint32_t bytes;
  uint32_t group; ///< Number of the group; UINT32_MAX while it is not committed.
  Site site;
  /// What it reads, and what the thread knew when it began; null if nobody asks.
  Target source = {};
  uint32_t read = 0;
  SharedKnowledge known = nullptr;
  /// Of the mbarrier that tracks it (cp.async.mbarrier.arrive): the agent and its clock; clock 0 if
  /// there is none.
  uint32_t agent = 0, clock = 0;
  /// The number of that instruction.
  uint32_t arrival = 0;
};

/// How many asynchronous operations of a bulk group have still to read, and to write.
struct BulkGroup {
  uint32_t reads = 0, writes = 0;
};

/// The bulk groups of a thread (PTX ISA, 9.7.9.25.2): group n is n + 1 on the clocks of the agents.
struct BulkGroups {
  uint32_t readAgent = 0, writeAgent = 0; ///< 0: there was none yet.
  uint32_t committed = 0;
  bool hasOpen = false;
  std::map<uint32_t, BulkGroup> onTheWay;
};

/// Registers that a wgmma writes when its group is waited for.
struct PendingRegister {
  uint32_t slot;
  uint64_t value;
  bool isDefined;
};

struct PendingProduct {
  uint32_t group; ///< UINT32_MAX while it is not committed.
  uint32_t form;  ///< Of the instruction: only the same may use the registers.
  size_t frame;
  Site site;
  std::vector<PendingRegister> registers;
  std::vector<uint32_t> inputs; ///< Registers that it reads.
};

/// What a thread knows of its wgmma instructions (PTX ISA, 9.7.15).
struct Products {
  std::vector<PendingProduct> pending;
  uint32_t committed = 0;
  /// The registers of a frame as the last wgmma.fence saw them; empty if there was none.
  std::vector<uint64_t> fenced;
  size_t fencedFrame = 0;
};

/// Completes what one instruction of a thread does in global memory at some time.
struct AsyncAgent {
  uint32_t number = 0, begun = 0;
};

struct Thread {
  // What each instruction needs.
  uint64_t *values = nullptr;
  uint8_t *defined = nullptr;
  uint32_t pc = 0;
  unsigned carry = 0; ///< CC.CF
  const Code *code = nullptr;

  Machine *machine = nullptr;
  Cta *cta = nullptr;
  Warp *warp = nullptr;
  uint32_t lane = 0;
  uint32_t number = 0; ///< In its CTA, x fastest.
  std::array<uint32_t, 3> index = {};

  State state = State::Ready;
  const Op *waitOp = nullptr;
  uint32_t waitMask = 0;
  uint32_t waitBarrier = 0, waitCount = 0;
  unsigned patience = 0; ///< At activemask: how often to let others run.
  /// Of the barrier of the cluster; the instruction of the last arrival.
  uint32_t clusterArrivals = 0, clusterWaits = 0;
  const Op *clusterOp = nullptr;
  /// The phase that it waits for, and where the mbarrier is.
  uint64_t waitPhase = 0, waitOffset = 0;
  const Region *waitRegion = nullptr;
  bool isTimedOut = false;

  uint64_t steps = 0; ///< Instructions that it has executed.
  uint32_t clock = 1;
  SharedKnowledge known;
  /// Of the last fence: what later strong writes release.
  std::optional<Release> fenced;
  /// What strong reads saw, for a later fence to acquire.
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
  /// What fence.mbarrier_init has shown, and the agent that stands for it.
  SharedKnowledge initKnown;
  uint32_t initAgent = 0;

  /// Only if somebody counts: the way it came (Counters.h), and an op that it may execute again.
  std::shared_ptr<Way> way;
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
  /// What later accesses do is not part of what was released before.
  void advance() { ++clock; }
};

struct Warp {
  Cta *cta = nullptr;
  uint32_t number = 0;
  std::vector<Thread *> threads; ///< By lane; the last warp may have fewer.
  /// Only if somebody counts.
  std::shared_ptr<OpenAccesses> open;
  /// Of each thread; 0: nobody can tell (async/RegisterCounts.h).
  uint32_t registers = 0;
  /// The setmaxnreg instructions that it has executed.
  std::vector<Site> registerChanges;

  /// Lanes that exist and have not exited.
  uint32_t alive() const;
};

struct Barrier {
  uint32_t arrived = 0; ///< Threads, those of bar.arrive included.
  uint32_t expected = 0;
  std::vector<Thread *> waiting;
  std::vector<ThreadClock> clocks;
  /// Of the instructions that arrived, for messages and bar.red.
  uint32_t votes = 0, trueVotes = 0;
};

/// The barrier of a cluster. A thread arrives and waits in turn, so only the knowledge of the last
/// phase is needed.
struct ClusterBarrier {
  uint32_t arrived = 0, phase = 0;
  /// Of those that arrived; of the phase that was completed last.
  SharedKnowledge gathered, known;
  std::vector<ThreadClock> clocks;
  std::vector<Thread *> waiting;
};

/// CTAs that run at the same time, and reach each other's shared memory.
struct Cluster {
  std::array<uint32_t, 3> index = {};
  std::vector<Cta *> ctas; ///< By rank.
  ClusterBarrier barrier;
  uint32_t aliveThreads = 0;
  /// Asynchronous operations that threads of it have begun.
  uint64_t onTheWay = 0;
};

/// fence.proxy.tensormap::generic.acquire by a thread, and what it has shown.
struct TensorMapAcquire {
  uint32_t thread, clock;
  SharedKnowledge known;
};

struct Cta {
  Machine *machine = nullptr;
  uint32_t number = 0;
  uint32_t rank = 0; ///< In its cluster.
  std::shared_ptr<Cluster> cluster;
  std::array<uint32_t, 3> index = {};
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<Warp> warps;
  std::array<Barrier, barriersPerCta> barriers;
  std::unique_ptr<Region> shared;
  uint32_t aliveThreads = 0;
  /// What the threads knew when they ended.
  SharedKnowledge ended;
  uint32_t agents = 0;
  /// It has seen that all clusters have begun (clusterlaunchcontrol).
  bool hasSeenLastCluster = false;
  /// Of the wgmma groups, by warpgroup; 0: there was none yet.
  std::vector<uint32_t> warpgroupAgents;
  /// By the addresses of tensor maps; one of each thread.
  std::map<uint64_t, std::vector<TensorMapAcquire>> tensorMaps;

  CtaName name() const { return {number, uint8_t(rank)}; }
  uint32_t threadCount() const { return uint32_t(threads.size()); }
  /// The number of a new agent, in the row of this CTA (Clock.h).
  uint32_t addAgent() { return 3 * threadCount() + agents++; }
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_THREAD_H
