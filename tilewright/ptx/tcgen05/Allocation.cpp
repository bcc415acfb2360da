// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.alloc, .dealloc and .relinquish_alloc_permit (PTX ISA, 9.7.16.7). A warp allocates
// columns for its CTA, waits while they are taken, and stores their address in shared memory.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/machine/Asynchrony.h"
#include "tilewright/ptx/machine/Rendezvous.h"
#include "tilewright/ptx/tcgen05/Tcgen05.h"

#include <bit>

using namespace tilewright::ptx;

// op.in[0] and op.offset are the address, op.in[1] is the number of columns, op.mode the group.

static bool checkColumns(Thread &thread, const Op &op, uint32_t count) {
  if (count >= leastTensorColumns && count <= tensorColumns && std::has_single_bit(count))
    return true;
  failTensor(thread, op,
             "an allocation has 32, 64, 128, 256 or 512 columns, and not " + std::to_string(count));
  return false;
}

//===-- alloc -------------------------------------------------------------------------------===//

/// Stores the address for all lanes. It is an access of an agent, because libraries overwrite it by
/// bulk copies without a proxy fence.
static bool storeAddress(Warp &warp, const Op &op, Target target, uint32_t address) {
  Thread &thread = *warp.threads.front();
  const Completion done{warp.cta->name(), warp.cta->addAgent(), 1};
  if (!Operation(thread, op, Proxy::Generic).writes(target, 4, done))
    return false;
  ++thread.machine->events;
  target.region->store(target.offset, 4, address);
  target.region->define(target.offset, 4, 0xFF);
  for (Thread *other : warp.threads)
    other->vectorClock = withClock(other->vectorClock, done.cta.number, done.agent, done.clock);
  return true;
}

/// Executes the allocation, as the first lane.
static bool allocate(Warp &warp, uint32_t) {
  Thread &thread = *warp.threads.front();
  const Op &op = *thread.waitOp;
  const auto count = uniformOperand(warp, op, op.in[1]);
  const uint32_t first = *warp.tensor.granted;
  warp.tensor.granted.reset();
  if (!count)
    return false;
  const Target target = locate(thread, op, op.in[0], 4, 4);
  if (target && target.region->space != Space::Shared)
    failTensor(thread, op,
               "tcgen05.alloc writes the address to shared memory, and not to " +
                   target.region->name);
  return target && target.region->space == Space::Shared && storeAddress(warp, op, target, first);
}

/// Both CTAs of a pair allocate together, so that they have the same columns.
static bool beginPair(Thread &thread, const Op &op) {
  Cta *peer = peerOf(thread, op);
  if (!peer)
    return false;
  TensorMemory &tensor = tensorMemoryOf(*thread.cta);
  if (tensor.waiting.try_emplace(thread.warp->number, tensor.begun + 1).second) {
    ++tensor.begun;
    wakeForColumns(*peer);
  }
  return true;
}

static bool isPairMissing(Thread &thread, const Op &op) {
  return op.mode == 2 && tensorMemoryOf(*thread.cta->cluster->ctas[thread.cta->rank ^ 1]).begun <
                             tensorMemoryOf(*thread.cta).waiting.at(thread.warp->number);
}

static Step runAllocation(Thread &thread, const Op &op) {
  const auto count = tensorOperand(thread, op, op.in[1], /*isWide=*/false);
  if (!count || !checkTensorGroup(thread, op, op.mode) ||
      !checkColumns(thread, op, uint32_t(*count)))
    return Step::Stop;
  TensorMemory &tensor = tensorMemoryOf(*thread.cta);
  if (tensor.relinquished)
    return failTensor(thread, op, "the CTA has given up the permit to allocate tensor memory",
                      {{*tensor.relinquished, "here"}});
  TensorWarp &warp = thread.warp->tensor;
  if (op.mode == 2 && !warp.granted && !beginPair(thread, op))
    return Step::Stop;
  if (!warp.granted) {
    const auto first = tensor.findFree(uint32_t(*count));
    if (!first || isPairMissing(thread, op)) {
      thread.state = State::AtTensorColumns;
      thread.waitOp = &op;
      thread.waitCount = uint32_t(*count);
      return Step::Wait;
    }
    warp.granted = first;
    tensor.waiting.erase(thread.warp->number);
    tensor.allocations[*first] = {uint32_t(*count), thread.site(op), thread.number};
    ++thread.machine->events;
  }
  return waitForWarp(thread, op);
}

