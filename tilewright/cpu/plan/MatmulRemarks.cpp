// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the plan of a matrix product as remarks. See PlanRemarks.h.

#include "tilewright/codegen/Remarks.h"
#include "tilewright/cpu/plan/PlanRemarks.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cpu;
using codegen::nameAndPlace;
using codegen::remark;
using llvm::formatv;
using mlir::Operation;

static const char *instructionsOf(MmaKind kind) {
  switch (kind) {
  case MmaKind::Fma:
    return "multiply-adds";
  case MmaKind::Bf16Dot:
    return "dot products of two bf16";
  case MmaKind::Int16Dot:
    return "dot products of two i16";
  case MmaKind::Int8Dot:
    return "dot products of four i8";
  case MmaKind::Bf16Tiles:
    return "AMX tiles of bf16";
  case MmaKind::Int8Tiles:
    return "AMX tiles of i8";
  }
  llvm_unreachable("kinds are listed above");
}

/// `isCached`: whether the packed-operand cache has the operand.
static std::string textOf(const OperandPrefetch &prefetch, bool isCached) {
  switch (prefetch.reason) {
  case OperandPrefetchReason::InPlace:
    return "";
  case OperandPrefetchReason::AmxTiles:
    return "not prefetched for the next iteration: the product uses AMX tiles";
  case OperandPrefetchReason::FewColumns:
    return "not prefetched for the next iteration: with few columns, there are hardly more "
           "products than cache lines";
  case OperandPrefetchReason::UnknownTiles:
    return "not prefetched for the next iteration: there is no next tile, or it is unknown in "
           "advance";
  case OperandPrefetchReason::NextTiles:
    return "prefetched into L2 for the next iteration";
  case OperandPrefetchReason::UnlessCached:
    return isCached ? "prefetched into L2 for the next iteration, unless packed words are cached: "
                      "there are few columns"
                    : "prefetched into L2 for the next iteration";
  }
  llvm_unreachable("reasons are listed above");
}

static void remarkOnBlocks(Operation *op, const MatmulPlan &plan) {
  std::string blocks;
  llvm::raw_string_ostream out(blocks);
  llvm::interleave(
      plan.rowBlocks, out,
      [&](const RowBlocks &each) {
        out << each.rows << " x " << plan.sums.columns();
        if (each.unroll > 1)
          out << " (unrolled " << each.unroll << " times)";
      },
      ", then ");
  remark(op->getLoc(),
         formatv("{0}: registers hold blocks of accumulators: {1}", nameOf(op), blocks));
}

void cpu::remarkOnMatmul(Operation *op, const MatmulPlan &plan) {
  auto operand = [&](unsigned number) {
    return plan.isInPlace[number] ? "read in place" : "packed into scratch memory";
  };
  std::string chain;
  llvm::raw_string_ostream(chain) << plan.form.accumulator;
  remark(op->getLoc(),
         formatv("{0}: by {1}, accumulated in {2}; lhs is {3}, rhs is {4}; {5}", nameOf(op),
                 instructionsOf(plan.form.kind), chain, operand(0), operand(1),
                 plan.carried ? "the accumulator is updated in place"
                              : "the accumulator is only read: the result has its own buffer"));
  remarkOnBlocks(op, plan);
  for (unsigned number : {0, 1})
    if (std::string text = textOf(plan.prefetch[number], plan.shared[number].has_value());
        !text.empty())
      remark(op->getLoc(),
             formatv("{0}: {1} is {2}", nameOf(op), number == 0 ? "lhs" : "rhs", text));
  if (plan.inTensor[1])
    remark(op->getLoc(),
           formatv("{0}: rhs is read directly from the tensor (unpacked) if the tile is in bounds, "
                   "the tensor's row stride equals the tile's width, and the launch does not store "
                   "to the tensor",
                   nameOf(op)));
  if (plan.inTensor[0])
    remark(op->getLoc(),
           formatv("{0}: lhs is read directly from the tensor (unpacked) if the tile is in bounds, "
                   "its rows are contiguous, and the launch does not store to the tensor",
                   nameOf(op)));
  for (unsigned number : {0, 1})
    if (const auto &shared = plan.shared[number])
      remark(op->getLoc(),
             formatv("{0}: packed-operand cache for {1}: {2} entr{3} of {4} bytes, shared by the "
                     "tile blocks of a thread, if the launch does not store to its tensor",
                     nameOf(op), number == 0 ? "lhs" : "rhs", shared->slots,
                     shared->slots == 1 ? "y" : "ies", shared->slotBytes()));
  if (plan.finalStore)
    remark(op->getLoc(), formatv("{0}: fused epilogue: the last iteration performs {1} itself if "
                                 "the tile is in bounds",
                                 nameOf(op), nameAndPlace(plan.finalStore->store)));
}
