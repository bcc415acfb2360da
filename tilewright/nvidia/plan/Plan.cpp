// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Plan.h.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
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

TileLayout Plan::blocked(llvm::ArrayRef<unsigned> bits, int64_t width,
                         std::optional<unsigned> bitOfCta) const {
  if (ctas == 1)
    return TileLayout::blocked(bits, threads, width, target.tuning);
  SmallVector<unsigned> ofCta;
  for (unsigned bit : bits)
    if (bit != bitOfCta)
      ofCta.push_back(bit - (bitOfCta && bit > *bitOfCta ? 1 : 0));
  TileLayout layout = TileLayout::blocked(ofCta, threadsOfCta(), width, target.tuning);
  layout.threads = threads;
  if (bitOfCta)
    layout.digits.insert(layout.digits.begin() + *bitOfCta, digitOfCta(threads));
  return layout;
}

std::optional<unsigned> Plan::usualBitOfCta(int64_t elements) const {
  return elements > threads ? std::optional(llvm::Log2_64(uint64_t(elements)) - 1) : std::nullopt;
}

TileLayout Plan::layoutOf(int64_t elements, std::optional<unsigned> bitOfCta) const {
  return blocked(llvm::to_vector(llvm::seq<unsigned>(0, llvm::Log2_64(elements))),
                 std::max<int64_t>(1, target.tuning.defaultWidth), bitOfCta);
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
Plan Plan::settled(tile::EntryOp entry, const Target &target, Limits limits) {
  TensorMemory without;
  llvm::DenseMap<Operation *, std::string> causes;
  while (true) {
    Plan plan(entry, target, without, limits);
    for (auto &[product, reason] : plan.tensor.reasons)
      reason = causes.try_emplace(product, reason).first->second;
    if (plan.isSettled)
      return plan;
    without.notHeld = plan.tensor.notHeld;
    without.written = plan.tensor.written;
    for (const auto &[product, reason] : plan.tensor.reasons)
      if (plan.tensor.find(product)) // others may become possible
        without.reasons.insert({product, reason});
  }
}

/// For the occupancy that a hint asks for, or else the highest one that is possible.
Plan Plan::hinted(tile::EntryOp entry, const Target &target, int64_t inBlock) {
  const std::optional<int64_t> wanted = hintOf(entry, "occupancy", target);
  Plan free = settled(entry, target, {inBlock});
  if (!wanted)
    return free;
  if (wanted == 1)
    return settled(entry, target, {inBlock, wanted});
  for (int64_t ctas = std::min(*wanted, free.possibleOccupancy(0)); ctas > 1; --ctas) {
    Plan plan = settled(entry, target, {inBlock, ctas});
    if (plan.possibleOccupancy(plan.shared.bytes) < ctas)
      continue;
    if (ctas < *wanted)
      plan.refuseOccupancy();
    return plan;
  }
  free.refuseOccupancy();
  return free;
}

/// A cluster, if one is wanted and possible.
Plan Plan::clustered(tile::EntryOp entry, const Target &target) {
  Plan one = hinted(entry, target, 1);
  if (!wantsCluster(one))
    return one;
  Plan cluster = hinted(entry, target, ctasOfCluster);
  std::string problem = problemOfCluster(cluster);
  if (problem.empty())
    return cluster;
  one.refusedHints["num_cta_in_cga"] = std::move(problem);
  return one;
}

Plan::Plan(tile::EntryOp entry, const Target &target) : Plan(clustered(entry, target)) {}

Plan::Plan(tile::EntryOp entry, const Target &target, const TensorMemory &without, Limits limits)
    : entry(entry), target(target), rasterization(rasterizationOf(entry, target)),
      ctas(limits.ctas), idleThreads(limits.idleThreads), occupancy(limits.occupancy),
      tensor(without), mayBeSpecialised(!limits.threads) {
  chooseThreads(*this);
  threads = limits.threads.value_or(threads);
  if (mayBeSpecialised)
    chooseTensorProducts(*this);
  chooseLayouts(*this);
  chooseBarriers(*this);
  Reserved allocated;
  entry.walk([&](tile::AllocaOp op) {
    Reserved &memory = op.getGlobal() ? pool : allocated;
    (op.getGlobal() ? globalAllocas : allocas)[op] = memory.add(bytesOf(op), op.getAlignment());
  });
  chooseStaging(*this);
  if (mayBeSpecialised)
    chooseRoles(*this);
  if (hasClusterBarrier())
    roles.clusterBarrier = ahead.add(Ring::barrierBytes, Reserved::leastAlignment);
  ahead.bytes = llvm::alignTo(ahead.bytes, StagedOperand::alignment);
  isSettled = settleTensorProducts(*this);
  if (!isSettled)
    return;
  chooseDelays(*this);
  pool.bytes = llvm::alignTo(pool.bytes, pool.alignment);
  planRegisters(*this);
  shared.alignment = std::max<int64_t>(StagedOperand::alignment, allocated.alignment);
  int64_t left = sharedLimit() - allocated.bytes - ahead.bytes;
  left = std::max<int64_t>(leastExchangeBytes,
                           llvm::alignDown(std::max<int64_t>(0, left), shared.alignment));
  chooseExchanges(*this, left);
  placeInShared(allocated);
  if (!roles.questions.empty())
    planOtherwise(without);
}

/// If it is not possible for a cluster, one of its CTAs runs it.
void Plan::planOtherwise(const TensorMemory &without) {
  auto planFor = [&](int64_t inBlock) {
    return std::shared_ptr<const Plan>(new Plan(
        entry, target, without,
        {inBlock, occupancy, threadsOfCta() * inBlock, launchedThreads() - threadsOfCta()}));
  };
  otherwise = planFor(ctas);
  if (ctas > 1 && !problemInCluster(*otherwise).empty())
    otherwise = planFor(1);
  shared.bytes = std::max(shared.bytes, otherwise->shared.bytes);
}

/// Allocas, staged operands and mbarriers follow the memory of exchanges.
void Plan::placeInShared(const Reserved &allocated) {
  int64_t scratch = llvm::alignTo(scratchBytes(), shared.alignment);
  for (auto &[op, offset] : allocas)
    offset += scratch;
  for (auto &[op, staging] : staged)
    for (StagedOperand *operand :
         {&staging.lhs, &staging.rhs, &staging.lhsScales, &staging.rhsScales})
      if (!operand->isOfExchange())
        operand->offset += scratch;
  for (auto &[op, ring] : roles.rings)
    ring.barriers += scratch;
  for (auto &[op, store] : roles.stores)
    store.offset += scratch;
  roles.mapsInShared += scratch;
  roles.meetingBarrier += scratch;
  roles.clusterBarrier += scratch;
  for (auto &[op, sums] : tensor.products) {
    sums.ready += scratch;
    sums.done += scratch;
  }
  tensor.address += scratch;
  int64_t behind = allocated.bytes + ahead.bytes; // allocas or staged operands
  shared.bytes = behind ? scratch + behind : scratchBytes();
}

int64_t Plan::slotsOfPiece() const {
  return llvm::bit_floor(uint64_t(std::max<int64_t>(1, target.tuning.pieceRegisters)));
}

const Exchange *Plan::exchangeOf(Operation *op) const {
  auto found = exchanges.find(op);
  return found == exchanges.end() ? nullptr : &found->second;
}

int64_t Plan::scratchBytes() const {
  // The number of the pool's part; a plan that is not specialised has it if the other one has maps.
  int64_t bytes = pool.bytes || !mayBeSpecialised ? 16 : 0;
  for (const auto *each : {&exchanges, &lists})
    for (const auto &[op, exchange] : *each)
      bytes = std::max(bytes, exchange.bytes);
  return bytes;
}
