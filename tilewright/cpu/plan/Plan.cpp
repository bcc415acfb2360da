// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Plan.h. Values are decided from the last operation to the first, because whether a
// tile is computed again depends on who reads it, and a fused reader passes the question on.

#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

/// A tile that costs no more is computed again for every reader.
static constexpr unsigned cheapEnough = 4;
/// Operations that one value is computed by, and what they may cost: registers are few, and code
/// generation is superlinear in the size of a block.
static constexpr unsigned mostFused = 48, mostFusedCost = 320;

/// An element that comes from memory, in additions.
static constexpr unsigned costOfMemory = 20;

tile::TileType cpu::tileTypeOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type && type.getRank() > 0 ? type : tile::TileType();
}

//===-- What an operation is ------------------------------------------------------------------===//

bool cpu::canFuse(Operation *op) {
  return llvm::isa<tile::ElementwiseOpInterface, tile::RearrangementOpInterface, tile::IotaOp,
                   tile::AssumeOp>(op);
}

/// Whether it reads its operand at other coordinates than those it is read at.
static bool movesElements(Operation *op) { return llvm::isa<tile::RearrangementOpInterface>(op); }

/// Whether an element of the operand is read for several elements of the result.
static bool repeatsElements(Operation *op) {
  auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op);
  return moved && moved.repeatsElements();
}

unsigned cpu::costOf(Operation *op) {
  if (auto elementwise = llvm::dyn_cast<tile::ElementwiseOpInterface>(op))
    return elementwise.getCost();
  return canFuse(op) ? 0 : costOfMemory;
}

/// The cost of an element with all operands that can be fused; reading a buffer is free.
static unsigned treeCost(Value value, unsigned limit) {
  Operation *op = value.getDefiningOp();
  if (!tileTypeOf(value) || !op || !canFuse(op))
    return 0;
  unsigned cost = costOf(op);
  for (Value operand : op->getOperands()) {
    if (cost > limit)
      return cost;
    cost += treeCost(operand, limit - cost);
  }
  return cost;
}

//===-- Who reads it --------------------------------------------------------------------------===//

/// Loops around an operation, up to the entry; bodies of aggregates run many times, too.
static unsigned loopDepth(Operation *op) {
  unsigned depth = 0;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    depth += llvm::isa<mlir::LoopLikeOpInterface>(parent);
  return depth;
}

/// Whether computing the value where it is read is no more work than doing it once. Readers are
/// decided before what they read, so that what was found out about them is still true: without
/// `known`, values that are read twice would double the work at every step.
bool Plan::isReadOnce(Value value, ReadersOnce &known, Operation *&reader) const {
  if (auto found = known.find(value); found != known.end()) {
    reader = found->second.second;
    return found->second.first;
  }
  unsigned moved = 0, inPlace = 0;
  bool once = true;
  reader = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *root = user;
    if (user->getNumResults() == 1 && homes.lookup(user->getResult(0)) == Home::Fused &&
        tileTypeOf(user->getResult(0)))
      once &= !repeatsElements(user) && isReadOnce(user->getResult(0), known, root);
    if (!once)
      break;
    (movesElements(user) ? moved : inPlace) = movesElements(user) ? moved + 1 : 1;
    once &= !reader || !root || reader == root;
    reader = root ? root : reader;
  }
  once &= moved + inPlace <= 1;
  known[value] = {once, reader};
  return once;
}

//===-- Homes ---------------------------------------------------------------------------------===//

Home Plan::homeOfResult(Operation *op, Value result, ReadersOnce &known) const {
  tile::TileType type = tileTypeOf(result);
  if (!type)
    return Home::Register;
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    return constant.getValue().isSplat() && !rowMajor.contains(result) ? Home::Fused
                                                                       : Home::Constant;
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op); load && isReadInOrder(load, known))
    return Home::Fused;
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
      access && access.isAtomic() && result.use_empty())
    return Home::Fused; // nobody wants to know the old values
  if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op);
      reshape && tileTypeOf(reshape.getSource()) &&
      (!analysis::keepsCoordinates(reshape) || rowMajor.contains(result)))
    return Home::Fused; // the same words
  if (!canFuse(op) || rowMajor.contains(result) || catOf(result) || isTurned(op))
    return Home::Buffer;
  if (treeCost(result, cheapEnough) <= cheapEnough)
    return Home::Fused;
  Operation *reader = nullptr;
  if (isReadOnce(result, known, reader) && (!reader || loopDepth(reader) == loopDepth(op)))
    return Home::Fused;
  return Home::Buffer;
}

