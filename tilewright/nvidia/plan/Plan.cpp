// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Plan.h.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using elementwise::wordBytes;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

//===-- Tiles ---------------------------------------------------------------------------------===//

static mlir::Type elementTypeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

bool nvidia::keepsElements(tile::RearrangementOpInterface op) {
  auto shape = llvm::cast<tile::TileType>(op->getResult(0).getType()).getShape();
  if (elementCountOf(op.getMoved()) != elementCountOf(op->getResult(0)))
    return false;
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
  for (auto [extent, stride, step] : llvm::zip_equal(shape, strides, op.getElementSteps()))
    if (extent > 1 && stride != step)
      return false;
  return true;
}

/// Whether the block is in the body of a reduction or scan.
static bool isInBody(mlir::Block *block) {
  return block && tile::isAggregate(block->getParentOp());
}

TileLayout Plan::layoutOf(Value tile) const {
  if (isInBody(tile.getParentBlock()))
    return {elementCountOf(tile), 1, target.tuning};
  auto found = layouts.find(tile);
  return found == layouts.end() ? layoutOf(elementCountOf(tile)) : found->second;
}

TileLayout Plan::layoutOfElements(tile::MemoryAccessOpInterface access) const {
  for (mlir::ValueRange values :
       {mlir::ValueRange(access->getOperands()), mlir::ValueRange(access->getResults())})
    for (Value value : values)
      if (tileTypeOf(value) && !isRecomputed(value))
        return layoutOf(value);
  return layoutOf(elementCountOf(access.getAddressed()));
}

TileLayout Plan::layoutOfAccess(tile::MemoryAccessOpInterface access) const {
  auto found = accessLayouts.find(access);
  if (found != accessLayouts.end())
    return found->second;
  return layoutOf(access.getLoaded() ? access.getLoaded() : access.getStored());
}

static Value accessedTile(tile::MemoryAccessOpInterface access) {
  return access.getLoaded() ? access.getLoaded() : access.getStored();
}

int64_t Plan::runDimensionOf(tile::MemoryAccessOpInterface access) const {
  Value tile = accessedTile(access);
  if (!access.isWeak() || access.isAtomic() || !tileTypeOf(tile))
    return -1;
  auto shape = tileTypeOf(tile).getShape();
  auto isAlongSlots = [&](int64_t dim, const TileLayout &layout) {
    return shape[dim] > 1 && support::strideOf(shape, dim) == layout.step();
  };
  if (!access.isThroughView()) {
    int64_t dim = isRecomputed(access.getAddressed()) ? -1 : contiguousDimensionOf(access);
    return dim >= 0 && isAlongSlots(dim, layoutOfElements(access)) ? dim : -1;
  }
  mlir::Type element = elementTypeOf(tile);
  if (numerics::info(*tile::formatOf(element)).storageBits < 8 * wordBytes(element))
    return -1; // elements of half a byte
  auto view = llvm::cast<tile::TileView>(access.getAddressed().getType());
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (isAlongSlots(dim, layoutOfAccess(access)) && tile::mayBeContiguous(view, dim))
      return dim;
  return -1;
}

int64_t Plan::widthOfAccess(tile::MemoryAccessOpInterface access) const {
  int64_t dim = runDimensionOf(access);
  if (dim < 0)
    return 1;
  auto type = tileTypeOf(accessedTile(access));
  TileLayout layout = access.isThroughView() ? layoutOfAccess(access) : layoutOfElements(access);
  return std::min({layout.width(), 16 / wordBytes(type.getElementType()), type.getShape()[dim]});
}

//===-- Exchanges -----------------------------------------------------------------------------===//

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
  while (steps > product.steps() && product.bytesOf(steps) > most)
    steps /= 2;
  return Exchange{ExchangeReason::Multiplied, steps, product.k / steps, product.bytesOf(steps)};
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
  return matrices == plan.matrices.end() ? bytesOfStep(product)
                                         : matrices->second.bytesOf(matrices->second.steps());
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

//===-- Allocas -----------------------------------------------------------------------------===//

/// Larger than any memory. Sums saturate there, so that none overflows.
static constexpr int64_t endless = int64_t(1) << 48;

/// At least one byte: each alloca has its own address (operations, 7.2).
static int64_t bytesOf(tile::AllocaOp op) {
  auto pointer = llvm::cast<tile::PointerType>(elementTypeOf(op.getResult()));
  if (op.getNumElem() > uint64_t(endless) / 8)
    return endless;
  int64_t bytes =
      numerics::storageBytes(*tile::formatOf(pointer.getPointeeType()), op.getNumElem());
  return std::max<int64_t>(1, bytes);
}

int64_t Reserved::add(int64_t size, int64_t aligned) {
  alignment = std::min(std::max(alignment, aligned), endless);
  int64_t begin = llvm::alignTo(bytes, std::clamp<int64_t>(aligned, leastAlignment, endless));
  bytes = std::min(begin + size, endless);
  return begin;
}

//===-- The plan ------------------------------------------------------------------------------===//

