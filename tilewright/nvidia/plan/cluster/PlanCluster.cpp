// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a tile block runs as a cluster of CTAs (Cluster.h).

#include "tilewright/codegen/Remarks.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/nvidia/plan/hints/Hints.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using codegen::nameAndPlace;
using mlir::Operation;
using mlir::Value;

//===-- Parts of tiles ------------------------------------------------------------------------===//

CopiedPart nvidia::partOfOperand(const MatrixProduct &product, bool isLhs, bool isAlongK) {
  const SharedImage image = imageOf(product, isLhs, isAlongK, product.k);
  if (isLhs || product.ctas == 1 || product.form.isOfTensorMemory())
    return {image, isAlongK ? CopiedPart::Rows : CopiedPart::EachRow};
  if (image.panels() == 1 && image.rows / product.ctas % SharedImage::rowsOfSwizzle != 0)
    return {image, CopiedPart::Nothing}; // parts would begin within a swizzle
  if (image.panels() == 1)
    return {{image.rows / product.ctas, image.rowBytes, image.span},
            CopiedPart::Rows,
            image.panelBytes() / product.ctas};
  return {{image.rows, image.rowBytes / product.ctas, image.span},
          CopiedPart::EachRow,
          image.panels() / product.ctas * image.panelBytes()};
}

Digit nvidia::digitOfCta(int64_t threads) {
  return {/*isThread=*/true, unsigned(llvm::Log2_64(uint64_t(threads))) - 1};
}

std::optional<unsigned> nvidia::bitOfCta(const TileLayout &layout) {
  const auto *found = llvm::find(layout.digits, digitOfCta(layout.threads));
  if (found == layout.digits.end())
    return std::nullopt;
  return unsigned(found - layout.digits.begin());
}

bool nvidia::isDividedAmongCtas(const TileLayout &layout) {
  return !layout.digits.empty() && layout.digits.back() == digitOfCta(layout.threads);
}

TileLayout nvidia::layoutOfWritten(const Plan &plan, Value tile, bool isLhs) {
  if (plan.ctas == 1 || !isRecomputed(tile))
    return plan.layoutOf(tile);
  const int64_t elements = elementCountOf(tile);
  return plan.layoutOf(elements,
                       isLhs ? std::optional(llvm::Log2_64(uint64_t(elements)) - 1) : std::nullopt);
}

//===-- The choice ----------------------------------------------------------------------------===//

/// Whether all accumulators would be in registers of a cluster, but are not in those of one CTA.
static bool isTooLarge(const Plan &plan, Operation *op, const MatrixProduct &product) {
  if (product.layout(plan.threads).isInRegisters())
    return false;
  const int64_t threads = plan.threads * ctasOfCluster;
  return llvm::any_of(
      matrixProductsFor(llvm::cast<tile::MatmulOpInterface>(op), plan.target, threads),
      [&](const MatrixProduct &inCluster) { return inCluster.layout(threads).isInRegisters(); });
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

/// Whether each CTA has the scales that it needs.
static bool areInEachCta(const Plan &plan, tile::MmaFScaledOp op, bool isLhs) {
  if (plan.staged.find(op)->second.scales(isLhs).way != StagedOperand::WrittenAhead)
    return true;
  const TileLayout layout = layoutOfWritten(plan, scalesOf(op, isLhs), isLhs);
  return isLhs ? isDividedAmongCtas(layout) : !bitOfCta(layout);
}

/// Why a pair of CTAs cannot compute a product in tensor memory; empty if it can.
static std::string problemOfPair(const Plan &plan, Operation *op, const MatrixProduct &product) {
  if (product.m < rowsOfPair)
    return "its tile has fewer than 256 rows";
  if (product.n > mostColumnsOfPair)
    return "its tile has more than 256 columns";
  if (product.n < leastColumnsOfPair(op))
    return "its tile has fewer than " + std::to_string(leastColumnsOfPair(op)) + " columns";
  if (!plan.tensor.find(op)->isHeld)
    return "its accumulators would not stay in tensor memory during the loop";
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op))
    for (bool isLhs : {true, false})
      if (!areInEachCta(plan, scaled, isLhs))
        return std::string("a CTA would need scales of ") + (isLhs ? "lhs" : "rhs") +
               " that only threads of the other one hold";
  return "";
}

/// Why a pair of CTAs does not compute a product by `tcgen05.mma`.
static std::string problemOfPair(const Plan &plan, Operation *op) {
  auto product = plan.matrices.find(op);
  if (product != plan.matrices.end() && product->second.form.isOfTensorMemory())
    return problemOfPair(plan, op, product->second);
  auto why = plan.tensor.reasons.find(op);
  return "two CTAs could not compute it by tcgen05.mma" +
         (why == plan.tensor.reasons.end() ? "" : ": " + why->second);
}

//===-- Exchanges -----------------------------------------------------------------------------===//

static bool isWhole(const Plan &plan, Value tile) {
  return !tileTypeOf(tile) || isRecomputed(tile) || !bitOfCta(plan.layoutOf(tile));
}

