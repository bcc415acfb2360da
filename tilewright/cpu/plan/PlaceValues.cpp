// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the placement of each value. Operations are visited from last to first, because whether a
// tile is rematerialized depends on its users, and a fused user's uses count as uses of its
// operands.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/analysis/Matmuls.h"
#include "tilewright/analysis/RowMasks.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Networks.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

namespace {
/// Places the values of one entry.
class Placer {
public:
  Placer(const OperationOrder &order, const NetworkPlan &networks, const Tuning &tuning)
      : order(order), networks(networks), tuning(tuning) {}

  Placements run();

private:
  /// Whether the value is read only once, also through fused operations, and by which operation at
  /// the end of these.
  struct SingleUse {
    bool isOnce = true;
    Operation *user = nullptr;
  };
  void followElements();
  void place(Operation *op, Value result);
  void keep(Operation *op, Value result);
  SingleUse singleUseOf(Value value);
  SingleUse computeSingleUse(Value value);
  Operation *rowMajorUserOf(Value value) const;
  bool isTransposedAtOnce(Operation *op) const;
  bool comesFromMemory(Value value) const;
  bool onlyAddressesRows(Operation *op, Value tile) const;
  Operation *loaderInOrder(tile::LoadViewOp load);
  bool readsCarried(Value value, mlir::BlockArgument own, bool isInPlace) const;
  void keepOverwrittenOperands(tile::ContinueOp op);
  bool isReadOnlyBy(Value value, Operation *reader) const;
  bool loadsRows(Value value) const;
  void updateInPlace(tile::ContinueOp op);
  void cutChains();

  const OperationOrder &order;
  const NetworkPlan &networks;
  const Tuning &tuning;
  Placements places;
  llvm::DenseMap<Value, SingleUse> singleUses;
  /// Tiles that a user needs in memory, as a whole.
  llvm::DenseSet<Value> rowMajor;
  /// Tiles whose elements come from memory; all others are computed from coordinates and scalars.
  llvm::DenseSet<Value> fromMemory;
  llvm::DenseSet<Value> addressing; ///< Tiles that only address rows.
  /// Values that a matmul reads, directly or through operations that can be fused.
  llvm::DenseSet<Value> readByMatmuls;
};
} // namespace

Placements cpu::placeValues(const OperationOrder &order, const NetworkPlan &networks,
                            const Tuning &tuning) {
  return Placer(order, networks, tuning).run();
}

Placements Placer::run() {
  followElements();
  for (Operation *op : llvm::reverse(order.operations()))
    for (Value result : op->getResults())
      place(op, result);
  for (Operation *op : order.operations())
    if (tile::isLoop(op))
      for (Value argument : op->getRegion(0).front().getArguments())
        places.set(argument, tileTypeOf(argument) ? Placement::Buffer : Placement::Register,
                   Reason::Kind);
  cutChains();
  return std::move(places);
}

//===-- Properties of operations --------------------------------------------------------------===//

/// Whether the operation reads its operand at coordinates other than those of its result.
static bool movesElements(Operation *op) { return llvm::isa<tile::RearrangementOpInterface>(op); }

/// Whether several elements of the result read the same element of the operand.
static bool repeatsElements(Operation *op) {
  auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op);
  return moved && moved.repeatsElements();
}

/// The cost of an element including all operands that can be fused; reading a buffer is free.
static int64_t treeCost(Value value, int64_t limit) {
  Operation *op = value.getDefiningOp();
  if (!tileTypeOf(value) || !op || !canFuse(op))
    return 0;
  int64_t cost = costOf(op);
  for (Value operand : op->getOperands()) {
    if (cost > limit)
      return cost;
    cost += treeCost(operand, limit - cost);
  }
  return cost;
}

/// The number of loops around an operation; bodies of aggregates count as loops.
static unsigned loopDepth(Operation *op) {
  unsigned depth = 0;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    depth += llvm::isa<mlir::LoopLikeOpInterface>(parent);
  return depth;
}

/// Whether one test per row can show that all its elements are contiguous and enabled (Accesses.h).
static bool mayBeWholeRows(Operation *access, Value pointers, Value mask) {
  int64_t dim = analysis::contiguousDimension(pointers);
  return llvm::cast<tile::MemoryAccessOpInterface>(access).isWeak() && dim >= 0 &&
         analysis::rowMaskOf(mask, dim).has_value();
}

//===-- Dataflow of elements ------------------------------------------------------------------===//

