// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the operations that move elements between threads, and how much shared memory each takes
// for that.

#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using elementwise::wordBytes;
using mlir::Operation;
using mlir::Value;

static mlir::Type elementTypeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

/// Chunks of a power of two elements, as many as fit.
static Exchange inWindows(ExchangeReason reason, int64_t elements, int64_t bytesOfOne,
                          int64_t most) {
  int64_t window = std::min<int64_t>(elements, llvm::bit_floor(uint64_t(most / bytesOfOne)));
  return {reason, window, elements / window, window * bytesOfOne};
}

/// The operands lie in shared memory unconverted; those that are copied, as a whole.
static std::optional<Exchange> ofMatrices(const MatrixProduct &product, const Staging &staging,
                                          int64_t most) {
  int64_t steps = product.k;
  if (!staging.isWritten()) {
    if (!staging.exchangedBytes())
      return std::nullopt;
    return Exchange{ExchangeReason::Multiplied, steps, 1, staging.exchangedBytes()};
  }
  auto bytesOf = [&](int64_t steps) { return product.bytesOf(steps) + product.scaleBytes(); };
  while (steps > product.steps() && bytesOf(steps) > most)
    steps /= 2;
  return Exchange{ExchangeReason::Multiplied, steps, product.k / steps, bytesOf(steps)};
}

/// Bytes for one step along k of a product by multiply-adds.
static int64_t bytesOfStep(tile::MatmulOpInterface op) {
  auto lhs = tileTypeOf(op.getLhs()).getShape(), rhs = tileTypeOf(op.getRhs()).getShape();
  int64_t k = lhs.back(), lines = llvm::product_of(lhs) / k + llvm::product_of(rhs) / k;
  bool isWide = elementTypeOf(op.getAcc()).isF64() || llvm::isa<tile::MmaFScaledOp>(op);
  return lines * (isWide ? 8 : 4);
}

int64_t nvidia::leastExchangeOf(const Plan &plan, tile::MatmulOpInterface product) {
  auto matrices = plan.matrices.find(product);
  if (matrices == plan.matrices.end())
    return bytesOfStep(product);
  const MatrixProduct &form = matrices->second;
  return form.bytesOf(form.steps()) + form.scaleBytes();
}

/// The number of steps along k for which rows of lhs and columns of rhs fit.
static std::optional<Exchange> ofProduct(tile::MatmulOpInterface op, const Plan &plan,
                                         int64_t most) {
  auto matrices = plan.matrices.find(op);
  if (matrices != plan.matrices.end())
    return ofMatrices(matrices->second, plan.staged.find(op)->second, most);
  int64_t k = tileTypeOf(op.getLhs()).getShape().back(), step = bytesOfStep(op);
  int64_t together = step > most ? 0 : std::min<int64_t>(k, llvm::bit_floor(uint64_t(most / step)));
  if (!together)
    return Exchange{ExchangeReason::Multiplied, 0, 0, 0};
  int64_t bytes = together * step;
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation()))
    for (Value scale : {Value(scaled.getLhsScale()), Value(scaled.getRhsScale())})
      bytes = std::max(bytes,
                       inWindows(ExchangeReason::Multiplied, elementCountOf(scale), 1, most).bytes);
  return Exchange{ExchangeReason::Multiplied, together, k / together, bytes};
}

/// Whether only the first of several threads performs a load or update: those that hold the same
/// element.
static bool isForOneThread(tile::MemoryAccessOpInterface access, const Plan &plan) {
  Value loaded = access.getLoaded();
  return loaded && !(access.isLoad() && access.isWeak()) && !loaded.use_empty() &&
         plan.layoutOf(loaded).isReplicated();
}

static std::optional<Exchange> ofAccess(tile::MemoryAccessOpInterface access, const Plan &plan,
                                        int64_t most) {
  Value tile = access.getLoaded() ? access.getLoaded() : access.getStored();
  if (plan.accessLayouts.contains(access) && !isRecomputed(tile) && !tile.use_empty()) {
    TileLayout from = plan.layoutOfAccess(access), to = plan.layoutOf(tile);
    if (access.getStored())
      std::swap(from, to);
    if (auto swaps = laneSwapsBetween(from, to))
      return Exchange{ExchangeReason::Accessed, elementCountOf(tile), 1, 0, swaps};
    return inWindows(ExchangeReason::Accessed, elementCountOf(tile), wordBytes(elementTypeOf(tile)),
                     most);
  }
  if (isForOneThread(access, plan)) {
    Value loaded = access.getLoaded();
    return inWindows(ExchangeReason::Shared, elementCountOf(loaded),
                     wordBytes(elementTypeOf(loaded)), most);
  }
  return std::nullopt;
}

