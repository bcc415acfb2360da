// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Accesses.h.

#include "tilewright/cpu/plan/Accesses.h"
#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using mlir::Operation;
using mlir::Value;
using tile::MemoryAccessOpInterface;

//===-- Through views -------------------------------------------------------------------------===//

/// The dimension along which lanes lie: one whose stride is known to be 1, else the last dense one,
/// else the last; -1 if the tile has one element.
static int64_t pickLanes(ArrayRef<int32_t> shape, const KnownAxes &axes) {
  int64_t last = -1, dense = -1, unit = -1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent == 1)
      continue;
    last = dim;
    if (axes[dim].isSparse)
      continue;
    dense = dim;
    if (axes[dim].stride == 1)
      unit = dim;
  }
  return unit >= 0 ? unit : dense >= 0 ? dense : last;
}

/// A view access outside of groups.
static Access planView(MemoryAccessOpInterface op, tile::TileView type, const Tuning &tuning) {
  Access access;
  access.axes = knownAxesOf(op);
  mlir::Type element = type.getTensorView().getElementType();
  auto oneByOne = [&](AccessReason reason) {
    access.reason = reason;
    return access;
  };
  if (llvm::isa<mlir::Float4E2M1FNType>(element))
    return oneByOne(AccessReason::SharedByte);
  if (op.isAtomic() || !op.isWeak() || (op.getLoaded() && !tileTypeOf(op.getLoaded())))
    return oneByOne(AccessReason::Ordered);
  int64_t dim = pickLanes(type.getTileShape(), access.axes);
  if (dim < 0)
    return oneByOne(AccessReason::OneElement);

  access.laneDim = dim;
  access.width = std::min(accessLanes(tuning, elementwise::wordBytes(element)),
                          int64_t(type.getTileShape()[dim]));
  const KnownAxis &axis = access.axes[dim];
  access.outside = axis.isSparse || axis.stride != 1 ? Lanes::Gathered : Lanes::ContiguousMasked;
  if (axis.isSparse || axis.stride.value_or(1) != 1) {
    access.reason = axis.isSparse ? AccessReason::Coordinates : AccessReason::Strided;
    return access;
  }
  bool isKnown = axis.stride && areKnownInside(access.axes);
  access.rows = isKnown ? Rows::Contiguous : Rows::Tested;
  access.reason = isKnown       ? AccessReason::KnownInside
                  : axis.stride ? AccessReason::MaybeAtEdge
                                : AccessReason::UnknownStride;
  return access;
}

/// A member of a group, whose loops determine the number of lanes.
static Access planViewInGroup(MemoryAccessOpInterface op, const FusionGroup &group,
                              const Target &target) {
  Access access;
  access.axes = knownAxesOf(op);
  access.rows = group.rows;
  access.outside = lanesOutside(op);
  access.reason = group.rows == Rows::Contiguous ? AccessReason::GroupContiguous
                  : group.rows == Rows::Tested   ? AccessReason::GroupTested
                                                 : AccessReason::GroupApart;
  auto isSparse = [](const KnownAxis &axis) { return axis.isSparse; };
  access.nonTemporal = nonTemporalOf(
      op, group, group.rows != Rows::Apart && llvm::none_of(access.axes, isSparse), target);
  return access;
}

TileLoads cpu::loadsFusedWith(Value tile, const Placements &placements) {
  TileLoads found;
  placements.forEachMaker(tile, [&](Operation *op) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(op);
    if (load && placements.of(load.getTile()) == Placement::Fused)
      found.loads.push_back(op);
  });
  found.rows = rowsOf(found.loads);
  return found;
}

/// A load that is fused into its reader.
static Access planFusedLoad(MemoryAccessOpInterface op) {
  Access access;
  access.axes = knownAxesOf(op);
  access.rows = rowsOf(op.getOperation());
  access.outside = lanesOutside(op);
  access.reason = AccessReason::LoadedByReader;
  return access;
}

//===-- Through pointers ----------------------------------------------------------------------===//

/// Whether the addresses and the mask of a gather are cheap to compute one by one.
static bool areCheap(tile::LoadPtrOp op, const Placements &placements, const Tuning &tuning) {
  unsigned cost = 0;
  for (Value operand : {Value(op.getSource()), Value(op.getMask())})
    if (operand)
      placements.forEachMaker(operand, [&](Operation *maker) {
        cost += tileTypeOf(maker->getResult(0)) && canFuse(maker) ? costOf(maker) : 0;
      });
  return cost <= tuning.mostScalarAddressCost;
}

