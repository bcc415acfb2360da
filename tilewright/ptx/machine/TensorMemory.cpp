// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorMemory.h.

#include "tilewright/ptx/machine/TensorMemory.h"

#include <bit>
#include <utility>

using namespace tilewright::ptx;

//===-- Allocations -------------------------------------------------------------------------===//

std::optional<uint32_t> TensorMemory::findFree(uint32_t count) const {
  for (uint32_t first = 0; first + count <= tensorColumns; first += count) {
    bool isFree = true;
    for (const auto &[begin, allocation] : allocations)
      isFree &= begin + allocation.count <= first || first + count <= begin;
    if (isFree)
      return first;
  }
  return std::nullopt;
}

const TensorMemory::Allocation *TensorMemory::find(uint32_t first, uint32_t count) const {
  if (first > tensorColumns || count > tensorColumns - first)
    return nullptr;
  auto next = allocations.upper_bound(first);
  if (next == allocations.begin())
    return nullptr;
  --next;
  return first + count <= next->first + next->second.count ? &next->second : nullptr;
}

uint32_t TensorMemory::freeColumns() const {
  uint32_t taken = 0;
  for (const auto &[first, allocation] : allocations)
    taken += allocation.count;
  return tensorColumns - taken;
}

TensorMemory &tilewright::ptx::tensorMemoryOf(Cta &cta) {
  if (!cta.tensor)
    cta.tensor = std::make_shared<TensorMemory>();
  return *cta.tensor;
}

Step tilewright::ptx::failTensor(Thread &thread, const Op &op, std::string message,
                                 std::vector<RelatedSite> related) {
  Origin(thread, op).fail(Check::TensorMemory, std::move(message), std::move(related));
  return Step::Stop;
}

Cta *tilewright::ptx::peerOf(Thread &thread, const Op &op) {
  const std::vector<Cta *> &ctas = thread.cta->cluster->ctas;
  if (ctas.size() % 2 == 0)
    return ctas[thread.cta->rank ^ 1];
  failTensor(thread, op,
             ".cta_group::2 needs clusters of an even number of CTAs, and not of " +
                 std::to_string(ctas.size()));
  return nullptr;
}

bool tilewright::ptx::checkTensorGroup(Thread &thread, const Op &op, uint32_t group) {
  TensorMemory &tensor = tensorMemoryOf(*thread.cta);
  if (!tensor.group) {
    tensor.group = group;
    tensor.groupSite = thread.site(op);
  }
  if (tensor.group == group)
    return true;
  failTensor(thread, op, "all tcgen05 instructions of a kernel have the same .cta_group",
             {{tensor.groupSite, "here it is " + std::to_string(tensor.group)}});
  return false;
}

void tilewright::ptx::checkLoads(Thread &thread) {
  for (PendingLoad &load : thread.tensorLoads) {
    const auto use = std::exchange(load.use, std::nullopt);
    if (!use || !thread.machine->checks.has(Check::Tcgen05))
      continue;
    Finding finding{
        Check::Tcgen05, *use,
        "a register of a tcgen05.ld is used, and no tcgen05.wait::ld is executed before "
        "the next tcgen05.ld or the end",
        thread.cta->index, thread.number};
    finding.related.push_back({load.site, "the tcgen05.ld"});
    thread.machine->report(std::move(finding));
  }
}

void tilewright::ptx::leaveLoads(Thread &thread) {
  for (PendingLoad &load : thread.tensorLoads)
    if (load.frame == thread.frames.size())
      load.registers.clear();
}

void tilewright::ptx::checkTensorEnd(Thread &thread) {
  if (!thread.cta->tensor)
    return;
  for (const auto &[first, allocation] : thread.cta->tensor->allocations)
    thread.machine->report({Check::TensorMemory, allocation.site,
                            "these " + std::to_string(allocation.count) +
                                " columns of tensor memory are not freed before the CTA ends",
                            thread.cta->index, allocation.thread});
}

void tilewright::ptx::wakeForColumns(Cta &cta) {
  for (auto &thread : cta.threads)
    if (thread->state == State::AtTensorColumns)
      thread->state = State::Ready;
}

