// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FactorSlots.h.

#include "tilewright/cpu/plan/FactorSlots.h"
#include "tilewright/cpu/Tuning.h"
#include "tilewright/cpu/plan/Operations.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;

/// The number of columns of tile blocks to interleave, if lhs varies along x and rhs along y.
static int64_t columnsOfBlocks(Operation *product, const MatmulPlan &plan, const Tuning &tuning) {
  if (!plan.shared[0] || !plan.shared[1])
    return 1;
  unsigned left = plan.shared[0]->varies, right = plan.shared[1]->varies;
  if ((left & ~variesAlongZ) != variesAlongX || (right & ~variesAlongZ) != variesAlongY)
    return 1;
  int64_t columns = tileTypeOf(product->getOperand(1)).getShape().back();
  return std::clamp<int64_t>(tuning.interleavedColumns / columns, 1, tuning.mostInterleavedBlocks);
}

/// The number of cache entries: none, if no later block needs the same tiles; one, if the next
/// blocks need the same tiles; one per interleaved column for rhs; several for lhs, if the order of
/// blocks is unknown.
static int64_t slotsOf(const MatmulPlan &plan, unsigned operand, int64_t across,
                       const Tuning &tuning) {
  constexpr unsigned coordinates = variesAlongX | variesAlongY | variesAlongZ;
  unsigned other = plan.shared[1 - operand] ? plan.shared[1 - operand]->varies : 0;
  unsigned varies = plan.shared[operand]->varies;
  bool isOrderKnown =
      !(varies & variesOtherwise) && (varies & coordinates) != (other & coordinates);
  if (isOrderKnown || varies == 0) {
    // Consecutive blocks along x need different lhs tiles.
    bool isNeverReused = operand == 0 && (varies & variesAlongX) && across == 1;
    return isNeverReused ? 0 : operand == 1 ? across : 1;
  }
  return operand == 0 ? tuning.mostInterleavedBlocks : 1;
}

/// Chooses the number of entries for all cached operands; drops those that do not fit.
static int64_t chooseSlots(MatmulPlans &products, const Tuning &tuning) {
  int64_t across = 1, total = 0;
  for (auto &[op, plan] : products)
    across = std::max(across, columnsOfBlocks(op, plan, tuning));
  for (auto &[op, plan] : products)
    for (unsigned operand : {0, 1}) {
      std::optional<SharedOperand> &shared = plan.shared[operand];
      if (!shared)
        continue;
      shared->slots = slotsOf(plan, operand, across, tuning);
      if (shared->slots == 0) {
        shared.reset();
        continue;
      }
      // An entry is no larger than one of the operand that has an entry per interleaved column.
      int64_t slotBytes = tuning.mostCachedOperandBytes / std::max(shared->slots, across);
      shared->slotGroups = slotBytes / shared->groupBytes;
      if (shared->slotGroups == 0 || total + shared->bytes() > tuning.mostCachedBytes)
        shared.reset();
      else
        total += shared->bytes();
    }
  return across;
}

/// The description of the cached operand, without its number of entries.
static std::optional<SharedOperand> sharedOf(Operation *product, unsigned operand,
                                             const MatmulPlan &plan, const LaunchMemory &memory,
                                             const Placements &placements, const Tuning &tuning) {
  if (plan.isInPlace[operand])
    return std::nullopt;
  // Corrections are sums over the iterations that are computed at once.
  int64_t correctionBytes = operand == 1 ? plan.correctionBytes : 0;
  std::optional<SharedOperand> shared =
      sharedOperandOf(product, operand, correctionBytes > 0 && plan.iterations > 1, placements);
  auto isStored = [&](Operation *tensor) { return memory.stored.contains(tensor); };
  if (!shared || llvm::any_of(shared->loaded, isStored))
    return std::nullopt;
  shared->groupBytes = plan.iterations * plan.operandBytes[operand] + correctionBytes;
  return shared;
}

int64_t cpu::shareFactors(MatmulPlans &products, const LaunchMemory &memory,
                          const Placements &placements, const Tuning &tuning) {
  if (!memory.isKnown)
    return 1;
  for (auto &[op, plan] : products)
    for (unsigned operand : {0, 1})
      plan.shared[operand] = sharedOf(op, operand, plan, memory, placements, tuning);
  return chooseSlots(products, tuning);
}
