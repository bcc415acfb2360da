// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts barriers. A function over whole vectors executes its operations in order, but its threads
// run independently. So a barrier is inserted between two accesses to the same memory if one of
// them writes, unless both access the same elements in the same layout and each element has one
// owner: then every thread uses only its own elements.
//
// One walk in program order tracks the accesses since the last barrier. A loop body is also entered
// from its own end, so it starts with all of its accesses. All threads have to reach a barrier:
// none may be in divergent control flow.
//
// Memory is distinguished by its origin: different function arguments and different allocations do
// not alias. Memory of any other origin, such as a global or a select, may alias any memory.

#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/layout/distribute/Divergence.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// The elements that threads access, if each thread accesses only its own.
struct Place {
  NestedLayoutAttr layout; ///< null: any thread may access any element
  Value source;
  SmallVector<Value> indices;
  AffineMap map;

  bool operator==(const Place &other) const = default;
};

struct Access {
  Value memory;
  bool writes = false;
  Place place;
};

/// The accesses to one memory since the last barrier.
struct Since {
  bool read = false, written = false;
  std::optional<Place> place; ///< common to all accesses; none if they differ
};

using History = llvm::MapVector<Value, Since>;

} // namespace

// --- Accesses -------------------------------------------------------------------------

/// The origin of the memory; null if it is unknown and may be any memory.
static Value memoryOf(Value source) {
  while (auto view = source.getDefiningOp<ViewLikeOpInterface>())
    source = view.getViewSource();
  if (source.getDefiningOp<memref::AllocOp>())
    return source;
  auto argument = dyn_cast<BlockArgument>(source);
  bool ofFunction = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return ofFunction ? source : Value();
}

/// Whether different indices never alias: all strides are known, and each exceeds the reach of the
/// smaller ones.
static bool hasOwnPlaces(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)) || !type.hasStaticShape() ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return false;
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape()))
    if (size > 1)
      dims.push_back({stride, size});
  llvm::sort(dims);
  int64_t reach = 1;
  for (auto [stride, size] : dims) {
    if (stride < reach)
      return false;
    reach = stride * size;
  }
  return true;
}

template <typename TransferOp>
static Access transferAccess(TransferOp transfer, Value vector, bool writes,
                             const LayoutMap &layouts, Workgroup workgroup) {
  Access access{memoryOf(transfer.getBase()), writes, {}};
  NestedLayoutAttr layout = nestedLayoutOf(vector, layouts);
  auto type = dyn_cast<MemRefType>(transfer.getBase().getType());
  if (layout && type && hasOwnPlaces(type) && ownerCount(layout.getLayout(), workgroup) == 1)
    access.place = {layout, transfer.getBase(), llvm::to_vector(transfer.getIndices()),
                    transfer.getPermutationMap()};
  return access;
}