std::string tilewright::ptx::describeColumnWait(const Thread &thread) {
  return "for " + std::to_string(thread.waitCount) + " columns of tensor memory" +
         (tensorMemoryOf(*thread.cta).group == 2 ? ", which both CTAs of the pair allocate" : "") +
         ", where " + std::to_string(tensorMemoryOf(*thread.cta).freeColumns()) + " of " +
         std::to_string(tensorColumns) + " are free";
}

//===-- Agents ------------------------------------------------------------------------------===//

static uint32_t made(Warp &warp, uint32_t &agent) {
  if (!agent)
    agent = warp.cta->addAgent();
  return agent;
}

uint32_t tilewright::ptx::loadAgentOf(Warp &warp) { return made(warp, warp.tensor.loadAgent); }
uint32_t tilewright::ptx::storeAgentOf(Warp &warp) { return made(warp, warp.tensor.storeAgent); }
uint32_t tilewright::ptx::pipelineAgentOf(Warp &warp) {
  return made(warp, warp.tensor.pipelineAgent);
}
uint32_t tilewright::ptx::tensorFenceAgentOf(Warp &warp) {
  return made(warp, warp.tensor.fenceAgent);
}

TensorAccess tilewright::ptx::tensorAccess(Thread &thread, const Op &op, uint32_t agent,
                                           uint32_t clock) {
  Warp &warp = *thread.warp;
  return {thread.cta->name(),
          warp.number,
          thread.number,
          thread.clock,
          agent,
          clock,
          tensorFenceAgentOf(warp),
          warp.tensor.fenceClock,
          agent == warp.tensor.pipelineAgent,
          thread.site(op)};
}

TensorAccess tilewright::ptx::pipelinedAccess(Thread &thread, const Op &op) {
  Warp &warp = *thread.warp;
  return tensorAccess(thread, op, pipelineAgentOf(warp), warp.tensor.group);
}

//===-- Ordering ----------------------------------------------------------------------------===//

namespace {
enum class Lack : uint8_t { Nothing, Order, Completion, FenceBefore, FenceAfter };
} // namespace

static bool has(const SharedVectorClock &clock, const TensorAccess &access, uint32_t agent,
                uint32_t value) {
  return clock && clock->has(access.cta.number, agent, value);
}

static Lack lackOf(const TensorAccess &earlier, const TensorAccess &later,
                   const TensorOrdering &ordering) {
  const bool isOwnWarp = earlier.cta == later.cta && earlier.warp == later.warp;
  const auto &clock = ordering.vectorClock;
  const bool isFencedBefore = has(clock, earlier, earlier.fenceAgent, earlier.fenceClock);
  const bool isOwnThread = isOwnWarp && earlier.thread == later.thread;
  const bool isInOrder =
      earlier.isPipelined && later.isPipelined && (isOwnThread || isFencedBefore);
  if (!isInOrder && !has(clock, earlier, earlier.agent, earlier.clock))
    return isOwnWarp || has(clock, earlier, earlier.thread, earlier.threadClock) ? Lack::Completion
                                                                                 : Lack::Order;
  if (isOwnWarp || !ordering.needsFences)
    return Lack::Nothing;
  if (!isFencedBefore)
    return Lack::FenceBefore;
  return has(ordering.view, earlier, earlier.fenceAgent, earlier.fenceClock) ? Lack::Nothing
                                                                             : Lack::FenceAfter;
}

static std::string placeOf(size_t cell) {
  const size_t lane = cell / tensorColumns * lanesPerGroup;
  return "tensor memory in lanes " + std::to_string(lane) + " to " +
         std::to_string(lane + lanesPerGroup - 1) + ", column " +
         std::to_string(cell % tensorColumns);
}

static std::string nameOf(const Thread &thread, const TensorAccess &access) {
  const Instruction &instruction =
      thread.machine->program.module->functions[access.site.function].body[access.site.instruction];
  return spell(instruction);
}

