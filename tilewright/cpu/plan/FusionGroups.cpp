// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FusionGroups.h. An operation joins the current group if it has the group's domain or is
// needed once per row, reads the group's results only in its own row, and no token forbids
// reordering memory accesses row by row (memory model, 4: accesses that no token orders are
// unordered).

#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/analysis/Matmuls.h"
#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/Networks.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;
using tile::MemoryAccessOpInterface;

std::optional<bool> InnerLoop::isReverse() const {
  for (Operation *member : members)
    if (auto scan = llvm::dyn_cast<tile::ScanOp>(member))
      return scan.getReverse();
  return std::nullopt;
}

bool InnerLoop::hasReductions() const {
  return llvm::any_of(members, llvm::IsaPred<tile::ReduceOp>);
}

unsigned FusionGroup::loopOf(Operation *member) const {
  for (auto [number, loop] : llvm::enumerate(loops))
    if (llvm::is_contained(loop.members, member))
      return number;
  llvm_unreachable("every member is in a loop");
}

SmallVector<Operation *> FusionGroup::viewAccesses() const {
  return llvm::to_vector(
      llvm::make_filter_range(members, llvm::IsaPred<tile::LoadViewOp, tile::StoreViewOp>));
}

bool FusionGroup::hasSeveralRows() const {
  for (auto [dim, extent] : llvm::enumerate(domain))
    if (int64_t(dim) != innerDim && extent > 1)
      return true;
  return false;
}

//===-- Reads of a member ---------------------------------------------------------------------===//

namespace {
/// The work per element.
struct Work {
  unsigned cost = 0;
  bool hasLongFunction = false;
};

/// Builds the groups of one basic block.
class Grouping {
public:
  Grouping(const NetworkPlan &networks, llvm::function_ref<bool(Value)> hasBuffer,
           const Tuning &tuning)
      : networks(networks), hasBuffer(hasBuffer), tuning(tuning) {}

  void visit(Operation *op);
  void close();

  std::vector<FusionGroup> groups;

private:
  bool isFull() const { return int64_t(group->members.size()) >= tuning.mostGroupMembers; }
  bool tryToJoin(Operation *op, ArrayRef<int64_t> shape);
  bool tryToJoinAsScalar(Operation *op);
  void start(Operation *op, ArrayRef<int64_t> shape);
  bool isSmallLoad(Operation *op, ArrayRef<int64_t> shape);
  void setAside(Operation *op, ArrayRef<int64_t> shape);
  bool mayShare(Operation *op, ArrayRef<int64_t> domain);
  bool areReadByMembers(Value row);
  bool areReadInRows(Value row);
  SmallVector<Operation *> rowsSharedWith(Operation *op, ArrayRef<int64_t> shape);
  void setUnsharedAside();
  void add(Operation *op, const Work &added, bool isOncePerRow);
  Work workOf(Operation *member);
  bool isTransparent(Operation *op);
  bool allowsAccess(Operation *op);
  bool reachGroup(SmallVector<Value> values);
  bool dependsOnGroup(Operation *op);
  bool capturesFromGroup(Operation *op);
  SmallVector<int64_t> dimensionsOf(ArrayRef<int64_t> shape, bool isInner);
  bool mayRead(Operation *op, ArrayRef<int64_t> dims, bool &afterReduction);
  bool readsInRow(Value value, ArrayRef<int64_t> dims, bool &afterReduction);

  const NetworkPlan &networks;
  llvm::function_ref<bool(Value)> hasBuffer;
  const Tuning &tuning;
  std::optional<FusionGroup> group;
  /// Shared rows of the group that a member reads along another dimension than its rows.
  llvm::SmallPtrSet<Operation *, 4> unshared;
};
} // namespace

static bool isFused(Value value, llvm::function_ref<bool(Value)> hasBuffer) {
  Operation *op = value.getDefiningOp();
  return op && tileTypeOf(value) && canFuse(op) && !hasBuffer(value);
}