/// Whether a producer can copy the operands of a product depends on all other decisions. If it
/// cannot, these are made again, for `mma.sync`. The first reason against a product is the cause;
/// later ones may follow from it.
Plan Plan::settled(tile::EntryOp entry, const Target &target) {
  TensorMemory without;
  llvm::DenseMap<Operation *, std::string> causes;
  while (true) {
    Plan plan(entry, target, without);
    for (auto &[product, reason] : plan.tensor.reasons)
      reason = causes.try_emplace(product, reason).first->second;
    if (plan.isSettled)
      return plan;
    without.notHeld = plan.tensor.notHeld;
    for (const auto &[product, reason] : plan.tensor.reasons)
      if (plan.tensor.find(product)) // others may become possible
        without.reasons.insert({product, reason});
  }
}

Plan::Plan(tile::EntryOp entry, const Target &target) : Plan(settled(entry, target)) {}

Plan::Plan(tile::EntryOp entry, const Target &target, const TensorMemory &without)
    : entry(entry), target(target), tensor(without) {
  chooseThreads(*this);
  chooseTensorProducts(*this);
  chooseLayouts(*this);
  chooseBarriers(*this);
  Reserved allocated;
  entry.walk([&](tile::AllocaOp op) {
    Reserved &memory = op.getGlobal() ? pool : allocated;
    (op.getGlobal() ? globalAllocas : allocas)[op] = memory.add(bytesOf(op), op.getAlignment());
  });
  chooseStaging(*this);
  chooseRoles(*this);
  isSettled = settleTensorProducts(*this);
  if (!isSettled)
    return;
  pool.bytes = llvm::alignTo(pool.bytes, pool.alignment);
  planRegisters(*this);
  shared.alignment = std::max<int64_t>(StagedOperand::alignment, allocated.alignment);
  int64_t left = target.sharedBytes - allocated.bytes - ahead.bytes;
  left = std::max<int64_t>(leastExchangeBytes,
                           llvm::alignDown(std::max<int64_t>(0, left), shared.alignment));
  // If registers permit only one CTA per multiprocessor, it may use all shared memory.
  const int64_t usual = isAloneWith(heldWords)
                            ? left
                            : std::clamp(target.tuning.mostExchangeBytes, leastExchangeBytes, left);
  entry.walk([&](Operation *op) {
    if (isInBody(op->getBlock()))
      return;
    if (Value list = listOf(op))
      lists[op] = inWindows(ExchangeReason::Indexed, elementCountOf(list),
                            wordBytes(elementTypeOf(list)), usual);
    auto exchange = exchangeFor(op, *this, usual);
    if (exchange && !exchange->window) // not even one step of a product fits
      exchange = exchangeFor(op, *this, left);
    if (exchange)
      exchanges[op] = *exchange;
  });
  placeInShared(allocated);
}

/// Allocas, staged operands and mbarriers follow the memory of exchanges.
void Plan::placeInShared(const Reserved &allocated) {
  int64_t scratch = llvm::alignTo(scratchBytes(), shared.alignment);
  for (auto &[op, offset] : allocas)
    offset += scratch;
  for (auto &[op, staging] : staged)
    for (StagedOperand *operand : {&staging.lhs, &staging.rhs})
      if (!operand->isOfExchange())
        operand->offset += scratch;
  for (auto &[op, ring] : roles.rings)
    ring.barriers += scratch;
  for (auto &[op, store] : roles.stores)
    store.offset += scratch;
  roles.mapsInShared += scratch;
  roles.meetingBarrier += scratch;
  for (auto &[op, sums] : tensor.products) {
    sums.ready += scratch;
    sums.done += scratch;
  }
  tensor.address += scratch;
  int64_t behind = allocated.bytes + ahead.bytes; // allocas or staged operands
  shared.bytes = behind ? scratch + behind : scratchBytes();
}

/// They are allocated in units of 8.
int64_t Plan::registersOfThread() const {
  constexpr int64_t mostOfIsa = 255;
  const int64_t ofThread = Target::registers / launchedThreads();
  return ofThread < mostOfIsa ? llvm::alignDown(ofThread, 8) : mostOfIsa;
}

std::optional<int64_t> Plan::registerLimit() const {
  constexpr int64_t warpgroup = 128;
  const int64_t rounded = Target::registers / int64_t(llvm::alignTo(launchedThreads(), warpgroup));
  return rounded < registersOfThread() ? std::optional(registersOfThread()) : std::nullopt;
}

bool Plan::isAloneWith(int64_t words) const {
  return 100 * words * threads >= target.tuning.alonePercent * Target::registers;
}

int64_t Plan::slotsOfPiece() const {
  return llvm::bit_floor(uint64_t(std::max<int64_t>(1, target.tuning.pieceRegisters)));
}

const Exchange *Plan::exchangeOf(Operation *op) const {
  auto found = exchanges.find(op);
  return found == exchanges.end() ? nullptr : &found->second;
}

int64_t Plan::scratchBytes() const {
  int64_t bytes = pool.bytes ? 16 : 0; // the number of the pool's part
  for (const auto *each : {&exchanges, &lists})
    for (const auto &[op, exchange] : *each)
      bytes = std::max(bytes, exchange.bytes);
  return bytes;
}
