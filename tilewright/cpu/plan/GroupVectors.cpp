// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the vector width of a group's inner loops, and the number of vectors per iteration.

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

static int64_t widestWord(const InnerLoop &loop) {
  int64_t bytes = 1;
  auto widest = [&](Value value) {
    if (tile::TileType type = tileTypeOf(value))
      bytes = std::max(bytes, elementwise::wordBytes(type.getElementType()));
  };
  for (Operation *member : loop.members) {
    llvm::for_each(member->getOperands(), widest);
    llvm::for_each(member->getResults(), widest);
  }
  return bytes;
}

/// Chooses the number of independent dependence chains. An addition takes several cycles, but
/// several can be in flight. If an element takes much other work, more chains hide its latency,
/// too, if there are enough registers: that is, if each vector takes one register, and no long
/// function needs many. Scans have one chain, but work before the scan can overlap for several
/// vectors. Without reductions or scans, a few vectors share the loop overhead.
static void chooseChains(InnerLoop &loop, int64_t vectors, const Target &target) {
  const Tuning &tuning = target.tuning;
  const bool isLittle = loop.isLittleWork;
  if (!loop.hasReductions() && !loop.isReverse()) {
    loop.chains = isLittle ? std::min(vectors, tuning.independentVectors) : 1;
    return;
  }
  const bool isOneRegister = loop.width * loop.wordBytes <= int64_t(target.vectorBytes);
  const bool hasRoom = target.hasAvx512 && isOneRegister && !loop.hasLongFunction;
  loop.chains = isLittle || hasRoom ? tuning.chains : tuning.chainsOfFewRegisters;
  loop.chainReason = isLittle  ? ChainReason::LittleWork
                     : hasRoom ? ChainReason::ManyRegisters
                               : ChainReason::FewRegisters;
  if (vectors < loop.chains) {
    loop.chains = vectors;
    loop.chainReason = ChainReason::ShortRow;
  }
}

void cpu::chooseVectors(FusionGroup &group, const Target &target) {
  for (InnerLoop &loop : group.loops) {
    if (loop.isOncePerRow)
      continue;
    loop.wordBytes = widestWord(loop);
    loop.isLittleWork = loop.work < target.tuning.leastBusyWork;
    loop.width = std::min(accessLanes(target.tuning, loop.wordBytes), group.innerExtent());
    chooseChains(loop, group.innerExtent() / loop.width, target);
  }
}