/// Given the domain's dimension for each dimension of a reshape's result, returns the same for its
/// source. The reshape must keep coordinates.
static SmallVector<int64_t> dimensionsOfSource(tile::ReshapeOp reshape, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> wide, source;
  for (auto [dim, extent] : llvm::enumerate(tileTypeOf(reshape.getResult()).getShape()))
    if (extent > 1)
      wide.push_back(dims[dim]);
  size_t next = 0;
  for (int64_t extent : llvm::cast<tile::TileType>(reshape.getSource().getType()).getShape())
    source.push_back(extent > 1 ? wide[next++] : -1);
  return source;
}

/// Whether the reader needs results of the group only in its own row. `dims`: the domain's
/// dimension for each dimension of the value, or -1 if its extent is 1. `afterReduction`: set if
/// the value is a reduction's result that is complete only after the current loop.
bool Grouping::readsInRow(Value value, ArrayRef<int64_t> dims, bool &afterReduction) {
  tile::TileType type = tileTypeOf(value);
  Operation *op = value.getDefiningOp();
  if (op && group->contains(op)) {
    if (!type) { // a scalar: the group has one row
      afterReduction |= llvm::is_contained(group->loops.back().members, op);
      return true;
    }
    SmallVector<int64_t> wide;
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      if (extent > 1)
        wide.push_back(dims[dim]);
    if (group->isSharedRow(op)) {
      if (wide != SmallVector<int64_t>({group->innerDim}))
        unshared.insert(op);
      return true;
    }
    bool isPerRow = group->loops[group->loopOf(op)].isOncePerRow || llvm::isa<tile::ReduceOp>(op);
    SmallVector<int64_t> expected;
    for (auto [dim, extent] : llvm::enumerate(group->domain))
      if (extent > 1 && !(isPerRow && int64_t(dim) == group->innerDim))
        expected.push_back(dim);
    afterReduction |=
        llvm::isa<tile::ReduceOp>(op) && llvm::is_contained(group->loops.back().members, op);
    return wide == expected;
  }
  if (op && isAssembled(op))
    return !dependsOnGroup(op);
  if (!type || !isFused(value, hasBuffer))
    return true; // defined before the group
  if (llvm::isa<tile::PermuteOp, tile::ExtractOp>(op))
    return !dependsOnGroup(op);
  if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op)) {
    if (!analysis::keepsCoordinates(reshape))
      return !dependsOnGroup(op);
    return readsInRow(reshape.getSource(), dimensionsOfSource(reshape, dims), afterReduction);
  }
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return readsInRow(operand, dims, afterReduction); });
}

/// Whether any of the values is a result of the group, or depends on one through fused operations.
bool Grouping::reachGroup(SmallVector<Value> values) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (group->contains(op))
      return true;
    if (isFused(value, hasBuffer) || isAssembled(op))
      llvm::append_range(values, op->getOperands());
  }
  return false;
}

bool Grouping::dependsOnGroup(Operation *op) {
  return reachGroup(SmallVector<Value>(op->getOperands()));
}

/// Whether the value supplies coordinates of a view access, one per row.
static bool isCoordinates(Operation *op, Value value) {
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
    return llvm::is_contained(load.getIndex(), value);
  if (auto store = llvm::dyn_cast<tile::StoreViewOp>(op))
    return llvm::is_contained(store.getIndex(), value);
  return false;
}

/// Whether the body of an aggregate uses a result of the group.
bool Grouping::capturesFromGroup(Operation *op) {
  bool captures = false;
  for (mlir::Region &region : op->getRegions())
    region.walk([&](Operation *inner) { captures |= dependsOnGroup(inner); });
  return captures;
}

//===-- Memory --------------------------------------------------------------------------------===//

/// An access may be reordered before later rows of the group's earlier members.
bool Grouping::allowsAccess(Operation *op) {
  auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op);
  if (!access || access.isAtomic())
    return true;
  return llvm::none_of(group->members, [&](Operation *member) {
    auto earlier = llvm::dyn_cast<MemoryAccessOpInterface>(member);
    return earlier && (earlier.isStore() || access.isStore()) &&
           analysis::isOrderedAfter(access.getTokenBefore(), member);
  });
}

//===-- Groups --------------------------------------------------------------------------------===//

static SmallVector<int64_t> wideExtents(ArrayRef<int64_t> shape, int64_t without = -1) {
  SmallVector<int64_t> extents;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent > 1 && int64_t(dim) != without)
      extents.push_back(extent);
  return extents;
}