/// Whether elements of the tile come from memory, and are not computed from coordinates and
/// scalars.
bool Placer::comesFromMemory(Value value) const {
  return tileTypeOf(value) && (llvm::isa<mlir::BlockArgument>(value) || fromMemory.contains(value));
}

/// Forward dataflow: where elements come from. Backward: which values matmuls read.
void Placer::followElements() {
  auto isSplat = [](Operation *op) {
    auto constant = llvm::dyn_cast<tile::ConstantOp>(op);
    return constant && constant.getValue().isSplat();
  };
  for (Operation *op : order.operations())
    if (canFuse(op)
            ? llvm::any_of(op->getOperands(), [&](Value value) { return comesFromMemory(value); })
            : !isSplat(op))
      fromMemory.insert_range(op->getResults());
  for (Operation *op : llvm::reverse(order.operations()))
    if (analysis::isMatmul(op) || (canFuse(op) && readByMatmuls.contains(op->getResult(0))))
      readByMatmuls.insert_range(op->getOperands());
}

//===-- Users of a value ----------------------------------------------------------------------===//

/// Whether computing the value at its uses takes no more work than computing it once. Results are
/// cached in `singleUses`, because otherwise each value with two uses would double the work. They
/// stay valid, because users are placed before their operands.
Placer::SingleUse Placer::singleUseOf(Value value) {
  if (auto found = singleUses.find(value); found != singleUses.end())
    return found->second;
  SingleUse use = computeSingleUse(value);
  return singleUses[value] = use;
}

Placer::SingleUse Placer::computeSingleUse(Value value) {
  unsigned moved = 0, inPlace = 0;
  SingleUse use;
  for (Operation *user : value.getUsers()) {
    Operation *root = user;
    if (user->getNumResults() == 1 && places.of(user->getResult(0)) == Placement::Fused &&
        tileTypeOf(user->getResult(0))) {
      SingleUse next = repeatsElements(user) ? SingleUse{false} : singleUseOf(user->getResult(0));
      use.isOnce &= next.isOnce;
      root = next.user;
    }
    if (!use.isOnce)
      break;
    (movesElements(user) ? moved : inPlace) = movesElements(user) ? moved + 1 : 1;
    use.isOnce &= !use.user || !root || use.user == root;
    use.user = root ? root : use.user;
  }
  use.isOnce &= moved + inPlace <= 1;
  return use;
}

/// An operation that needs the value in memory, as a whole; null if there is none. Users have been
/// visited before, so `rowMajor` is known for them.
Operation *Placer::rowMajorUserOf(Value value) const {
  if (auto readers = networks.readersOf(value); !readers.empty())
    return readers.front();
  for (Operation *op : value.getUsers()) {
    bool needsIt = llvm::isa<tile::PackOp, tile::UnpackOp>(op);
    if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op))
      needsIt = !analysis::keepsCoordinates(reshape) || rowMajor.contains(reshape.getResult());
    if (auto transpose = transposeOf(op, tuning);
        transpose && transpose->form == Transpose::Form::Separate)
      needsIt = places.of(op->getResult(0)) == Placement::Buffer;
    if (needsIt)
      return op;
  }
  return nullptr;
}

/// Whether the permutation is transposed by vector shuffles into a buffer, and not fused: it turns
/// rows into columns, and no product reads it, which would pack it in its own order.
bool Placer::isTransposedAtOnce(Operation *op) const {
  return isTranspose(op) && comesFromMemory(op->getOperand(0)) &&
         !readByMatmuls.contains(op->getResult(0));
}

/// The product or permutation that loads the tile itself, in the order in which it needs the
/// elements, so that the tile needs no buffer. It is the only user, possibly through fused
/// operations. Null if there is none.
Operation *Placer::loaderInOrder(tile::LoadViewOp load) {
  Value result = load.getTile();
  if (!hasContiguousRows(load) || rowMajor.contains(result))
    return nullptr;
  SingleUse use = singleUseOf(result);
  if (!use.isOnce || !use.user)
    return nullptr;
  bool isMatmul = analysis::isMatmul(use.user);
  if (!(isMatmul || isTranspose(use.user)) || use.user->getBlock() != load->getBlock())
    return nullptr;
  // A product reads its operands once; it may read accumulators and scales several times.
  bool isOperand = true;
  for (Value other : use.user->getOperands().drop_front(isMatmul ? 2 : 1))
    places.forEachMaker(other, [&](Operation *op) { isOperand &= op != load; });
  return isOperand && order.mayMove(load, use.user) ? use.user : nullptr;
}

