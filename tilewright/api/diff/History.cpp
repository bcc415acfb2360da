// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See History.h.

#include "tilewright/api/diff/History.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/tile/Loops.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using reference::Allocation;
using reference::Effect;
using reference::MemoryOperation;
using reference::Segment;
using reference::TileBlock;

static Execution executionOf(TileBlock &block) {
  Execution execution{block.id().number};
  for (const reference::Frame &frame : block.frames())
    if (tile::isLoop(frame.owner))
      execution.iterations.push_back(frame.iteration - 1);
  return execution;
}

static std::vector<int64_t> keyOf(const Execution &execution) {
  std::vector<int64_t> key = {execution.block};
  key.insert(key.end(), execution.iterations.begin(), execution.iterations.end());
  return key;
}

void MemoryHistory::beforeOperation(TileBlock &block, Operation *op) {
  const reference::Frame &frame = block.innermost();
  if (!tile::isLoop(frame.owner))
    return;
  int64_t &count = tripCounts[frame.owner];
  count = std::max(count, frame.iteration);
}

uint32_t MemoryHistory::numberOf(TileBlock &block, Operation *op, bool isAtomic) {
  Execution execution = executionOf(block);
  const bool isLast = !runs.empty() && runs.back().op == op &&
                      runs.back().execution.block == execution.block &&
                      runs.back().execution.iterations == execution.iterations;
  if (!isLast)
    runs.push_back({op, std::move(execution), isAtomic});
  return uint32_t(runs.size() - 1);
}

void MemoryHistory::write(HostByte byte, const Write &write, bool isSpecified) {
  writes[byte] = write;
  if (isSpecified)
    unspecified.erase(byte);
  else
    unspecified.insert(byte);
}

/// An atomic combines the element with a float, and has not been recorded yet.
void MemoryHistory::combine(HostByte byte, numerics::Element operand, bool adds) {
  Sum &sum = sums[byte];
  sum.addsOnly &= adds && (sum.count > 0 || !lastWrite(byte));
  sum.hasInfinity |= operand.isInf();
  sum.magnitudes += std::abs(operand.asDouble());
  ++sum.count;
}

void MemoryHistory::replace(HostByte byte) {
  if (const auto sum = sums.find(byte); sum != sums.end())
    sum->second.addsOnly = false;
}

void MemoryHistory::onAccess(TileBlock &block, const MemoryOperation &operation,
                             const Segment &segment) {
  const auto kind =
      operation.effect == Effect::Load ? reference::AccessKind::Read : reference::AccessKind::Write;
  const Allocation *allocation =
      block.memory().allowed(segment.place, segment.count, kind, block.id().number);
  if (!allocation || !allocation->copies.empty())
    return;
  HostByte byte = allocation->bytes.data() + (segment.place.address - allocation->address);
  const unsigned size = segment.elementBytes();
  if (operation.effect == Effect::Load) {
    const std::vector<int64_t> key = keyOf(executionOf(block));
    for (int64_t i = 0; i < segment.count; ++i, byte += size)
      if (const Write *source = lastWrite(byte))
        loads[{operation.op, key}][segment.element + i] = *source;
    return;
  }
  const bool isAtomic = operation.effect != Effect::Store;
  const bool adds =
      operation.effect == Effect::Update && operation.mode == tile::AtomicRMWMode::AddF;
  const uint32_t number = numberOf(block, operation.op, isAtomic);
  for (int64_t i = 0; i < segment.count; ++i, byte += size) {
    const int64_t element = segment.element + i;
    if (isAtomic && numerics::info(segment.place.format).isFloat())
      combine(byte, (*operation.operand)[element], adds);
    else
      replace(byte);
    write(byte, {number, uint32_t(element)},
          operation.operand->markOf(element) == reference::Mark::None);
  }
}

const Write *MemoryHistory::lastWrite(HostByte byte) const {
  const auto found = writes.find(byte);
  return found == writes.end() ? nullptr : &found->second;
}

const MemoryHistory::Sources *MemoryHistory::sourcesOf(Operation *load,
                                                       const Execution &execution) const {
  const auto found = loads.find({load, keyOf(execution)});
  return found == loads.end() ? nullptr : &found->second;
}