/// The cost per element of the member and all operations fused into it.
Work Grouping::workOf(Operation *member) {
  Work work;
  SmallVector<Operation *> fused = {member};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!fused.empty()) {
    Operation *op = fused.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    work.cost += canFuse(op) ? costOf(op) : 1;
    work.hasLongFunction |= op->hasTrait<tile::IsLong>();
    for (Value operand : op->getOperands())
      if (isFused(operand, hasBuffer))
        fused.push_back(operand.getDefiningOp());
  }
  return work;
}

void Grouping::add(Operation *op, const Work &added, bool isOncePerRow) {
  group->members.push_back(op);
  if (isOncePerRow)
    group->loops.emplace_back().isOncePerRow = true;
  InnerLoop &loop = group->loops.back();
  loop.members.push_back(op);
  loop.work += added.cost;
  loop.hasLongFunction |= added.hasLongFunction;
}

void Grouping::start(Operation *op, ArrayRef<int64_t> shape) {
  SmallVector<Operation *> rows = rowsSharedWith(op, shape);
  if (rows.empty())
    close();
  group.emplace();
  group->members.assign(rows.begin(), rows.end());
  group->sharedRows.assign(rows.begin(), rows.end());
  group->domain.assign(shape.begin(), shape.end());
  group->innerDim = lastWideDimension(group->domain);
  group->loops.emplace_back();
  add(op, workOf(op), /*isOncePerRow=*/false);
}

/// The domain's dimension for each dimension of a member's tile, as `readsInRow` expects them.
/// `isInner`: the tile has the domain's shape; otherwise the member runs once per row.
SmallVector<int64_t> Grouping::dimensionsOf(ArrayRef<int64_t> shape, bool isInner) {
  if (isInner)
    return llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  SmallVector<int64_t> rows, dims;
  for (auto [dim, extent] : llvm::enumerate(group->domain))
    if (extent > 1 && int64_t(dim) != group->innerDim)
      rows.push_back(dim);
  size_t next = 0;
  for (int64_t extent : shape)
    dims.push_back(extent > 1 ? rows[next++] : -1);
  return dims;
}

/// Whether all operands of the member are defined before the group, or are results of the group in
/// the member's own row.
bool Grouping::mayRead(Operation *op, ArrayRef<int64_t> dims, bool &afterReduction) {
  if (capturesFromGroup(op))
    return false;
  if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op);
      reshape && analysis::keepsCoordinates(reshape))
    return readsInRow(reshape.getSource(), dimensionsOfSource(reshape, dims), afterReduction);
  if (llvm::isa<tile::RearrangementOpInterface>(op) && !llvm::isa<tile::BroadcastOp>(op))
    return !dependsOnGroup(op);
  return llvm::all_of(op->getOperands(), [&](Value value) {
    Operation *definition = value.getDefiningOp();
    if (!tileTypeOf(value)) // a scalar, a view, an index, a token
      return !definition || !group->contains(definition) ||
             llvm::isa<tile::TokenType>(value.getType());
    if (isCoordinates(op, value))
      return !reachGroup({value});
    return readsInRow(value, dims, afterReduction);
  });
}

bool Grouping::tryToJoin(Operation *op, ArrayRef<int64_t> shape) {
  if (!group || isFull() || !allowsAccess(op))
    return false;
  bool isInner = shape == ArrayRef<int64_t>(group->domain);
  bool isPerRow =
      !isInner && canFuse(op) && wideExtents(shape) == wideExtents(group->domain, group->innerDim);
  if (!isInner && !isPerRow)
    return false;
  bool afterReduction = false;
  if (!mayRead(op, dimensionsOf(shape, isInner), afterReduction))
    return false;
  if (auto scan = llvm::dyn_cast<tile::ScanOp>(op)) // a loop has one direction
    afterReduction |= group->loops.back().isReverse() == !scan.getReverse();
  const Work added = workOf(op);
  const InnerLoop &last = group->loops.back();
  if (isInner &&
      (afterReduction || last.isOncePerRow || last.work + added.cost > tuning.mostLoopWork))
    group->loops.emplace_back();
  add(op, added, isPerRow);
  return true;
}

