// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a tile block runs as a cluster of CTAs (Cluster.h).

#include "tilewright/codegen/Remarks.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/hints/Hints.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using codegen::nameAndPlace;
using mlir::Operation;
using mlir::Value;

//===-- Parts of tiles ------------------------------------------------------------------------===//

CopiedPart nvidia::partOfOperand(const MatrixProduct &product, bool isLhs, bool isAlongK) {
  const SharedImage image = imageOf(product, isLhs, isAlongK, product.k);
  if (isLhs || product.ctas == 1 || !product.form.isOfWarpgroup())
    return {image, isAlongK};
  assert((image.panels() > 1 || image.rows / product.ctas % SharedImage::rowsOfSwizzle == 0) &&
         "tiles with fewer rows are too small to be copied ahead");
  if (image.panels() == 1)
    return {{image.rows / product.ctas, image.rowBytes, image.span},
            /*dividesRows=*/true,
            image.panelBytes() / product.ctas};
  return {{image.rows, image.rowBytes / product.ctas, image.span},
          /*dividesRows=*/false,
          image.panels() / product.ctas * image.panelBytes()};
}

Digit nvidia::digitOfCta(int64_t threads) {
  return {/*isThread=*/true, unsigned(llvm::Log2_64(uint64_t(threads))) - 1};
}

bool nvidia::isDividedAmongCtas(const TileLayout &layout) {
  return !layout.digits.empty() && layout.digits.back() == digitOfCta(layout.threads);
}

//===-- The choice ----------------------------------------------------------------------------===//

/// Whether `wgmma` would have all accumulators in registers of a cluster, but not of one CTA.
static bool isTooLarge(const Plan &plan, Operation *op, const MatrixProduct &product) {
  return !product.layout(plan.threads).isInRegisters() &&
         warpgroupProductOf(llvm::cast<tile::MatmulOpInterface>(op), plan.target,
                            plan.threads * ctasOfCluster);
}

/// The rows of an instruction for a pair of CTAs, and its most columns (PTX ISA, 9.7.16.2.1).
static constexpr int64_t rowsOfPair = 256, mostColumnsOfPair = 256;

/// The columns of an instruction for a pair are a multiple of this.
static int64_t leastColumnsOfPair(Operation *op) { return llvm::isa<tile::MmaIOp>(op) ? 32 : 16; }

/// Whether a pair of CTAs may compute the product, which one CTA possibly cannot.
static bool mayBeOfPair(const Plan &plan, tile::MatmulOpInterface op) {
  const auto form = tensorProductOf(op, plan.target, plan.threads * ctasOfCluster);
  const auto *product = std::get_if<MatrixProduct>(&form);
  return product && product->m >= rowsOfPair && product->n <= mostColumnsOfPair;
}