//===-- Placements ----------------------------------------------------------------------------===//

void Placer::place(Operation *op, Value result) {
  Operation *rowMajorUser = rowMajorUserOf(result);
  if (rowMajorUser)
    rowMajor.insert(result);
  if (!tileTypeOf(result))
    return places.set(result, Placement::Register, Reason::Kind);
  if (networks.networkOf(op))
    return networks.isResult(result) ? places.set(result, Placement::Buffer, Reason::NetworkResult)
                                     : places.set(result, Placement::InLoop, Reason::InNetwork);
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op)) {
    bool isSplat = constant.getValue().isSplat() && !rowMajorUser;
    return places.set(result, isSplat ? Placement::Fused : Placement::Constant, Reason::Kind);
  }
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
    if (Operation *loader = loaderInOrder(load)) {
      Reason reason =
          analysis::isMatmul(loader) ? Reason::LoadedByMatmul : Reason::LoadedByTranspose;
      return places.set(result, Placement::Fused, reason, loader);
    }
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  if (access && access.isAtomic() && result.use_empty())
    return places.set(result, Placement::Fused,
                      Reason::NoUser); // the old values have no user
  if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op);
      reshape && tileTypeOf(reshape.getSource()) &&
      (!analysis::keepsCoordinates(reshape) || rowMajorUser))
    return places.set(result, Placement::Fused, Reason::SameWords);
  if (tile::CatOp cat = catOf(result))
    return places.set(result, Placement::Buffer, Reason::PartOfCat, cat.getOperation());
  if (access && access.isLoad())
    return places.set(result, Placement::Buffer, Reason::LoadedOnce);
  if (tile::isLoop(op) || analysis::isMatmul(op))
    return places.set(result, Placement::Buffer, Reason::Kind);
  if (!canFuse(op))
    return places.set(result, Placement::Buffer, Reason::NotElementwise);
  if (rowMajorUser)
    return places.set(result, Placement::Buffer, Reason::RowMajorUser, rowMajorUser);
  if (isTransposedAtOnce(op))
    return places.set(result, Placement::Buffer, Reason::Transposed);
  SingleUse use = singleUseOf(result);
  bool isFusedOnce = use.isOnce && (!use.user || loopDepth(use.user) == loopDepth(op));
  bool isCheap = treeCost(result, tuning.mostCheapCost) <= tuning.mostCheapCost;
  bool addressesRows = onlyAddressesRows(op, result);
  if (addressesRows)
    addressing.insert(result);
  if (addressesRows && !isCheap && !isFusedOnce)
    return places.set(result, Placement::Fused, Reason::AddressesRows);
  if (!isCheap && !isFusedOnce)
    return keep(op, result);
  if (result.use_empty())
    return places.set(result, Placement::Fused, Reason::NoUser);
  if (isFusedOnce && use.user)
    return places.set(result, Placement::Fused, Reason::OneUser, use.user);
  places.set(result, Placement::Fused, Reason::Cheap);
}

/// Whether the tile serves only, possibly through fused tiles, as the pointers or mask of accesses
/// that test whole rows (Accesses.h). If rows are contiguous, such accesses read only the first and
/// the last element of a row.
bool Placer::onlyAddressesRows(Operation *op, Value tile) const {
  return !tile.use_empty() && llvm::all_of(tile.getUses(), [&](mlir::OpOperand &use) {
    Operation *user = use.getOwner();
    if (loopDepth(user) != loopDepth(op))
      return false;
    if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(user))
      return use.get() != load.getPaddingValue() &&
             mayBeWholeRows(user, load.getSource(), load.getMask());
    if (auto store = llvm::dyn_cast<tile::StorePtrOp>(user))
      return use.get() != store.getValue() &&
             mayBeWholeRows(user, store.getDestination(), store.getMask());
    return user->getNumResults() == 1 && addressing.contains(user->getResult(0)) &&
           places.of(user->getResult(0)) == Placement::Fused;
  });
}

