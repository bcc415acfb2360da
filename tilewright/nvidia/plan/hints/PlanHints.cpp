// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanHints.h.

#include "tilewright/nvidia/plan/hints/PlanHints.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/tile/attributes/Hints.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Operation;

/// Whether the producer copies what this operation loads.
static bool isCopiedByProducer(const Plan &plan, Operation *load) {
  return llvm::any_of(plan.roles.rings, [&](const auto &entry) {
    return llvm::any_of(entry.second.copies,
                        [&](const TensorCopy &copy) { return copy.load == load; });
  });
}

static std::string onMaps(const Plan &plan, Operation *op, bool isAllowed) {
  if (!isAllowed)
    return "honoured: the access does not use TMA";
  if (isCopiedByProducer(plan, op))
    return "honoured: a producer warp copies by tensor maps";
  if (plan.roles.stores.contains(op))
    return "honoured: the tile is copied by a tensor map";
  auto reason = plan.roles.reasons.find(op->getParentOp());
  return "not honoured: the access does not use TMA" +
         (reason == plan.roles.reasons.end() ? "" : ": " + reason->second);
}

/// The loop in which the load is prefetched; null if it is not.
static const Pipeline *pipelineOf(const Plan &plan, Operation *load) {
  for (const auto &[product, staging] : plan.staged)
    for (const StagedOperand *operand : {&staging.lhs, &staging.rhs})
      if (operand->load == load && operand->way == StagedOperand::CopiedAhead)
        return &plan.pipelines.find(product->getParentOp())->second;
  return nullptr;
}

static std::string onLatency(const Plan &plan, Operation *op, int64_t latency) {
  if (!llvm::isa<tile::LoadViewOp, tile::LoadPtrOp>(op))
    return "not honoured: no operation waits for a store";
  const Pipeline *pipeline = pipelineOf(plan, op);
  const int64_t wanted = stagesOfLatency(latency);
  if (!pipeline)
    return wanted == 1 ? "honoured: the load is not prefetched"
                       : "not honoured: the load is not prefetched, as it is no operand of a "
                         "pipelined product";
  if (pipeline->stages > wanted)
    return formatv("not honoured: another load of the loop asks for {0} pipeline stages",
                   pipeline->stages);
  return formatv("honoured: {0} pipeline stages{1}", pipeline->stages,
                 pipeline->stages < wanted ? "; shared memory does not suffice for more" : "");
}

static std::string onWarps(const Plan &plan, int64_t warps) {
  auto problem = plan.refusedHints.find("num_worker_warps_per_cta");
  if (problem != plan.refusedHints.end())
    return "not honoured: " + problem->second;
  return formatv("honoured: {0} warps{1}", plan.threadsOfCta() / 32,
                 clampedWarps(warps) == warps ? "" : ", the nearest possible number");
}

static std::string onOccupancy(const Plan &plan) {
  std::string text;
  if (auto problem = plan.refusedHints.find("occupancy"); problem != plan.refusedHints.end())
    text = "not honoured: " + problem->second;
  if (plan.occupancy)
    text += formatv("{0}: up to {1} registers per thread and {2} bytes of shared memory, for {3} "
                    "CTA{4} per multiprocessor",
                    text.empty() ? "honoured" : "; planned", plan.registersOfThread(),
                    plan.sharedLimit(), *plan.occupancy, *plan.occupancy == 1 ? "" : "s");
  return text;
}

static std::string onCtas(const Plan &plan, int64_t ctas) {
  if (ctas == 1)
    return "honoured: a tile block is one CTA, not a cluster";
  auto problem = plan.refusedHints.find("num_cta_in_cga");
  if (plan.ctas == 1)
    return "not honoured: a tile block is one CTA, not a cluster: " +
           (problem == plan.refusedHints.end()
                ? "clusters are for products by wgmma or tcgen05.mma, and the entry has none"
                : problem->second);
  return formatv("honoured: a tile block is a cluster of {0} CTAs{1}", plan.ctas,
                 plan.ctas == ctas ? "" : ", the nearest possible number");
}

/// Says how a hint that applies is honoured, or why it is not.
static std::string verdictOn(const Plan &plan, Operation *op, const tile::HintForTarget &hint) {
  const int64_t value = numberOf(hint.value);
  if (hint.name == "allow_tma")
    return onMaps(plan, op, value != 0);
  if (hint.name == "latency")
    return onLatency(plan, op, value);
  if (hint.name == "num_worker_warps_per_cta")
    return onWarps(plan, value);
  if (hint.name == "occupancy")
    return onOccupancy(plan);
  return onCtas(plan, value);
}

SmallVector<std::string> nvidia::hintRemarks(const Plan &plan, Operation *op) {
  SmallVector<std::string> texts;
  for (const tile::HintForTarget &hint : tile::hintsOf(op, architectureOf(plan.target)))
    texts.push_back(
        "hint " + toString(hint) + ": " +
        (hint.problem.empty() ? verdictOn(plan, op, hint) : "ignored: " + hint.problem));
  return texts;
}