static bool anyMayBeOfPair(const Plan &plan) {
  return tile::EntryOp(plan.entry)
      .walk([&](tile::MatmulOpInterface op) {
        return mayBeOfPair(plan, op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

bool nvidia::wantsCluster(const Plan &plan) {
  const bool hasPairs = plan.target.capability >= 100 && plan.target.capability < 120;
  if (plan.target.capability != 90 && !hasPairs)
    return false;
  if (auto hint = hintOf(plan.entry, "num_cta_in_cga", plan.target))
    return *hint > 1;
  if (hasPairs)
    return anyMayBeOfPair(plan);
  return llvm::any_of(plan.matrices, [&](const auto &entry) {
    return isTooLarge(plan, entry.first, entry.second);
  });
}

/// Why a pair of CTAs cannot compute a product in tensor memory; empty if it can.
static std::string problemOfPair(const Plan &plan, Operation *op, const MatrixProduct &product) {
  if (product.m < rowsOfPair)
    return "its tile has fewer than 256 rows";
  if (product.n > mostColumnsOfPair)
    return "its tile has more than 256 columns";
  if (product.n < leastColumnsOfPair(op))
    return "its tile has fewer than " + std::to_string(leastColumnsOfPair(op)) + " columns";
  if (product.isScaled())
    return "it is block-scaled";
  if (!plan.tensor.find(op)->isHeld)
    return "its accumulators do not stay in tensor memory during the loop";
  return "";
}

/// Why the CTAs cannot divide a product.
static std::string problemOf(const Plan &plan, Operation *op) {
  auto product = plan.matrices.find(op);
  const bool isOfTensorMemory =
      product != plan.matrices.end() && product->second.form.isOfTensorMemory();
  if (isOfTensorMemory) {
    if (std::string problem = problemOfPair(plan, op, product->second); !problem.empty())
      return problem;
  } else if (product == plan.matrices.end() || !product->second.form.isOfWarpgroup()) {
    if (plan.target.capability == 90)
      return "it is not computed by wgmma";
    auto why = plan.tensor.reasons.find(op);
    return "it is not computed by tcgen05.mma" +
           (why == plan.tensor.reasons.end() ? "" : ": " + why->second);
  }
  if (!isDividedAmongCtas(product->second.layout(plan.threads)))
    return "its tile has fewer than 128 rows";
  if (const Ring *ring = plan.roles.ringOf(op))
    return ring->copies.size() == 2 ? "" : "a producer does not copy both operands";
  auto reason = plan.roles.reasons.find(op->getParentOp());
  return "no producer copies its operands" +
         (reason == plan.roles.reasons.end() ? "" : ": " + reason->second);
}

static std::string problemOfProducts(const Plan &plan) {
  std::string problem = "the entry has no product";
  tile::EntryOp(plan.entry).walk([&](tile::MatmulOpInterface product) {
    problem = problemOf(plan, product);
    if (!problem.empty())
      problem = nameAndPlace(product) + ": " + problem;
    return problem.empty() ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return problem;
}

//===-- Exchanges -----------------------------------------------------------------------------===//

/// The bit of the element number that is the rank of the CTA; none if each CTA has all elements.
static std::optional<int> bitOfCta(const TileLayout &layout) {
  const auto *found = llvm::find(layout.digits, digitOfCta(layout.threads));
  if (found == layout.digits.end())
    return std::nullopt;
  return int(found - layout.digits.begin());
}

static bool isWhole(const Plan &plan, Value tile) {
  return !tileTypeOf(tile) || isRecomputed(tile) || !bitOfCta(plan.layoutOf(tile));
}

/// Whether each CTA has the source elements of its part of the result. `sourceBits` are those of
/// `sourceBitsOf`.
static bool staysInCta(const TileLayout &from, const TileLayout &to,
                       llvm::ArrayRef<int> sourceBits) {
  const std::optional<int> given = bitOfCta(from), wanted = bitOfCta(to);
  return !given || (wanted && sourceBits[*wanted] == *given);
}

static bool staysInCta(const TileLayout &from, const TileLayout &to) {
  const std::optional<int> given = bitOfCta(from);
  return !given || given == bitOfCta(to);
}

static bool staysInCta(const Plan &plan, tile::ReduceOp op) {
  TileLayout last = layoutOfReduced(plan, op);
  for (const ReductionStep &step : stepsOf(plan, op)) {
    if (llvm::is_contained(step.bits, bitOfCta(step.from)))
      return false;
    last = step.to();
  }
  return llvm::all_of(op.getResults(),
                      [&](Value result) { return staysInCta(last, plan.layoutOf(result)); });
}

static bool staysInCta(const Plan &plan, tile::MemoryAccessOpInterface access) {
  if (Value loaded = access.getLoaded())
    return staysInCta(plan.layoutOfAccess(access), plan.layoutOf(loaded));
  return staysInCta(plan.layoutOf(access.getStored()), plan.layoutOfAccess(access));
}

/// Whether the operation moves no elements between CTAs. Each CTA has shared memory of its own.
static bool staysInCta(const Plan &plan, Operation *op, ExchangeReason reason) {
  switch (reason) {
  case ExchangeReason::Accessed:
    return staysInCta(plan, llvm::cast<tile::MemoryAccessOpInterface>(op));
  case ExchangeReason::Combined:
    return llvm::isa<tile::ReduceOp>(op) && staysInCta(plan, llvm::cast<tile::ReduceOp>(op));
  case ExchangeReason::Rearranged:
    if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op))
      if (auto bits = sourceBitsOf(moved))
        return staysInCta(plan.layoutOf(moved.getMoved()), plan.layoutOf(op->getResult(0)), *bits);
    [[fallthrough]];
  case ExchangeReason::Indexed:
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isWhole(plan, operand); });
  case ExchangeReason::Multiplied: // in memory of exchanges, which a producer does not fill
  case ExchangeReason::Shared:     // a thread of one CTA has the value
  case ExchangeReason::Printed:
    return false;
  }
  llvm_unreachable("all reasons are covered");
}

/// An operation that moves elements between CTAs; null if there is none.
static Operation *firstMoveBetweenCtas(const Plan &plan) {
  for (const auto *each : {&plan.lists, &plan.exchanges})
    for (const auto &[op, exchange] : *each)
      if (!exchange.swaps && !staysInCta(plan, op, exchange.reason))
        return op;
  return nullptr;
}

//===-- Problems ------------------------------------------------------------------------------===//

std::string nvidia::problemOfCluster(const Plan &plan) {
  if (std::string problem = problemOfProducts(plan); !problem.empty())
    return problem;
  assert(plan.allocas.empty() && plan.globalAllocas.empty() && "loads beside them are not copied");
  if (!plan.roles.meetings.empty())
    return "a token orders a copied load after " + nameAndPlace(*plan.roles.meetings.begin());
  if (Operation *op = firstMoveBetweenCtas(plan))
    return nameAndPlace(op) + " may move elements between the CTAs";
  return "";
}
