// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register pool of a CTA, and setmaxnreg in the warps of a warpgroup (PTX ISA, 9.7.20.5).

#include "tilewright/ptx/async/RegisterCounts.h"
#include "tilewright/ptx/machine/Access.h"

#include <algorithm>

using namespace tilewright::ptx;

//===-- The pool ----------------------------------------------------------------------------===//

static constexpr uint32_t step = registerStep, registersOfProcessor = 65536, mostOfThread = 256;

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

uint32_t tilewright::ptx::freeRegisters(const Cta &cta) {
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

bool tilewright::ptx::checkWarpgroup(Warp &warp, const Op &op) {
  Thread &thread = *warp.threads.front();
  const uint32_t first = warp.number / warpsPerGroup * warpsPerGroup;
  if (first + warpsPerGroup > warp.cta->warps.size()) {
    stop(thread, op, Check::Collective,
         "all 4 warps of the warpgroup have to execute this, but some do not exist");
    return false;
  }
  const size_t number = warp.registerChanges.size();
  const RegisterChange change = warp.registerChanges.emplace_back(thread.site(op), op.mode != 0);
  for (uint32_t at = first; at < first + warpsPerGroup; ++at) {
    const Warp &other = warp.cta->warps[at];
    const std::vector<RegisterChange> &changes = other.registerChanges;
    if (number >= changes.size() && other.alive() == 0)
      reportMissing(*thread.machine, change.site, warp, other);
    if (number >= changes.size() || changes[number].isIncrease == change.isIncrease)
      continue;
    thread.machine->report(
        Check::Collective, thread, op,
        "a warp of the warpgroup increases its registers, and another one decreases them",
        {{changes[number].site, "warp " + std::to_string(at) + " was here"}});
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
      return reportMissing(*ended.cta->machine, warps[other].registerChanges[number].site,
                           warps[other], ended);
}
