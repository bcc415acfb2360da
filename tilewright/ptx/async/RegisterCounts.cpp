// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setmaxnreg (PTX ISA, 9.7.20.5): warps give registers back to the pool of their CTA, and take
// registers from it. A warp that asks for more than there are waits until another gives some back.
// All warps of a warpgroup have to execute the same instruction.

#include "tilewright/ptx/async/RegisterCounts.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Access.h"
#include "tilewright/ptx/machine/Meet.h"

#include <algorithm>

using namespace tilewright::ptx;

//===-- The pool ----------------------------------------------------------------------------===//

/// Registers are given to warps in groups of 8 for each thread.
static constexpr uint32_t step = 8, registersOfProcessor = 65536, mostOfThread = 256;

uint32_t tilewright::ptx::registersAtEntry(const Function &entry) {
  if (entry.mostRegisters)
    return (*entry.mostRegisters + step - 1) / step * step;
  const auto &block = entry.requiredThreads ? entry.requiredThreads : entry.mostThreads;
  if (!block || !entry.leastCtas)
    return 0;
  const uint64_t threads = uint64_t((*block)[0]) * (*block)[1] * (*block)[2];
  const uint64_t warps = (threads + lanesPerWarp - 1) / lanesPerWarp;
  const uint64_t each =
      registersOfProcessor / std::max<uint64_t>(1, warps * lanesPerWarp * *entry.leastCtas);
  return std::min(mostOfThread, uint32_t(each / step * step));
}

/// Registers of a thread that no warp has; warps that have ended have given theirs back.
static uint32_t freeRegisters(const Cta &cta) {
  uint32_t all = 0, taken = 0;
  const uint32_t each = registersAtEntry(*cta.machine->program.entry);
  for (const Warp &warp : cta.warps) {
    all += each;
    taken += warp.alive() ? warp.registers : 0;
  }
  return all > taken ? all - taken : 0;
}

void tilewright::ptx::wakeForRegisters(Cta &cta) {
  for (auto &thread : cta.threads)
    if (thread->state == State::AtRegisters)
      thread->state = State::Ready;
}

std::string tilewright::ptx::describeRegisterWait(const Thread &thread) {
  return "for " + std::to_string(thread.waitOp->offset) + " registers, where its warp has " +
         std::to_string(thread.warp->registers) + " for each thread and the CTA has " +
         std::to_string(freeRegisters(*thread.cta)) + " left";
}

//===-- The warpgroup -----------------------------------------------------------------------===//

static void reportMissing(Machine &machine, Site site, const Warp &warp, const Warp &ended) {
  Finding finding{Check::Collective, site,
                  "all 4 warps of the warpgroup have to execute this, but warp " +
                      std::to_string(ended.number) + " has ended without it",
                  warp.cta->index, warp.threads.front()->number};
  machine.report(std::move(finding));
}

/// The warps of a warpgroup execute one instruction after the other, the same ones. False after a
/// finding that ends the run.
static bool checkWarpgroup(Warp &warp, const Op &op) {
  Thread &thread = *warp.threads.front();
  const uint32_t first = warp.number / warpsPerGroup * warpsPerGroup;
  if (first + warpsPerGroup > warp.cta->warps.size()) {
    stop(thread, op, Check::Collective,
         "all 4 warps of the warpgroup have to execute this, but some do not exist");
    return false;
  }
  const size_t number = warp.registerChanges.size();
  const Site site = warp.registerChanges.emplace_back(thread.site(op));
  for (uint32_t at = first; at < first + warpsPerGroup; ++at) {
    const Warp &other = warp.cta->warps[at];
    const std::vector<Site> &changes = other.registerChanges;
    if (number >= changes.size() && other.alive() == 0)
      reportMissing(*thread.machine, site, warp, other);
    if (number >= changes.size() || changes[number] == site)
      continue;
    thread.machine->report(Check::Collective, thread, op,
                           "the warps of the warpgroup execute different instructions",
                           {{changes[number], "warp " + std::to_string(at) + " was here"}});
    thread.machine->isStopped = true;
    return false;
  }
  return true;
}

void tilewright::ptx::checkRegisterChanges(const Warp &ended) {
  const auto &warps = ended.cta->warps;
  const size_t first = ended.number / warpsPerGroup * warpsPerGroup;
  const size_t number = ended.registerChanges.size();
  for (size_t other = first; other < std::min(first + warpsPerGroup, warps.size()); ++other)
    if (number < warps[other].registerChanges.size())
      return reportMissing(*ended.cta->machine, warps[other].registerChanges[number], warps[other],
                           ended);
}

//===-- The instruction ---------------------------------------------------------------------===//

static bool changeTogether(Warp &warp, uint32_t) {
  const Op &op = *warp.threads.front()->waitOp;
  if (!checkWarpgroup(warp, op))
    return false;
  if (warp.registers)
    warp.registers = uint32_t(op.offset);
  wakeForRegisters(*warp.cta);
  return true;
}

static Step runDecrease(Thread &thread, const Op &op) { return meetWarp(thread, op); }

/// The first lane takes the registers for its warp.
static Step runIncrease(Thread &thread, const Op &op) {
  Warp &warp = *thread.warp;
  const auto wanted = uint32_t(op.offset);
  if (warp.registers && warp.registers < wanted) {
    if (wanted - warp.registers > freeRegisters(*thread.cta)) {
      thread.state = State::AtRegisters;
      thread.waitOp = &op;
      return Step::Wait;
    }
    warp.registers = wanted;
  }
  return meetWarp(thread, op);
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool decodeRegisterCount(Decoder &decoder) {
  uint64_t count = 0;
  const auto what = decoder.takeOneOf({"inc", "dec"});
  if (!what || !decoder.take("sync") || !decoder.take("aligned") || !decoder.take("u32") ||
      !decoder.expectOperands(1) || !decoder.integer(decoder.operand(0), count))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (count < 24 || count > 256 || count % step)
    return decoder.refuse("'" + decoder.name() +
                          "': expected a multiple of 8 from 24 to 256, found " +
                          std::to_string(count));
  decoder.op.offset = int64_t(count);
  decoder.op.together = changeTogether;
  return decoder.finish(*what == 0 ? runIncrease : runDecrease);
}

std::span<const OpcodeRow> tilewright::ptx::registerCountOpcodes() {
  static constexpr OpcodeRow rows[] = {{"setmaxnreg", decodeRegisterCount}};
  return rows;
}
