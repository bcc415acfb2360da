// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory (PTX ISA, 9.7.16.1): 128 lanes of 512 columns of 32 bits for each CTA, with its
// allocations, which bytes are defined, and the last accesses. Accesses are remembered per column
// and group of 16 lanes, which is what instructions access.
//
// All accesses are asynchronous. An agent completes them (VectorClock.h): each warp has one for its
// loads, one for its stores, and one for the operations that a commit tracks. A later access must
// be ordered after the completion. If another warp makes it, tcgen05.fence::before_thread_sync and
// ::after_thread_sync are needed, too: each warp has a fence agent, whose clock a fence before the
// synchronisation publishes, and each thread has a view, the clocks at its last fence after one.

#ifndef TILEWRIGHT_PTX_MACHINE_TENSORMEMORY_H
#define TILEWRIGHT_PTX_MACHINE_TENSORMEMORY_H

#include "tilewright/ptx/machine/Asynchrony.h"

namespace tilewright::ptx {

inline constexpr uint32_t tensorLanes = 128, tensorColumns = 512, lanesPerGroup = 16,
                          leastTensorColumns = 32;

/// An access by an instruction that a thread issued, or the whole warp of this thread.
struct TensorAccess {
  CtaName cta;
  uint32_t warp = 0, thread = 0, threadClock = 0;
  /// The agent that completes it, and its clock then.
  uint32_t agent = 0, clock = 0;
  /// The fence agent of the warp, and its clock at the next fence before a synchronisation.
  uint32_t fenceAgent = 0, fenceClock = 0;
  /// mma, cp and shift of a thread are executed in order.
  bool isPipelined = false;
  Site site;
};

/// Columns of some groups of 16 lanes; a bit per group.
struct TensorBlock {
  uint32_t groups, first, count;
};

/// What orders a new access after earlier ones.
struct TensorOrdering {
  SharedVectorClock vectorClock;
  /// The clocks at the last tcgen05.fence::after_thread_sync.
  SharedVectorClock view;
  /// False for tcgen05.dealloc, which needs no fences.
  bool needsFences = true;
};

struct TensorMemory {
  struct Allocation {
    uint32_t count = 0; ///< Number of columns.
    Site site;
    uint32_t thread = 0;
  };
  struct Cell {
    std::optional<TensorAccess> write;
    std::vector<TensorAccess> reads; ///< Since the last write, one per agent.
  };

  TensorMemory()
      : words(tensorLanes * tensorColumns), defined(words.size()),
        cells(tensorLanes / lanesPerGroup * tensorColumns) {}

  static size_t at(uint32_t lane, uint32_t column) { return lane * tensorColumns + column; }
  /// The first of `count` free columns, aligned to their number; none if they are not free.
  std::optional<uint32_t> findFree(uint32_t count) const;
  /// The allocation that has all of these columns, or null.
  const Allocation *find(uint32_t first, uint32_t count) const;
  uint32_t freeColumns() const;

  std::vector<uint32_t> words;
  std::vector<uint8_t> defined; ///< A bit per byte of a word.
  std::vector<Cell> cells;
  std::map<uint32_t, Allocation> allocations; ///< By first column.
  /// The first tcgen05.relinquish_alloc_permit.
  std::optional<Site> relinquished;
  /// With .cta_group::2: how many allocations the CTA has begun, as many as its pair; and by warp,
  /// the number of the one that it waits for.
  uint32_t begun = 0;
  std::map<uint32_t, uint32_t> waiting;
  /// The .cta_group of the first instruction, which all others must have, too; 0 before.
  uint32_t group = 0;
  Site groupSite;
};

TensorMemory &tensorMemoryOf(Cta &cta);

/// Reports a violated rule of tensor memory, and ends the run.
Step failTensor(Thread &thread, const Op &op, std::string message,
                std::vector<RelatedSite> related = {});

/// The other CTA of a pair; none, after a finding, if the cluster has no pairs.
Cta *peerOf(Thread &thread, const Op &op);

/// Checks that all tcgen05 instructions of the CTA have the same .cta_group.
bool checkTensorGroup(Thread &thread, const Op &op, uint32_t group);

/// Checks and records an access to the tensor memory of a CTA. False after a finding that ends the
/// run.
bool accessTensor(Thread &thread, const Op &op, Cta &owner, const TensorBlock &block, bool isWrite,
                  const TensorAccess &access, const TensorOrdering &ordering);
/// Checks that the columns are in an allocation.
bool checkTensorColumns(Thread &thread, const Op &op, Cta &owner, const TensorBlock &block);

// Agents of a warp; they are made when they are first needed.
uint32_t loadAgentOf(Warp &warp);
uint32_t storeAgentOf(Warp &warp);
uint32_t pipelineAgentOf(Warp &warp);
uint32_t tensorFenceAgentOf(Warp &warp);

/// An access by this thread that the agent completes.
TensorAccess tensorAccess(Thread &thread, const Op &op, uint32_t agent, uint32_t clock);
/// An access that the next tcgen05.commit tracks.
TensorAccess pipelinedAccess(Thread &thread, const Op &op);

/// Reports registers of a tcgen05.ld that the thread has used, if it executes the next one, or
/// ends, and has not waited.
void checkLoads(Thread &thread);
/// Forgets the registers of the function that returns.
void leaveLoads(Thread &thread);
/// Reports allocations that the CTA of the thread, which was the last to exit, has not freed.
void checkTensorEnd(Thread &thread);
/// Wakes the warps that wait for columns, which then try again.
void wakeForColumns(Cta &cta);
/// `for 256 columns of tensor memory, ...`
std::string describeColumnWait(const Thread &thread);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_TENSORMEMORY_H