static Value maskOf(Operation *op) {
  if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(op))
    return load.getMask();
  auto store = llvm::dyn_cast<tile::StorePtrOp>(op);
  return store ? store.getMask() : Value();
}

/// Whether the tile can be computed at the beginning of a row of the group: it does not depend on
/// loads or reductions of the group, or on buffers that the group writes.
static bool isKnownBefore(Value tile, const FusionGroup &group, const Placements &placements) {
  llvm::SmallVector<Value> values = {tile};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (!op || !seen.insert(op).second)
      continue;
    bool isMember = group.contains(op);
    if (!tileTypeOf(value)) { // A scalar is known, unless it is a result of the group's reductions.
      if (isMember)
        return false;
      continue;
    }
    if (isMember && !(canFuse(op) && placements.of(value) == Placement::InLoop))
      return false;
    if (isMember || placements.of(value) == Placement::Fused)
      llvm::append_range(values, op->getOperands());
  }
  return true;
}

static Access planPointers(MemoryAccessOpInterface op, const FusionGroup *group,
                           const Placements &placements, const Target &target) {
  Access access;
  tile::TileType type = tileTypeOf(op.getAddressed());
  if (!type)
    return access;
  int64_t along = analysis::contiguousDimension(op.getAddressed());
  if (group) {
    access.laneDim = group->innerDim;
    access.width = group->loops[group->loopOf(op)].width;
  } else if (op.isWeak()) {
    access.laneDim = along >= 0 ? along : lastWideDimension(type.getShape());
    access.width =
        access.laneDim < 0 ? 1 : std::min(target.tuning.tileLanes, type.getShape()[access.laneDim]);
  }
  if (access.width == 1) {
    access.reason = AccessReason::PointersInOrder;
    return access;
  }
  bool follow = access.laneDim == along;
  if (follow && group && isKnownBefore(op.getAddressed(), *group, placements) &&
      isKnownBefore(maskOf(op), *group, placements))
    access.rowMask = analysis::rowMaskOf(maskOf(op), along);
  access.reason = access.rowMask ? AccessReason::PointerRows
                  : follow       ? AccessReason::PointersFollow
                                 : AccessReason::PointersApart;
  access.rows = follow ? Rows::Tested : Rows::Apart;
  access.outside = Lanes::Gathered;
  if (group)
    access.nonTemporal = nonTemporalOf(op, *group, access.rowMask.has_value(), target);
  auto load = llvm::dyn_cast<tile::LoadPtrOp>(op.getOperation());
  access.hasScalarAddresses =
      !follow && load && !target.hasFastGather && areCheap(load, placements, target.tuning);
  return access;
}

//===-- Atomic accesses -----------------------------------------------------------------------===//

/// A block runs on one thread at a time, so an atomic update in block scope is a plain load,
/// operation and store, with many updates per iteration where loop overhead would dominate.
static Access planAtomic(MemoryAccessOpInterface op, const Tuning &tuning) {
  Access access;
  access.reason = AccessReason::Atomic;
  bool isExchange = llvm::isa<tile::AtomicCASOp>(op.getOperation());
  if (auto view = llvm::dyn_cast<tile::TileView>(op.getAddressed().getType()))
    access = planView(op, view, tuning);
  if (isExchange || op.getScope() != tile::MemoryScope::TileBlock)
    return access;
  access.reason = AccessReason::BlockOnly;
  access.width = op.isThroughView() ? 1 : tuning.atomicUpdates;
  return access;
}

//===-- All accesses of an entry --------------------------------------------------------------===//

Accesses cpu::planAccesses(const OperationOrder &order, const Placements &placements,
                           const GroupPlan &groups, const Target &target) {
  auto planOne = [&](MemoryAccessOpInterface op) {
    const FusionGroup *group = groups.groupOf(op);
    auto view = llvm::dyn_cast<tile::TileView>(op.getAddressed().getType());
    if (op.isAtomic())
      return planAtomic(op, target.tuning);
    if (!view)
      return planPointers(op, group, placements, target);
    if (group)
      return planViewInGroup(op, *group, target);
    bool isFused = op.getLoaded() && placements.of(op.getLoaded()) == Placement::Fused;
    return isFused ? planFusedLoad(op) : planView(op, view, target.tuning);
  };
  Accesses accesses;
  for (Operation *op : order.operations())
    if (auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op))
      accesses[op] = planOne(access);
  return accesses;
}
