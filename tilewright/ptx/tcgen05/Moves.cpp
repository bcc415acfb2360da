// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.ld, .st and .wait (PTX ISA, 9.7.16.8): a warp moves data between registers and its
// quarter of the lanes of tensor memory. Loaded registers are visible after tcgen05.wait::ld.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/machine/Rendezvous.h"
#include "tilewright/ptx/tcgen05/LoadReduction.h"

using namespace tilewright::ptx;

namespace {
/// Shape of a move: lanes, registers and columns of `.x1`.
struct Shape {
  std::string_view name;
  uint32_t lanes, registers, columns;
};
struct Cell {
  uint32_t lane, column;
};
} // namespace

static constexpr Shape shapes[] = {{"32x32b", 32, 1, 1},
                                   {"16x64b", 16, 1, 2},
                                   {"16x128b", 16, 2, 4},
                                   {"16x256b", 16, 4, 8},
                                   {"16x32bx2", 16, 1, 1}};
static constexpr uint32_t splitShape = 4;

// op.mode has the index of the shape and this flag; op.in[0] and op.offset are the address, op.list
// the registers, op.target is the distance of the two halves of 16x32bx2. Bit 4 and up of op.mode:
// the reduction of ld.red, whose register is op.d.
static constexpr uint32_t shapeBits = 7, isPacked = 8, reductionShift = 4;

/// The element that a register of a lane holds (PTX ISA, 9.7.16.2.3.1), from the address on.
static Cell cellOf(uint32_t shape, uint32_t lane, uint32_t number, uint32_t split) {
  const uint32_t row = lane / 4;
  switch (shape) {
  case 0:
    return {lane, number};
  case 1:
    return {row + 8 * (lane % 2), 2 * number + lane / 2 % 2};
  case 2:
    return {row + 8 * (number % 2), 4 * (number / 2) + lane % 4};
  case 3:
    return {row + 8 * (number / 2 % 2), 8 * (number / 4) + 2 * (lane % 4) + number % 2};
  default:
    return {lane % 16, number + lane / 16 * split};
  }
}

//===-- Execution ---------------------------------------------------------------------------===//

static std::optional<TensorAddress> addressOf(Warp &warp, const Op &op) {
  const auto base = uniformOperand(warp, op, op.in[0]);
  if (!base)
    return std::nullopt;
  const TensorAddress address(*base + uint32_t(op.offset));
  const Shape &shape = shapes[op.mode & shapeBits];
  const uint32_t first = warp.number % warpsPerGroup * lanesPerWarp;
  const bool isFirst = address.lane == first;
  if (isFirst || (shape.lanes == lanesPerGroup && address.lane == first + lanesPerGroup))
    return address;
  failTensor(
      *warp.threads.front(), op,
      "warp " + std::to_string(warp.number) + " reaches lanes " + std::to_string(first) + " to " +
          std::to_string(first + lanesPerWarp - 1) +
          " of tensor memory, and this shape begins at lane " + std::to_string(first) +
          (shape.lanes == lanesPerGroup ? " or " + std::to_string(first + lanesPerGroup) : "") +
          ", but the address is " + toString(address));
  return std::nullopt;
}

/// Checks the access to all columns.
static bool access(Warp &warp, const Op &op, const TensorAddress &address, bool isWrite) {
  Thread &thread = *warp.threads.front();
  const Shape &shape = shapes[op.mode & shapeBits];
  const uint32_t times = op.list.count / shape.registers * (op.mode & isPacked ? 2 : 1);
  const uint32_t agent = isWrite ? storeAgentOf(warp) : loadAgentOf(warp);
  const TensorAccess made =
      tensorAccess(thread, op, agent, isWrite ? ++warp.tensor.stores : ++warp.tensor.loads);
  const TensorOrdering ordering = orderingOf(warp);
  TensorBlock block{groupsOf(address.lane, shape.lanes), address.column, shape.columns * times};
  if (!accessTensor(thread, op, *warp.cta, block, isWrite, made, ordering))
    return false;
  block.first += op.target;
  return (op.mode & shapeBits) != splitShape || op.target == 0 ||
         accessTensor(thread, op, *warp.cta, block, isWrite, made, ordering);
}