/// Places the result in a buffer, and records why it is not computed at its uses.
void Placer::keep(Operation *op, Value result) {
  llvm::SetVector<Operation *> users;
  llvm::SetVector<Value> values;
  values.insert(result);
  bool isRepeated = false;
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      Value next = user->getNumResults() == 1 ? user->getResult(0) : Value();
      if (!next || !tileTypeOf(next) || places.of(next) != Placement::Fused) {
        users.insert(user);
        continue;
      }
      isRepeated |= repeatsElements(user);
      SingleUse use = singleUses.lookup(next);
      if (use.isOnce && use.user)
        users.insert(use.user);
      else
        values.insert(next);
    }
  // In program order.
  llvm::SmallVector<Operation *> inOrder = users.takeVector();
  llvm::sort(inOrder,
             [&](Operation *a, Operation *b) { return order.numberOf(a) < order.numberOf(b); });
  if (inOrder.size() > 1)
    return places.set(result, Placement::Buffer, Reason::SeveralUsers, inOrder);
  bool isInLoop = !inOrder.empty() && loopDepth(inOrder.front()) != loopDepth(op);
  Reason reason = isInLoop     ? Reason::UserInLoop
                  : isRepeated ? Reason::RepeatedElements
                               : Reason::SeveralReads;
  places.set(result, Placement::Buffer, reason, inOrder);
}

//===-- Corrections ---------------------------------------------------------------------------===//

/// Whether the value, which a `continue` passes to `own`, reads loop-carried buffers through fused
/// operations: that of another argument, which may be overwritten first, or its own at other
/// coordinates.
bool Placer::readsCarried(Value value, mlir::BlockArgument own, bool isInPlace) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return tileTypeOf(value) && argument.getOwner() == own.getOwner() &&
           !(isInPlace && argument == own);
  Operation *op = value.getDefiningOp();
  if (places.of(value) != Placement::Fused || !tileTypeOf(value))
    return false;
  isInPlace &= !movesElements(op);
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return readsCarried(operand, own, isInPlace); });
}

void Placer::keepOverwrittenOperands(tile::ContinueOp op) {
  auto loop = llvm::cast<mlir::LoopLikeOpInterface>(tile::enclosingNonIf(op));
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (places.of(operand.get()) == Placement::Fused &&
        readsCarried(operand.get(), loop.getRegionIterArgs()[operand.getOperandNumber()],
                     /*isInPlace=*/true))
      places.set(operand.get(), Placement::Buffer, Reason::CarriedOperand, op.getOperation());
}

/// Whether no other operation reads the value, directly or through fused ones.
bool Placer::isReadOnlyBy(Value value, Operation *reader) const {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user == reader)
      return true;
    Value result = user->getNumResults() == 1 ? user->getResult(0) : Value();
    return result && tileTypeOf(result) && places.of(result) == Placement::Fused &&
           isReadOnlyBy(result, reader);
  });
}

/// Whether the value depends, through fused operations, on a load of contiguous rows that has a
/// buffer and the same shape.
bool Placer::loadsRows(Value value) const {
  bool loads = false;
  places.forEachMaker(value, [&](Operation *maker) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(maker);
    loads |= load && places.of(load.getTile()) == Placement::Buffer && hasContiguousRows(load) &&
             tileTypeOf(load.getTile()).getShape() == tileTypeOf(value).getShape();
  });
  return loads;
}

/// Computes the next value of a loop-carried tile where the program defines it, in place, if only
/// its definition reads the old value: then it can share its loops with the loads it depends on. A
/// definition that reads other elements of the old value has a buffer of its own
/// (keepOverwrittenOperands).
void Placer::updateInPlace(tile::ContinueOp op) {
  for (Value next : op->getOperands()) {
    mlir::BlockArgument carried = carriedBy(next);
    if (!carried || places.of(next) != Placement::Fused || !canFuse(next.getDefiningOp()) ||
        next.getParentBlock() != carried.getOwner() || !loadsRows(next))
      continue;
    Operation *update = next.getDefiningOp();
    if (isReadOnlyBy(carried, update))
      places.set(next, Placement::Buffer, Reason::UpdatesCarried, op.getOperation());
  }
}

