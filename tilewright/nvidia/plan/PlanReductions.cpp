// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the order in which a reduction combines elements. For each bit of the element number, the
// layout says whether threads differ in it. Combining elements of one thread takes only the body's
// instructions; those of a warp, a shuffle; those of several warps, an exchange with two barriers.

#include "tilewright/analysis/Combiners.h"
#include "tilewright/nvidia/plan/Plan.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;

TileLayout nvidia::layoutOfReduced(const Plan &plan, tile::ReduceOp op) {
  for (Value operand : op.getOperands())
    if (!isRecomputed(operand))
      return plan.layoutOf(operand);
  return plan.layoutOf(op.getOperands()[0]);
}

static ReductionStep::Kind kindOf(Digit digit) {
  if (!digit.isThread)
    return ReductionStep::InThread;
  return digit.isOfWarp() ? ReductionStep::AcrossWarps : ReductionStep::AcrossLanes;
}

/// Removes the bits of the next step from the remaining ones.
static SmallVector<unsigned> takeBits(SmallVector<unsigned> &left, const TileLayout &layout,
                                      bool inAnyOrder) {
  auto kindAt = [&](unsigned bit) { return kindOf(layout.digits[bit]); };
  unsigned *first = left.begin();
  if (inAnyOrder)
    first = std::min_element(left.begin(), left.end(), [&](unsigned a, unsigned b) {
      return std::pair(kindAt(a), a) < std::pair(kindAt(b), b);
    });
  unsigned *end = first + 1;
  if (kindAt(*first) == ReductionStep::AcrossWarps)
    while (end != left.end() && kindAt(*end) == ReductionStep::AcrossWarps)
      ++end;
  SmallVector<unsigned> taken(first, end);
  left.erase(first, end);
  return taken;
}

SmallVector<ReductionStep> nvidia::stepsOf(const Plan &plan, tile::ReduceOp op) {
  bool inAnyOrder = analysis::isOrderFree(op.getBody().front());
  TileLayout layout = layoutOfReduced(plan, op);
  SmallVector<unsigned> left =
      bitsAlong(llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getShape(), op.getDim());
  SmallVector<ReductionStep> steps;
  while (!left.empty()) {
    SmallVector<unsigned> bits = takeBits(left, layout, inAnyOrder);
    steps.push_back({kindOf(layout.digits[bits[0]]), layout, bits});
    for (unsigned &bit : left)
      bit -= llvm::count_if(bits, [&](unsigned gone) { return gone < bit; });
    layout = steps.back().to();
  }
  return steps;
}