/// The words that a register holds: one, or with .pack::16b the lower halves of two.
static void visitWords(const Op &op, const TensorAddress &address, uint32_t lane, uint32_t number,
                       const std::function<void(size_t at, unsigned half)> &visit) {
  const bool isHalf = op.mode & isPacked;
  Cell cell = cellOf(op.mode & shapeBits, lane, number, isHalf ? 0 : op.target);
  if (isHalf)
    cell.column = 2 * cell.column +
                  ((op.mode & shapeBits) == splitShape ? lane / lanesPerGroup * op.target : 0);
  for (unsigned half = 0; half < (isHalf ? 2u : 1u); ++half)
    visit(TensorMemory::at(address.lane + cell.lane, address.column + cell.column + half), half);
}

static bool loadAll(Warp &warp, uint32_t) {
  const Op &op = *warp.threads.front()->waitOp;
  const auto address = addressOf(warp, op);
  if (!address || !access(warp, op, *address, /*isWrite=*/false))
    return false;
  const TensorMemory &tensor = tensorMemoryOf(*warp.cta);
  for (Thread *thread : warp.threads) {
    checkLoads(*thread);
    PendingLoad pending{thread->frames.size(), thread->site(op), {}, {}};
    for (uint32_t number = 0; number < op.list.count; ++number) {
      PendingRegister reg{thread->code->slots[op.list.first + number], 0, true};
      visitWords(op, *address, thread->lane, number, [&](size_t at, unsigned half) {
        const bool isHalf = op.mode & isPacked;
        const uint32_t word = isHalf ? tensor.words[at] & 0xFFFF : tensor.words[at];
        reg.value |= uint64_t(word) << (16 * half);
        reg.isDefined &= (tensor.defined[at] & (isHalf ? 3 : 15)) == (isHalf ? 3 : 15);
      });
      pending.registers.push_back(reg);
    }
    if (const uint32_t reduction = op.mode >> reductionShift)
      pending.registers.push_back(reduced(reduction, op.d, pending.registers));
    thread->tensorLoads.push_back(std::move(pending));
  }
  return true;
}

static bool storeAll(Warp &warp, uint32_t) {
  const Op &op = *warp.threads.front()->waitOp;
  const auto address = addressOf(warp, op);
  if (!address || !access(warp, op, *address, /*isWrite=*/true))
    return false;
  TensorMemory &tensor = tensorMemoryOf(*warp.cta);
  for (const Thread *thread : warp.threads)
    for (uint32_t number = 0; number < op.list.count; ++number) {
      const uint32_t slot = thread->code->slots[op.list.first + number];
      const auto value = uint32_t(thread->values[slot]);
      const uint8_t defined = thread->defined[slot] & 15;
      visitWords(op, *address, thread->lane, number, [&](size_t at, unsigned half) {
        const bool isHalf = op.mode & isPacked;
        tensor.words[at] = isHalf ? value >> (16 * half) & 0xFFFF : value;
        tensor.defined[at] = isHalf ? uint8_t((defined >> (2 * half) & 3) | 12) : defined;
      });
    }
  return true;
}

/// Writes the loaded registers, which may be those of a caller.
static void deliver(Thread &thread) {
  for (const PendingLoad &pending : thread.tensorLoads) {
    if (pending.registers.empty())
      continue; // used, or those of a function that has returned
    const size_t base = thread.frames[pending.frame - 1].values;
    for (const PendingRegister &reg : pending.registers) {
      thread.valueStack[base + reg.slot] = reg.value;
      thread.definedStack[base + reg.slot] = reg.isDefined ? 0xFF : 0;
    }
  }
  thread.tensorLoads.clear();
}

static bool waitForLoads(Warp &warp, uint32_t) {
  for (Thread *thread : warp.threads) {
    deliver(*thread);
    if (warp.tensor.loads)
      thread->vectorClock =
          withClock(thread->vectorClock, warp.cta->number, loadAgentOf(warp), warp.tensor.loads);
  }
  return true;
}