/// The accesses of an operation itself, without those in its regions.
static SmallVector<Access, 2> accessesOf(Operation *op, const LayoutMap &layouts,
                                         Workgroup workgroup) {
  using Accesses = SmallVector<Access, 2>;
  return llvm::TypeSwitch<Operation *, Accesses>(op)
      .Case([&](vector::TransferReadOp read) {
        return Accesses{transferAccess(read, read.getVector(), false, layouts, workgroup)};
      })
      .Case([&](vector::TransferWriteOp write) {
        return Accesses{transferAccess(write, write.getValueToStore(), true, layouts, workgroup)};
      })
      .Default([](Operation *other) {
        Accesses accesses;
        if (llvm::none_of(other->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
          return accesses;
        std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
            getEffectsRecursively(other);
        for (Value operand : other->getOperands()) {
          if (!isa<BaseMemRefType>(operand.getType()) || isa<ViewLikeOpInterface>(other))
            continue;
          auto touches = [&]<typename Effect>() {
            return !effects || llvm::any_of(*effects, [&](const auto &effect) {
              return isa<Effect>(effect.getEffect()) &&
                     (!effect.getValue() || effect.getValue() == operand);
            });
          };
          bool writes = touches.template operator()<MemoryEffects::Write>() ||
                        touches.template operator()<MemoryEffects::Free>();
          if (writes || touches.template operator()<MemoryEffects::Read>())
            accesses.push_back({memoryOf(operand), writes, {}});
        }
        return accesses;
      });
}

static bool conflicts(const Since &since, const Access &access) {
  if (!since.written && !(access.writes && since.read))
    return false;
  return !access.place.layout || !since.place || !(*since.place == access.place);
}

/// Memory of unknown origin conflicts with every memory.
static bool conflicts(const History &history, const Access &access) {
  if (!access.memory)
    return llvm::any_of(history,
                        [&](const auto &entry) { return conflicts(entry.second, access); });
  for (Value memory : {access.memory, Value()})
    if (auto found = history.find(memory);
        found != history.end() && conflicts(found->second, access))
      return true;
  return false;
}

static void add(History &history, const Access &access) {
  auto [entry, fresh] = history.insert({access.memory, {}});
  Since &since = entry->second;
  if (fresh && access.place.layout)
    since.place = access.place;
  else if (!since.place || !(*since.place == access.place))
    since.place.reset();
  (access.writes ? since.written : since.read) = true;
}

static void add(History &history, const History &more) {
  for (const auto &[memory, since] : more) {
    Place place = since.place.value_or(Place());
    if (since.read)
      add(history, {memory, false, place});
    if (since.written)
      add(history, {memory, true, place});
  }
}

// --- The walk -------------------------------------------------------------------------

namespace {

class Order {
public:
  Order(func::FuncOp function, const LayoutMap &layouts, Workgroup workgroup)
      : layouts(layouts), workgroup(workgroup), divergence(function) {}

  LogicalResult visit(Region &region, History &history);

private:
  LogicalResult visit(Operation *op, History &history);
  LogicalResult visitRegions(Operation *op, History &history);
  LogicalResult visitParted(Operation *op, History &history);
  bool needsAllThreads(Operation *op);
  void separate(Operation *op, const History &history, History &since);
  History allOf(Operation *op);

  const LayoutMap &layouts;
  Workgroup workgroup;
  Divergence divergence;
};

} // namespace

/// The accesses of an operation including its regions. In another iteration their indices differ,
/// unless they are computed outside.
History Order::allOf(Operation *op) {
  History all;
  op->walk([&](Operation *inner) {
    for (Access &access : accessesOf(inner, layouts, workgroup)) {
      auto moves = [&](Value value) {
        return op->isAncestor(value.getParentRegion()->getParentOp());
      };
      if (access.place.source &&
          (moves(access.place.source) || llvm::any_of(access.place.indices, moves)))
        access.place = {};
      add(all, access);
    }
  });
  return all;
}

/// Inserts a barrier before an operation if its accesses conflict with earlier ones.
void Order::separate(Operation *op, const History &accessed, History &history) {
  bool separated = llvm::any_of(accessed, [&](const auto &entry) {
    auto [memory, since] = entry;
    Place place = since.place.value_or(Place());
    return (since.read && conflicts(history, {memory, false, place})) ||
           (since.written && conflicts(history, {memory, true, place}));
  });
  if (!separated)
    return;
  OpBuilder builder(op);
  gpu::BarrierOp::create(builder, op->getLoc());
  history.clear();
}

LogicalResult Order::visit(Region &region, History &history) {
  if (!region.empty() && !region.hasOneBlock())
    return region.getParentOp()->emitOpError(
        "has branches between blocks, which cannot be distributed: control flow has to be scf");
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(visit(&op, history)))
        return failure();
  return success();
}

LogicalResult Order::visit(Operation *op, History &history) {
  if (isa<gpu::BarrierOp>(op)) {
    history.clear();
    return success();
  }
  if (op->getNumRegions() > 0 && !isa<memref::GenericAtomicRMWOp>(op))
    return visitRegions(op, history);
  History accessed;
  for (const Access &access : accessesOf(op, layouts, workgroup))
    add(accessed, access);
  separate(op, accessed, history);
  add(history, accessed);
  return success();
}

/// Whether threads execute it collectively: barriers, reductions over lanes, matrix instructions.
bool Order::needsAllThreads(Operation *op) {
  if (isa<gpu::BarrierOp>(op) || op->hasAttr(mmaKindName))
    return true;
  auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
  NestedLayoutAttr source = reduction ? nestedLayoutOf(reduction.getSource(), layouts) : nullptr;
  if (!source)
    return false;
  return llvm::any_of(llvm::zip(source.getThreadTile(), reduction.getReductionMask()),
                      [](auto pair) { return std::get<0>(pair) > 1 && std::get<1>(pair); });
}

/// Not all threads get here together, so the regions must not need barriers.
LogicalResult Order::visitParted(Operation *op, History &history) {
  History all = allOf(op);
  separate(op, all, history);
  for (Region &region : op->getRegions()) {
    History inside = isa<LoopLikeOpInterface>(op) ? all : History();
    if (failed(visit(region, inside)))
      return failure();
  }
  add(history, all);
  WalkResult found = op->walk([&](Operation *inner) {
    if (!needsAllThreads(inner))
      return WalkResult::advance();
    op->emitOpError("is not entered by all threads alike, but in it ")
        << inner->getName() << " needs all of them";
    return WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

LogicalResult Order::visitRegions(Operation *op, History &history) {
  if (divergence.divergesAt(op))
    return visitParted(op, history);
  bool repeats = isa<LoopLikeOpInterface>(op);
  bool canBeSkipped =
      repeats || llvm::any_of(op->getRegions(), [](Region &region) { return region.empty(); });
  History entry = history;
  if (repeats)
    add(entry, allOf(op));
  History after = canBeSkipped ? history : History();
  for (Region &region : op->getRegions()) {
    History own = entry;
    if (failed(visit(region, own)))
      return failure();
    add(after, own);
  }
  history = std::move(after);
  return success();
}

LogicalResult layout::insertBarriers(func::FuncOp function, const LayoutMap &layouts,
                                     Workgroup workgroup) {
  History history;
  return Order(function, layouts, workgroup).visit(function.getBody(), history);
}