/// CUTLASS, CuTe DSL and Triton emit no tcgen05.fence: `ptxas` and the devices order what the
/// synchronisation of threads orders. So only kernels that have fences are held to the rule, or if
/// the check is named.
static bool needsFences(const Machine &machine) {
  return machine.program.hasTensorFence || machine.checks.isNamed(Check::Tcgen05Fence);
}

static void report(Thread &thread, const Op &op, Lack lack, const TensorAccess &earlier,
                   bool isEarlierWrite, size_t cell, bool isWrite) {
  const std::string access = std::string(isWrite ? "write" : "read") + " of " + placeOf(cell);
  const std::string by =
      "the " + std::string(isEarlierWrite ? "write" : "read") + " by thread " +
      std::to_string(earlier.thread) +
      (earlier.cta == thread.cta->name() ? "" : " of " + thread.machine->nameOf(earlier.cta));
  const std::string name = nameOf(thread, earlier);
  const std::string wait = earlier.isPipelined             ? "a tcgen05.commit to an mbarrier"
                           : name.starts_with("tcgen05.l") ? "tcgen05.wait::ld"
                                                           : "tcgen05.wait::st";
  std::string message;
  Check check = Check::Tcgen05Fence;
  if (lack == Lack::Order) {
    check = Check::Race;
    message = "race: " + access + ", unordered with " + by;
  } else if (lack == Lack::Completion) {
    check = Check::Tcgen05;
    message = access + ", where " + by + " may be incomplete: nothing waited for it with " + wait;
  } else if (lack == Lack::FenceBefore) {
    message = access + ", ordered after " + by +
              " without a tcgen05.fence::before_thread_sync between that and the synchronisation";
  } else {
    message = access + ", ordered after " + by +
              " without a tcgen05.fence::after_thread_sync between the synchronisation and this";
  }
  if (thread.machine->checks.has(check) &&
      (check != Check::Tcgen05Fence || needsFences(*thread.machine)))
    thread.machine->report(check, thread, op, std::move(message),
                           {{earlier.site, "the other access (" + name + ")"}}, "tensor memory");
}

/// Records a read; of the reads of one agent, the last one is kept.
static void addRead(TensorMemory::Cell &cell, const TensorAccess &access) {
  for (TensorAccess &read : cell.reads)
    if (read.cta == access.cta && read.agent == access.agent) {
      read = access;
      return;
    }
  cell.reads.push_back(access);
}

bool tilewright::ptx::checkTensorColumns(Thread &thread, const Op &op, Cta &owner,
                                         const TensorBlock &block) {
  if (tensorMemoryOf(owner).find(block.first, block.count))
    return true;
  failTensor(thread, op,
             "columns " + std::to_string(block.first) + " to " +
                 std::to_string(block.first + block.count - 1) +
                 " of tensor memory are not inside of one allocation");
  return false;
}

bool tilewright::ptx::accessTensor(Thread &thread, const Op &op, Cta &owner,
                                   const TensorBlock &block, bool isWrite,
                                   const TensorAccess &access, const TensorOrdering &ordering) {
  if (!checkTensorColumns(thread, op, owner, block))
    return false;
  TensorMemory &tensor = tensorMemoryOf(owner);
  bool isReported = false;
  const auto check = [&](const TensorAccess &earlier, bool isEarlierWrite, size_t cell) {
    const Lack lack = isReported ? Lack::Nothing : lackOf(earlier, access, ordering);
    if (lack == Lack::Nothing)
      return;
    isReported = true;
    report(thread, op, lack, earlier, isEarlierWrite, cell, isWrite);
  };
  for (uint32_t groups = block.groups; groups; groups &= groups - 1)
    for (uint32_t column = block.first; column < block.first + block.count; ++column) {
      const size_t number = uint32_t(std::countr_zero(groups)) * tensorColumns + column;
      TensorMemory::Cell &cell = tensor.cells[number];
      if (cell.write)
        check(*cell.write, true, number);
      if (!isWrite) {
        addRead(cell, access);
        continue;
      }
      for (const TensorAccess &read : cell.reads)
        check(read, false, number);
      cell.write = access;
      cell.reads.clear();
    }
  return true;
}