static bool waitForStores(Warp &warp, uint32_t) {
  for (Thread *thread : warp.threads)
    if (warp.tensor.stores)
      thread->vectorClock =
          withClock(thread->vectorClock, warp.cta->number, storeAgentOf(warp), warp.tensor.stores);
  return true;
}

static Step runWarp(Thread &thread, const Op &op) { return waitForWarp(thread, op); }

//===-- Decoding ----------------------------------------------------------------------------===//

/// Takes shape and count; returns the number of registers, or 0.
static uint32_t takeShape(Decoder &decoder) {
  const auto shape = decoder.takeOneOf({"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"});
  const auto count = decoder.takeOneOf({"x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"});
  if (!shape || !count)
    return 0;
  decoder.op.mode = uint32_t(*shape);
  const uint32_t registers = shapes[*shape].registers << *count;
  return registers <= 128 ? registers : 0;
}

/// The modifiers of `.red`, for shapes of 32 bits and at least two registers.
static bool takeReduction(Decoder &decoder, uint32_t registers) {
  const uint32_t shape = decoder.op.mode & shapeBits;
  const auto reduction = takeLoadReduction(decoder);
  if (!reduction || registers < 2 || (shape != 0 && shape != splitShape))
    return false;
  decoder.op.mode |= *reduction << reductionShift;
  return true;
}

/// Takes the modifiers; returns the number of registers, or 0.
static uint32_t takeModifiers(Decoder &decoder, bool isLoad) {
  const uint32_t registers = takeShape(decoder);
  if (!registers || !decoder.take("sync") || !decoder.take("aligned"))
    return 0;
  if (isLoad && decoder.take("red"))
    return takeReduction(decoder, registers) ? registers : 0;
  decoder.op.mode |= decoder.take(isLoad ? "pack::16b" : "unpack::16b") ? isPacked : 0;
  return decoder.take("b32") ? registers : 0;
}

/// The distance of the two halves, as operand `number`.
static bool takeSplit(Decoder &decoder, size_t number) {
  uint64_t split = 0;
  if ((decoder.op.mode & shapeBits) == splitShape &&
      !decoder.integer(decoder.operand(number), split))
    return false;
  if (split >= tensorColumns)
    return decoder.refuseAt(decoder.operand(number).place,
                            "'" + decoder.name() + "': expected a column from 0 to 511");
  decoder.op.target = uint32_t(split);
  return true;
}

bool tilewright::ptx::decodeTensorLoad(Decoder &decoder) {
  Op &op = decoder.op;
  const uint32_t registers = takeModifiers(decoder, /*isLoad=*/true);
  const size_t address = op.mode >> reductionShift ? 2 : 1;
  const bool isSplit = (op.mode & shapeBits) == splitShape;
  op.collective = loadAll;
  op.mayUsePending = true; // loads are executed in order
  if (!registers || !decoder.expectOperands(address + 1 + isSplit))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return takeSplit(decoder, address + 1) &&
         takeTensorAddress(decoder, decoder.operand(address), op.in[0], op.offset) &&
         decoder.destinations(decoder.operand(0), Type::B32, registers, op.list) &&
         (address == 1 || decoder.destination(decoder.operand(1), Type::B32, op.d)) &&
         decoder.finish(runWarp);
}

bool tilewright::ptx::decodeTensorStore(Decoder &decoder) {
  Op &op = decoder.op;
  const uint32_t registers = takeModifiers(decoder, /*isLoad=*/false);
  const bool isSplit = (op.mode & shapeBits) == splitShape;
  op.collective = storeAll;
  if (!registers || !decoder.expectOperands(isSplit ? 3 : 2))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return takeSplit(decoder, 1) &&
         takeTensorAddress(decoder, decoder.operand(0), op.in[0], op.offset) &&
         decoder.sources(decoder.operand(isSplit ? 2 : 1), Type::B32, registers, op.list) &&
         decoder.finish(runWarp);
}

bool tilewright::ptx::decodeTensorWait(Decoder &decoder, bool isLoad) {
  decoder.op.collective = isLoad ? waitForLoads : waitForStores;
  return decoder.take("sync") && decoder.take("aligned") && decoder.expectOperands(0) &&
         decoder.finish(runWarp);
}