/// A scalar computed from a reduction of a group with a single row joins the group.
bool Grouping::tryToJoinAsScalar(Operation *op) {
  if (!llvm::isa<tile::ElementwiseOpInterface>(op) || tileTypeOf(op->getResult(0)) ||
      group->hasSeveralRows() || isFull() || !dependsOnGroup(op))
    return false;
  add(op, workOf(op), /*isOncePerRow=*/true);
  return true;
}

/// Whether the operation only makes a token of tokens. A loop that carries tokens alone still has
/// effects.
static bool onlyOrders(Operation *op) {
  auto isToken = [](mlir::Type type) { return llvm::isa<tile::TokenType>(type); };
  return op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         isToken(op->getResult(0).getType()) && llvm::all_of(op->getOperandTypes(), isToken) &&
         !llvm::isa<tile::PrintOp>(op);
}

/// Whether the operation may be moved before the group.
bool Grouping::isTransparent(Operation *op) {
  if (onlyOrders(op) || isAssembled(op))
    return true;
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op)) // with another shape, or a scalar
    return load.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak &&
           allowsAccess(op) && !dependsOnGroup(op);
  bool makesTile = llvm::any_of(op->getResults(), [](Value value) { return tileTypeOf(value); });
  bool isFree = tile::onlyComputes(op) && op->getNumRegions() == 0 &&
                (!makesTile || op->hasTrait<mlir::OpTrait::ConstantLike>());
  if (canFuse(op) && tileTypeOf(op->getResult(0)))
    return !hasBuffer(op->getResult(0));
  return (isFree || canFuse(op)) && !dependsOnGroup(op);
}

void Grouping::close() {
  if (!group)
    return;
  setUnsharedAside();
  groups.push_back(std::move(*group));
  group.reset();
}

/// A load of fewer elements than the domain, such as one row for all rows of the group: it may run
/// before the group.
bool Grouping::isSmallLoad(Operation *op, ArrayRef<int64_t> shape) {
  return group && llvm::isa<tile::LoadViewOp>(op) &&
         llvm::product_of(shape) < llvm::product_of(group->domain) && allowsAccess(op) &&
         !dependsOnGroup(op);
}

/// Makes a group of this operation alone, and keeps the current group open.
void Grouping::setAside(Operation *op, ArrayRef<int64_t> shape) {
  std::optional<FusionGroup> underWay = std::exchange(group, std::nullopt);
  auto unsharedUnderWay = std::exchange(unshared, {});
  start(op, shape);
  close();
  group = std::move(underWay);
  unshared = std::move(unsharedUnderWay);
}

//===-- Shared rows ---------------------------------------------------------------------------===//

/// Whether rows of a group with this domain may read the load directly from the kernel's memory: it
/// loads a single contiguous row of the domain, and all its users are operations of this block that
/// compute with the elements.
bool Grouping::mayShare(Operation *op, ArrayRef<int64_t> domain) {
  auto load = llvm::dyn_cast<tile::LoadViewOp>(op);
  int64_t inner = lastWideDimension(domain);
  if (!load || inner < 0 || !hasContiguousRows(op))
    return false;
  ArrayRef<int64_t> shape = tileTypeOf(load.getTile()).getShape();
  int64_t row = lastWideDimension(shape);
  return shape != domain && wideExtents(shape) == SmallVector<int64_t>({domain[inner]}) &&
         knownAxesOf(load)[row].stride == 1 && areReadInRows(load.getTile());
}

/// Whether the tile has users, all users (also those through fused operations) are in its block,
/// and none uses it as coordinates.
bool Grouping::areReadInRows(Value row) {
  return !row.use_empty() && llvm::all_of(row.getUsers(), [&](Operation *user) {
    Value result = user->getNumResults() == 1 ? user->getResult(0) : Value();
    auto reshape = llvm::dyn_cast<tile::ReshapeOp>(
        user); // a reshape that moves elements reads words in memory
    return user->getBlock() == row.getParentBlock() && !networks.networkOf(user) &&
           !isCoordinates(user, row) && (!reshape || analysis::keepsCoordinates(reshape)) &&
           (!result || !isFused(result, hasBuffer) || areReadInRows(result));
  });
}