/// Whether each CTA has the source elements of its part of the result. `sourceBits` are those of
/// `sourceBitsOf`.
static bool staysInCta(const TileLayout &from, const TileLayout &to,
                       llvm::ArrayRef<int> sourceBits) {
  const std::optional<unsigned> given = bitOfCta(from), wanted = bitOfCta(to);
  return !given || (wanted && sourceBits[*wanted] == int(*given));
}

static bool staysInCta(const TileLayout &from, const TileLayout &to) {
  const std::optional<unsigned> given = bitOfCta(from);
  return !given || given == bitOfCta(to);
}

static bool staysInCta(const Plan &plan, tile::ReduceOp op) {
  TileLayout last = layoutOfReduced(plan, op);
  for (const ReductionStep &step : stepsOf(plan, op)) {
    if (std::optional<unsigned> bit = bitOfCta(step.from);
        bit && llvm::is_contained(step.bits, *bit))
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
  case ExchangeReason::Multiplied:
    return true;               // see `problemOf` a product
  case ExchangeReason::Shared: // a thread of one CTA has the value
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

//===-- Products ------------------------------------------------------------------------------===//

/// Whether threads hold, of an operand that they copy or write into shared memory of their CTA,
/// what that needs: the rows of lhs that the CTA multiplies, and all of rhs.
static bool isDividedLikeRows(const Plan &plan, Value operand, const StagedOperand &staging,
                              bool isLhs) {
  std::optional<unsigned> bit;
  if (tile::LoadViewOp load = staging.load) {
    auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
    bit = bitOfCta(plan.layoutOfAccess(access));
    if (bit)
      bit = operandBitsOf(operand)[*bit];
  } else {
    bit = bitOfCta(layoutOfWritten(plan, operand, isLhs));
  }
  const unsigned top = llvm::Log2_64(uint64_t(elementCountOf(operand))) - 1;
  return isLhs ? bit == top : !bit;
}

/// Why the CTAs cannot divide a product.
static std::string problemOf(const Plan &plan, tile::MatmulOpInterface op) {
  auto found = plan.matrices.find(op);
  if (found == plan.matrices.end())
    return "it is not computed by matrix instructions";
  const MatrixProduct &product = found->second;
  if (product.isScaled() && !product.form.isOfTensorMemory())
    return "it is block-scaled";
  if (product.batches > 1)
    return "its operands are batches of matrices";
  if (!isDividedAmongCtas(product.layout(plan.threads)))
    return "its rows cannot be divided between two CTAs";
  const Staging &staging = plan.staged.find(op)->second;
  const Ring *ring = plan.roles.ringOf(op);
  for (bool isLhs : {true, false}) {
    const StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
    const bool isInRing = ring && operand.way == StagedOperand::CopiedAhead;
    if (!isInRing && operand.way != StagedOperand::InRegisters &&
        !isDividedLikeRows(plan, isLhs ? op.getLhs() : op.getRhs(), operand, isLhs))
      return std::string("threads of one CTA hold elements of ") + (isLhs ? "lhs" : "rhs") +
             " that the other one needs";
  }
  return "";
}

/// The first problem of a product, and the product.
static std::string
problemOfProducts(const Plan &plan,
                  llvm::function_ref<std::string(tile::MatmulOpInterface)> problemOfOne) {
  std::string problem = "the entry has no product";
  tile::EntryOp(plan.entry).walk([&](tile::MatmulOpInterface product) {
    problem = problemOfOne(product);
    if (!problem.empty())
      problem = nameAndPlace(product) + ": " + problem;
    return problem.empty() ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return problem;
}

//===-- Problems ------------------------------------------------------------------------------===//

static Operation *firstFence(const Plan &plan) {
  Operation *fence = nullptr;
  tile::EntryOp(plan.entry).walk([&](Operation *op) {
    if (!fence && isFence(op))
      fence = op;
  });
  return fence;
}

std::string nvidia::problemInCluster(const Plan &plan) {
  if (std::string problem =
          problemOfProducts(plan, [&](auto product) { return problemOf(plan, product); });
      !problem.empty())
    return problem;
  for (const auto *allocas : {&plan.allocas, &plan.globalAllocas})
    if (!allocas->empty())
      return nameAndPlace(allocas->front().first) + ": its memory is that of one CTA";
  if (Operation *fence = firstFence(plan))
    return nameAndPlace(fence) + " is a fence for one CTA";
  if (!plan.roles.meetings.empty())
    return "a token orders a load that producer warps would copy after " +
           nameAndPlace(*plan.roles.meetings.begin());
  if (Operation *op = firstMoveBetweenCtas(plan))
    return nameAndPlace(op) + " may move elements between the CTAs";
  return "";
}

std::string nvidia::problemOfCluster(const Plan &plan) {
  if (plan.target.capability >= 100)
    if (std::string problem =
            problemOfProducts(plan, [&](auto product) { return problemOfPair(plan, product); });
        !problem.empty())
      return problem;
  return problemInCluster(plan);
}