/// Cuts long chains of fused operations, and makes the parallel assignments of `continue` safe.
void Placer::cutChains() {
  llvm::DenseMap<Value, int64_t> costs; // of chains of fused operations
  for (Operation *op : order.operations()) {
    if (auto carry = llvm::dyn_cast<tile::ContinueOp>(op)) {
      keepOverwrittenOperands(carry);
      updateInPlace(carry);
    }
    if (op->getNumResults() != 1 || places.of(op->getResult(0)) != Placement::Fused)
      continue;
    int64_t cost = canFuse(op) ? costOf(op) : 0;
    for (Value operand : op->getOperands())
      if (places.of(operand) == Placement::Fused)
        cost += costs.lookup(operand);
    if (cost > tuning.mostFusedCost && canFuse(op)) {
      places.set(op->getResult(0), Placement::Buffer, Reason::LongChain);
      // The user of a fused load is no longer the operation that was to load it.
      for (Value operand : op->getOperands())
        places.forEachMaker(operand, [&](Operation *maker) {
          if (auto load = llvm::dyn_cast<tile::LoadViewOp>(maker))
            places.set(load.getTile(), Placement::Buffer, Reason::LoadedOnce);
        });
      cost = 0;
    }
    costs[op->getResult(0)] = cost;
  }
}

//===-- Placement in groups -------------------------------------------------------------------===//

/// Whether no member of the group computes the tiles, nor, through fused operations, what they
/// depend on.
static bool areKnownAnywhere(llvm::SmallVector<Value> tiles, const FusionGroup &group,
                             const Placements &places) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!tiles.empty()) {
    Value tile = tiles.pop_back_val();
    Operation *op = tile ? tile.getDefiningOp() : nullptr;
    if (!op || !seen.insert(op).second)
      continue;
    if (group.contains(op))
      return false;
    if (tileTypeOf(tile) && places.of(tile) == Placement::Fused)
      llvm::append_range(tiles, op->getOperands());
  }
  return true;
}

/// Whether each loop of the group may repeat this member, a load through pointers that may access
/// whole rows.
static bool mayLoadRowsAgain(Operation *member, const FusionGroup &group, const Placements &places,
                             const Tuning &tuning) {
  auto load = llvm::dyn_cast<tile::LoadPtrOp>(member);
  auto bytesOfRow = [&] {
    mlir::Type element = tileTypeOf(load.getResult()).getElementType();
    return group.innerExtent() * elementwise::wordBytes(element);
  };
  return load && bytesOfRow() >= tuning.leastReloadedRowBytes &&
         mayBeWholeRows(member, load.getSource(), load.getMask()) &&
         analysis::contiguousDimension(load.getSource()) == group.innerDim &&
         areKnownAnywhere({load.getSource(), load.getMask(), load.getPaddingValue()}, group,
                          places);
}

/// A result that is used only in its inner loop stays in registers; one that is used only in its
/// group needs memory for one row.
static void placeInGroup(Placements &places, const FusionGroup &group, const NetworkPlan &networks,
                         Operation *member, const Target &target) {
  Value result = member->getNumResults() ? member->getResult(0) : Value();
  if (group.isSharedRow(member))
    return places.set(result, Placement::Fused, Reason::LoadedAgain);
  unsigned loop = group.loopOf(member);
  if (!result || !tileTypeOf(result) || llvm::isa<tile::ReduceOp>(member) ||
      group.loops[loop].isOncePerRow || !networks.readersOf(result).empty())
    return;
  bool inLoop = true, inGroup = true, isIndex = false, byGathers = true;
  places.forEachUser(result, [&](Operation *reader) {
    bool isFused = reader->getNumResults() == 1 && tileTypeOf(reader->getResult(0)) &&
                   places.of(reader->getResult(0)) == Placement::Fused;
    if (isFused)
      return;
    inGroup &= group.contains(reader);
    auto gather = llvm::dyn_cast<tile::LoadPtrOp>(reader);
    if (gather)
      isIndex |= !target.hasFastGather && analysis::contiguousDimension(gather.getSource()) < 0;
    byGathers &= bool(gather);
    inLoop &= group.contains(reader) && group.loopOf(reader) == loop;
  });
  bool isViewLoad = llvm::isa<tile::LoadViewOp>(member);
  if (inLoop && !(isViewLoad && isIndex)) // each lane of a gather loads its index by itself
    places.set(result, Placement::InLoop, Reason::SharedLoop);
  else if (inGroup &&
           (isViewLoad || (!byGathers && mayLoadRowsAgain(member, group, places, target.tuning))))
    places.set(result, Placement::Fused, byGathers ? Reason::LoadedByGathers : Reason::LoadedAgain);
  else if (inGroup && group.hasSeveralRows())
    places.keepOneRow(result, group.innerDim);
}

void cpu::placeInGroups(Placements &placements, const GroupPlan &groups,
                        const NetworkPlan &networks, const Target &target) {
  for (const FusionGroup &group : groups.all())
    for (Operation *member : group.members)
      placeInGroup(placements, group, networks, member, target);
}