bool Grouping::areReadByMembers(Value row) {
  return llvm::all_of(row.getUsers(), [&](Operation *user) {
    Value result = user->getNumResults() == 1 ? user->getResult(0) : Value();
    return group->contains(user) ||
           (result && isFused(result, hasBuffer) && areReadByMembers(result));
  });
}

/// If the current group has only loads of rows, and a group that begins with this operation may
/// share all of them: these loads. The operation must read each along its own row. Stores do not
/// begin such a group: alone, a store may become the last step of a product.
SmallVector<Operation *> Grouping::rowsSharedWith(Operation *op, ArrayRef<int64_t> shape) {
  auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op);
  if (!group || (access && access.isStore()) || !group->sharedRows.empty() ||
      llvm::product_of(shape) <= llvm::product_of(group->domain) ||
      !llvm::all_of(group->members, [&](Operation *row) { return mayShare(row, shape); }) ||
      !allowsAccess(op))
    return {};
  FusionGroup sharing;
  sharing.domain.assign(shape.begin(), shape.end());
  sharing.innerDim = lastWideDimension(shape);
  sharing.members = group->members;
  sharing.sharedRows.assign(group->members.begin(), group->members.end());
  sharing.loops.emplace_back();
  std::swap(*group, sharing);
  bool afterReduction = false;
  const bool isReadInRows =
      mayRead(op, dimensionsOf(shape, /*isInner=*/true), afterReduction) && unshared.empty();
  std::swap(*group, sharing);
  unshared.clear(); // the current group has none
  return isReadInRows ? llvm::to_vector_of<Operation *>(group->members)
                      : SmallVector<Operation *>();
}

/// Shared rows with users outside of the group, or that members read along other dimensions, become
/// groups of their own before this one.
void Grouping::setUnsharedAside() {
  SmallVector<Operation *> rows;
  for (Operation *row : group->sharedRows)
    if (unshared.contains(row) || !areReadByMembers(row->getResult(0)))
      rows.push_back(row);
  unshared.clear();
  auto isAside = [&](Operation *member) { return llvm::is_contained(rows, member); };
  llvm::erase_if(group->members, isAside);
  llvm::erase_if(group->sharedRows, isAside);
  for (Operation *row : rows)
    setAside(row, domainOf(row, hasBuffer));
}

void Grouping::visit(Operation *op) {
  if (SmallVector<int64_t> shape = domainOf(op, hasBuffer); !shape.empty()) {
    if (tryToJoin(op, shape))
      return;
    if (group && !isFull() && mayShare(op, group->domain) && allowsAccess(op) &&
        !dependsOnGroup(op)) {
      group->members.push_back(op);
      group->sharedRows.push_back(op);
      return;
    }
    isSmallLoad(op, shape) ? setAside(op, shape) : start(op, shape);
  } else if (group && !tryToJoinAsScalar(op) && !isTransparent(op)) {
    close();
  }
}

//===-- Groups of an entry --------------------------------------------------------------------===//

GroupPlan::GroupPlan(const OperationOrder &order, const NetworkPlan &networks,
                     const Placements &placements, const Target &target) {
  llvm::SetVector<mlir::Block *> blocks;
  for (Operation *op : order.operations())
    if (!tile::isAggregate(op->getParentOp()))
      blocks.insert(op->getBlock());
  auto hasBuffer = [&](Value value) { return placements.of(value) == Placement::Buffer; };
  Grouping grouping(networks, hasBuffer, target.tuning);
  for (mlir::Block *block : blocks) {
    for (Operation &op : *block)
      if (!networks.networkOf(&op))
        grouping.visit(&op);
      else if (networks.placeOf(&op) == &op) // reads results of the current group
        grouping.close();
    grouping.close();
  }
  groups = std::move(grouping.groups);
  for (FusionGroup &group : groups) {
    chooseVectors(group, target);
    group.rows = rowsOf(group.viewAccesses());
  }
  for (auto [number, group] : llvm::enumerate(groups))
    for (Operation *member : group.members)
      groupOfMember[member] = number;
}

const FusionGroup *GroupPlan::groupOf(Operation *op) const {
  auto found = groupOfMember.find(op);
  return found == groupOfMember.end() ? nullptr : &groups[found->second];
}