Home Plan::home(Value value) const {
  auto found = homes.find(value);
  return found == homes.end() ? Home::Register : found->second;
}

void Plan::forEachMaker(Value value, llvm::function_ref<void(Operation *)> visit) const {
  llvm::SmallVector<Value> values = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    visit(op);
    if (tileTypeOf(next) && home(next) == Home::Fused)
      llvm::append_range(values, op->getOperands());
  }
}

void Plan::forEachReader(Value value, llvm::function_ref<void(Operation *)> visit) const {
  llvm::SmallVector<Value> fused = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!fused.empty())
    for (Operation *user : fused.pop_back_val().getUsers()) {
      if (!seen.insert(user).second)
        continue;
      visit(user);
      for (Value result : user->getResults())
        if (home(result) == Home::Fused && tileTypeOf(result))
          fused.push_back(result);
    }
}

/// Whether the tile can be loaded element by element by a product or a permutation, which is the
/// only reader, maybe through fused operations: into the order that it wants, and without a buffer.
bool Plan::isReadInOrder(tile::LoadViewOp load, ReadersOnce &known) const {
  Value result = load.getTile();
  Operation *reader = nullptr;
  if (!isPlainAccess(load) || rowMajor.contains(result) || !isReadOnce(result, known, reader) ||
      !reader)
    return false;
  if (!(isProduct(reader) || turnOf(reader)) || reader->getBlock() != load->getBlock())
    return false;
  // The factors are read once; what they are added to, and scales, are not.
  bool isFactor = true;
  for (Value other : reader->getOperands().drop_front(isProduct(reader) ? 2 : 1))
    forEachMaker(other, [&](Operation *op) { isFactor &= op != load; });
  return isFactor && barriers[numbers.lookup(load).first] == barriers[numbers.lookup(reader).first];
}

void Plan::number(mlir::Block &block) {
  for (Operation &op : block) {
    unsigned mine = operations.size();
    operations.push_back(&op);
    barriers.push_back((barriers.empty() ? 0 : barriers.back()) + analysis::isBarrier(&op));
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        if (!tile::isAggregate(&op) || !analysis::isElementwiseBody(inner))
          number(inner);
    numbers[&op] = {mine, unsigned(operations.size()) - 1};
  }
}

/// What a `continue` carries into the next turn must not read what another operand of it
/// has overwritten, nor its own buffer, that of the argument `own`, at other coordinates.
static bool readsCarried(Value value, mlir::BlockArgument own, bool isInPlace,
                         const llvm::DenseMap<Value, Home> &homes) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return tileTypeOf(value) && argument.getOwner() == own.getOwner() &&
           !(isInPlace && argument == own);
  Operation *op = value.getDefiningOp();
  if (homes.lookup(value) != Home::Fused || !tileTypeOf(value))
    return false;
  isInPlace &= !movesElements(op);
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return readsCarried(operand, own, isInPlace, homes); });
}

Plan::Plan(tile::EntryOp entry, const Target &target) : entry(entry), target(target) {
  number(entry.getBody().front());
  followElements();
  ReadersOnce known;
  for (Operation *op : llvm::reverse(operations))
    for (Value result : op->getResults()) {
      if (mustBeRowMajor(result))
        rowMajor.insert(result);
      homes[result] = homeOfResult(op, result, known);
    }
  for (Operation *op : operations)
    if (tile::isLoop(op))
      for (Value argument : op->getRegion(0).front().getArguments())
        homes[argument] = tileTypeOf(argument) ? Home::Buffer : Home::Register;

  cutChains();
  formGroups();
  assignBuffers();
  layOut();
}