/// The index list of a sparse dimension; null if there is none. Indices follow the view; a stored
/// tile, which may be the list itself, precedes it.
static Value listOf(Operation *op) {
  bool isBehindView = false;
  for (Value operand : op->getOperands()) {
    isBehindView |= llvm::isa<tile::GatherScatterViewType>(operand.getType());
    if (auto type = tileTypeOf(operand); isBehindView && type && type.getElementType().isInteger())
      return operand;
  }
  return {};
}

/// Needed if the reduction combines elements across warps, or the result has another layout.
static std::optional<Exchange> ofReduction(tile::ReduceOp op, const Plan &plan, int64_t most) {
  int64_t elements = 0, word = 0;
  TileLayout last = layoutOfReduced(plan, op);
  for (const ReductionStep &step : stepsOf(plan, op)) {
    if (step.kind == ReductionStep::AcrossWarps)
      elements = std::max(elements, step.from.elements());
    last = step.to();
  }
  for (Value result : op.getResults())
    if (plan.layoutOf(result) != last)
      elements = std::max(elements, last.elements());
  for (Value operand : op.getOperands())
    word = std::max(word, wordBytes(elementTypeOf(operand)));
  if (!elements)
    return std::nullopt;
  return inWindows(ExchangeReason::Combined, elements, word, most);
}

static std::optional<Exchange> exchangeFor(Operation *op, const Plan &plan, int64_t most) {
  auto all = [&](ExchangeReason reason, Value tile) {
    return inWindows(reason, elementCountOf(tile), wordBytes(elementTypeOf(tile)), most);
  };
  auto largestOperand = [&](ExchangeReason reason) {
    std::optional<Exchange> largest;
    for (Value operand : op->getOperands())
      if (tileTypeOf(operand)) {
        Exchange one = all(reason, operand);
        if (!largest || one.bytes > largest->bytes)
          largest = one;
      }
    return largest;
  };
  if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op)) {
    if (elementCountOf(moved.getMoved()) == 1 || isRecomputed(moved.getMoved()) ||
        slotBitsWithinThread(plan, moved))
      return std::nullopt;
    return all(ExchangeReason::Rearranged, moved.getMoved());
  }
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op))
    return ofReduction(reduce, plan, most);
  if (llvm::isa<tile::ScanOp>(op)) {
    // Each operand is aligned, for which eight operands may take this.
    constexpr int64_t alignment = 8, reservedForAlignment = 8 * alignment;
    int64_t bytes = 0;
    for (Value operand : op->getOperands())
      bytes += wordBytes(elementTypeOf(operand));
    Exchange exchange = inWindows(ExchangeReason::Combined, elementCountOf(op->getOperand(0)),
                                  bytes, most - reservedForAlignment);
    exchange.bytes += alignment * op->getNumOperands();
    return exchange;
  }
  if (auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op))
    return ofProduct(product, plan, most);
  if (llvm::isa<tile::PrintOp>(op))
    return largestOperand(ExchangeReason::Printed);
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return ofAccess(access, plan, most);
  // Other pure operations assemble a tile from elements of several tiles: `cat`, `pack`.
  bool keepsThreads = llvm::isa<tile::ElementwiseOpInterface, tile::AssumeOp>(op);
  if (mlir::isPure(op) && !keepsThreads && !op->hasTrait<mlir::OpTrait::IsTerminator>())
    return largestOperand(ExchangeReason::Rearranged);
  return std::nullopt;
}

/// If registers permit only one CTA per multiprocessor, it may use all shared memory. A hint for
/// the occupancy says what it may use.
void nvidia::chooseExchanges(Plan &plan, int64_t left) {
  const int64_t most = plan.target.tuning.mostExchangeBytes;
  const int64_t usual = plan.occupancy || plan.isAloneWith(plan.heldWords)
                            ? left
                            : std::clamp(most, leastExchangeBytes, left);
  plan.entry.walk([&](Operation *op) {
    if (tile::isAggregate(op->getParentOp()))
      return;
    if (Value list = listOf(op))
      plan.lists[op] = inWindows(ExchangeReason::Indexed, elementCountOf(list),
                                 wordBytes(elementTypeOf(list)), usual);
    auto exchange = exchangeFor(op, plan, usual);
    if (exchange && !exchange->window) // not even one step of a product fits
      exchange = exchangeFor(op, plan, left);
    if (exchange)
      plan.exchanges[op] = *exchange;
  });
}