//===-- dealloc -----------------------------------------------------------------------------===//

static bool free(Warp &warp, uint32_t) {
  Thread &thread = *warp.threads.front();
  const Op &op = *thread.waitOp;
  const auto address = uniformOperand(warp, op, op.in[0]),
             count = uniformOperand(warp, op, op.in[1]);
  if (!address || !count)
    return false;
  TensorMemory &tensor = tensorMemoryOf(*thread.cta);
  const auto found = tensor.allocations.find(*address);
  if (found == tensor.allocations.end()) {
    failTensor(thread, op,
               "no allocation of tensor memory begins at " + toString(TensorAddress(*address)));
    return false;
  }
  if (found->second.count != *count) {
    failTensor(thread, op,
               "the allocation has " + std::to_string(found->second.count) + " columns, and not " +
                   std::to_string(*count),
               {{found->second.site, "the allocation"}});
    return false;
  }
  TensorOrdering ordering = orderingOf(warp);
  ordering.needsFences = false;
  const TensorBlock block{0xFF, *address, *count};
  // The columns are free at once: later accesses need no wait for this.
  const TensorAccess access = tensorAccess(thread, op, thread.number, thread.clock);
  if (!accessTensor(thread, op, *thread.cta, block, /*isWrite=*/true, access, ordering))
    return false;
  for (uint32_t group = 0; group < tensorLanes / lanesPerGroup; ++group)
    for (uint32_t column = *address; column < *address + *count; ++column)
      tensor.cells[group * tensorColumns + column] = {};
  for (uint32_t lane = 0; lane < tensorLanes; ++lane)
    std::fill_n(tensor.defined.begin() + ptrdiff_t(TensorMemory::at(lane, *address)), *count, 0);
  tensor.allocations.erase(found);
  ++thread.machine->events;
  wakeForColumns(*thread.cta);
  return true;
}

static Step runFree(Thread &thread, const Op &op) {
  return checkTensorGroup(thread, op, op.mode) ? waitForWarp(thread, op) : Step::Stop;
}

//===-- relinquish_alloc_permit -------------------------------------------------------------===//

static bool relinquish(Warp &warp, uint32_t) {
  Thread &thread = *warp.threads.front();
  TensorMemory &tensor = tensorMemoryOf(*warp.cta);
  if (!tensor.relinquished)
    tensor.relinquished = thread.site(*thread.waitOp);
  return true;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool takeAll(Decoder &decoder, Collective collective) {
  decoder.op.mode = takeGroup(decoder);
  decoder.op.collective = collective;
  return decoder.op.mode && decoder.take("sync") && decoder.take("aligned");
}

bool tilewright::ptx::decodeTensorAllocation(Decoder &decoder) {
  const bool isShared = decoder.take("shared::cta");
  return takeAll(decoder, allocate) && decoder.take("b32") && decoder.expectOperands(2) &&
         decoder.address(decoder.operand(0), isShared ? Space::Shared : Space::Generic, 0) &&
         decoder.source(decoder.operand(1), Type::B32, decoder.op.in[1]) &&
         decoder.finish(runAllocation);
}

bool tilewright::ptx::decodeTensorFree(Decoder &decoder) {
  return takeAll(decoder, free) && decoder.take("b32") && decoder.expectOperands(2) &&
         decoder.source(decoder.operand(0), Type::B32, decoder.op.in[0]) &&
         decoder.source(decoder.operand(1), Type::B32, decoder.op.in[1]) && decoder.finish(runFree);
}

bool tilewright::ptx::decodeTensorPermit(Decoder &decoder) {
  return takeAll(decoder, relinquish) && decoder.expectOperands(0) && decoder.finish(runFree);
}