/// Long chains of fused operations are cut, and parallel assignments made safe.
void Plan::cutChains() {
  struct Chain {
    unsigned size = 0, cost = 0;
  };
  llvm::DenseMap<Value, Chain> chains;
  for (Operation *op : operations) {
    if (llvm::isa<tile::ContinueOp>(op)) {
      auto loop = llvm::cast<mlir::LoopLikeOpInterface>(tile::enclosingNonIf(op));
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (homes.lookup(operand.get()) == Home::Fused &&
            readsCarried(operand.get(), loop.getRegionIterArgs()[operand.getOperandNumber()],
                         /*isInPlace=*/true, homes))
          homes[operand.get()] = Home::Buffer;
    }
    if (op->getNumResults() != 1 || homes.lookup(op->getResult(0)) != Home::Fused)
      continue;
    Chain chain = {1, costOf(op)};
    for (Value operand : op->getOperands())
      if (homes.lookup(operand) == Home::Fused) {
        Chain before = chains.lookup(operand);
        chain = {chain.size + before.size, chain.cost + before.cost};
      }
    if ((chain.size > mostFused || chain.cost > mostFusedCost) && canFuse(op)) {
      homes[op->getResult(0)] = Home::Buffer;
      // What reads a fused load is no longer who knows how to load it.
      for (Value operand : op->getOperands())
        forEachMaker(operand, [&](Operation *maker) {
          if (auto load = llvm::dyn_cast<tile::LoadViewOp>(maker))
            homes[load.getTile()] = Home::Buffer;
        });
      chain = {};
    }
    chains[op->getResult(0)] = chain;
  }
}

//===-- Groups --------------------------------------------------------------------------------===//

void Plan::formGroups() {
  llvm::SetVector<mlir::Block *> blocks;
  for (Operation *op : operations)
    blocks.insert(op->getBlock());
  auto hasBuffer = [&](Value value) { return homes.lookup(value) == Home::Buffer; };
  for (mlir::Block *block : blocks) {
    if (tile::isAggregate(block->getParentOp()))
      continue;
    for (Group &group : cpu::groupsOf(*block, hasBuffer)) {
      const Group &kept = groups.emplace_back(std::move(group));
      for (Operation *step : kept.steps)
        groupOfStep[step] = &kept;
    }
  }
  for (const Group &group : groups)
    for (Operation *step : group.steps)
      decideInGroup(group, step);
}

/// What a run computes for itself stays in registers; what the group computes for itself needs
/// memory for one row.
void Plan::decideInGroup(const Group &group, Operation *step) {
  Value result = step->getNumResults() ? step->getResult(0) : Value();
  unsigned run = group.runOf(step);
  if (!result || !tileTypeOf(result) || llvm::isa<tile::ReduceOp>(step) ||
      group.runs[run].isOncePerRow)
    return;
  bool inRun = true, inGroup = true, isIndex = false;
  forEachReader(result, [&](Operation *reader) {
    bool isFused = reader->getNumResults() == 1 && tileTypeOf(reader->getResult(0)) &&
                   homes.lookup(reader->getResult(0)) == Home::Fused;
    if (isFused)
      return;
    inGroup &= group.contains(reader);
    if (auto gather = llvm::dyn_cast<tile::LoadPtrOp>(reader))
      isIndex |= !target.hasFastGather && analysis::contiguousDimension(gather.getSource()) < 0;
    inRun &= group.contains(reader) && group.runOf(reader) == run;
  });
  bool isLoad = llvm::isa<tile::LoadViewOp>(step);
  if (inRun && !(isLoad && isIndex)) // each lane of a gather reads its index by itself
    homes[result] = Home::Loop;
  else if (inGroup && isLoad)
    homes[result] = Home::Fused; // read again from caches: cheaper than a copy
  else if (inGroup && group.hasSeveralRows())
    rowBuffers[result] = group.rowDim;
}
