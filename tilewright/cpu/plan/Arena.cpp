// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arena.h.

#include "tilewright/cpu/plan/Arena.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Networks.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

/// The address space of an x86-64 process, which exceeds the memory of any machine. A larger arena
/// gets the size `impossibleBytes`, so that every launch fails.
static constexpr int64_t mostArenaBytes = int64_t(1) << 47, impossibleBytes = int64_t(1) << 62;

bool Arena::shareBuffer(Value a, Value b) const {
  auto first = ofValues.find(a), second = ofValues.find(b);
  return first != ofValues.end() && second != ofValues.end() && first->second == second->second;
}

//===-- Buffers -------------------------------------------------------------------------------===//

/// Assigns buffers to values and operations in program order.
class cpu::ArenaPlanner {
public:
  ArenaPlanner(const OperationOrder &order, const NetworkPlan &networks,
               const Placements &placements, const GroupPlan &groups, const MatmulPlans &matmuls,
               const Folds &folds)
      : order(order), networks(networks), placements(placements), groups(groups), matmuls(matmuls),
        folds(folds) {}

  Arena run();

private:
  unsigned lastRead(Value value);
  Operation *placeOf(Operation *op) const;
  unsigned endOfGroup(Operation *op) const;
  void giveBuffer(Value value, unsigned first, unsigned last);
  bool becomesCarried(Value initial, mlir::BlockArgument argument, Operation *loop) const;
  void giveCarried(Operation *loop);
  void giveResult(Operation *op, Value result);
  void joinBuffer(Value part, tile::CatOp cat, unsigned first);
  void giveScratch(Operation *op);
  void giveSharedFactors(Operation *product, const MatmulPlan &plan);
  Scratch scratchOf(Operation *op) const;

  const OperationOrder &order;
  const NetworkPlan &networks;
  const Placements &placements;
  const GroupPlan &groups;
  const MatmulPlans &matmuls;
  const Folds &folds;
  Arena arena;
  llvm::DenseMap<Value, unsigned> lastReads;
};

Arena cpu::planArena(const OperationOrder &order, const NetworkPlan &networks,
                     const Placements &placements, const GroupPlan &groups,
                     const MatmulPlans &matmuls, const Folds &folds) {
  return ArenaPlanner(order, networks, placements, groups, matmuls, folds).run();
}

Arena ArenaPlanner::run() {
  for (Operation *op : order.operations()) {
    if (tile::isLoop(op))
      giveCarried(op);
    if (!llvm::isa<tile::ForOp>(
            op)) // the results of a `for` share the buffers of its carried tiles
      for (Value result : op->getResults())
        giveResult(op, result);
    giveScratch(op);
    if (auto matmul = matmuls.find(op); matmul != matmuls.end())
      giveSharedFactors(op, matmul->second);
  }
  arena.layOut();
  return std::move(arena);
}

/// The operation at whose position this one runs: the last of its group, that of its lane-shuffle
/// program, or itself.
Operation *ArenaPlanner::placeOf(Operation *op) const {
  const FusionGroup *group = groups.groupOf(op);
  return group ? group->members.back() : networks.placeOf(op);
}

/// The number of the last operation at the position where this one runs (placeOf); 0 for null.
unsigned ArenaPlanner::endOfGroup(Operation *op) const { return op ? order.endOf(placeOf(op)) : 0; }

/// The number of the last operation that reads the value, directly or through fused operations. A
/// use in a loop that does not contain the definition extends the live range to the end of the
/// loop.
unsigned ArenaPlanner::lastRead(Value value) {
  auto [known, isNew] = lastReads.try_emplace(value, 0);
  if (!isNew)
    return known->second;
  Operation *definition = value.getDefiningOp();
  unsigned last = definition ? order.endOf(definition) : 0;
  auto readAt = [&](Operation *reader) {
    if (Operation *here = value.getParentBlock()->findAncestorOpInBlock(*reader))
      last = std::max(last, order.endOf(here));
  };
  placements.forEachUser(value, [&](Operation *reader) { readAt(placeOf(reader)); });
  llvm::for_each(networks.readersOf(value), readAt);
  return lastReads[value] = last;
}

void ArenaPlanner::giveBuffer(Value value, unsigned first, unsigned last) {
  tile::TileType type = tileTypeOf(value);
  int64_t bytes = bufferBytes(type);
  if (std::optional<unsigned> rowDim = placements.rowOnly(value))
    bytes = type.getShape()[*rowDim] * elementwise::wordBytes(type.getElementType());
  last = std::max(last, endOfGroup(value.getDefiningOp()));
  arena.ofValues[value] = arena.buffers.size();
  arena.buffers.push_back({bytes, first, last});
}

/// Whether the initial value can share the buffer of the loop-carried tile: it has a buffer, and no
/// use in the loop or after it.
bool ArenaPlanner::becomesCarried(Value initial, mlir::BlockArgument argument,
                                  Operation *loop) const {
  auto buffer = arena.ofValues.find(initial);
  if (buffer == arena.ofValues.end() || initial.getParentBlock() != loop->getBlock() ||
      llvm::count(loop->getOperands(), initial) != 1)
    return false;
  assert(!placements.rowOnly(initial) &&
         !placements.rowOnly(argument)); // loops are no members of groups
  bool isOver = arena.buffers[buffer->second].last <= order.endOf(loop);
  auto readAt = [&](Operation *reader) { isOver &= !loop->isProperAncestor(reader); };
  placements.forEachUser(initial, readAt);
  llvm::for_each(networks.readersOf(initial), readAt);
  return isOver;
}

/// Assigns buffers to loop-carried tiles; the results of a `for` share them.
void ArenaPlanner::giveCarried(Operation *loop) {
  bool isFor = llvm::isa<tile::ForOp>(loop);
  for (mlir::BlockArgument argument : loop->getRegion(0).front().getArguments()) {
    if (!tileTypeOf(argument))
      continue;
    Value result = isFor ? loop->getResult(argument.getArgNumber() - 1) : Value();
    unsigned last = order.endOf(loop);
    last = result ? std::max(last, lastRead(result)) : last;
    Value initial = llvm::cast<mlir::LoopLikeOpInterface>(loop).getTiedLoopInit(argument)->get();
    if (becomesCarried(initial, argument, loop)) {
      unsigned shared = arena.ofValues.lookup(initial);
      arena.ofValues[argument] = shared;
      arena.buffers[shared].last = std::max(arena.buffers[shared].last, last);
    } else {
      giveBuffer(argument, order.numberOf(loop), last);
    }
    if (result)
      arena.ofValues[result] = arena.ofValues.lookup(argument);
  }
}

void ArenaPlanner::giveResult(Operation *op, Value result) {
  if (placements.of(result) != Placement::Buffer)
    return;
  unsigned first = order.numberOf(op);
  const MatmulPlan *matmul = matmuls.contains(op) ? &matmuls.find(op)->second : nullptr;
  if (tile::CatOp cat = catOf(result))
    joinBuffer(result, cat, first);
  else if (arena.ofValues.contains(result))
    return; // the first part has assigned it
  else if (placements.decisionOf(result).reason == Reason::UpdatesCarried)
    arena.ofValues[result] = arena.ofValues.lookup(carriedBy(result));
  else if (matmul && matmul->carried)
    arena.ofValues[result] = arena.ofValues.lookup(matmul->carried);
  else
    giveBuffer(result, first, std::max(order.endOf(op), lastRead(result)));
}

/// A part of a `cat` is computed into the buffer of the result, which is live from its first part
/// on.
void ArenaPlanner::joinBuffer(Value part, tile::CatOp cat, unsigned first) {
  while (tile::CatOp outer = catOf(cat.getResult()))
    cat = outer;
  Value whole = cat.getResult();
  if (!arena.ofValues.contains(whole))
    giveBuffer(whole, first, std::max(order.endOf(cat), lastRead(whole)));
  unsigned shared = arena.ofValues.lookup(whole);
  arena.ofValues[part] = shared;
  Buffer &buffer = arena.buffers[shared]; // parts are written where their group runs
  buffer.last = std::max(buffer.last, endOfGroup(part.getDefiningOp()));
}

//===-- Scratch memory ------------------------------------------------------------------------===//

/// `continue` and `print` copy their operands, an alloca's storage is in the arena, products pack
/// their operands, and a reduction may need memory for its tree.
Scratch ArenaPlanner::scratchOf(Operation *op) const {
  return llvm::TypeSwitch<Operation *, Scratch>(op)
      .Case([](tile::AllocaOp alloca) { return allocaScratch(alloca); })
      .Case([](tile::PrintOp print) { return printScratch(print); })
      .Case([](tile::ContinueOp next) { return continueScratch(next); })
      .Case([&](tile::ReduceOp reduce) { return treeScratch(reduce, folds.find(reduce)->second); })
      .Default([&](Operation *other) {
        auto matmul = matmuls.find(other);
        return matmul == matmuls.end() ? Scratch() : matmul->second.scratch();
      });
}

void ArenaPlanner::giveScratch(Operation *op) {
  Scratch scratch = scratchOf(op);
  if (scratch.bytes == 0)
    return;
  unsigned first = order.numberOf(op), last = order.endOf(op);
  if (llvm::isa<tile::AllocaOp>(op)) { // live for the whole iteration, or the whole block
    Operation *scope = tile::enclosingNonIf(op);
    last = llvm::isa<tile::EntryOp>(scope) ? order.operations().size() : order.endOf(scope);
  } else if (auto matmul = matmuls.find(op);
             matmul != matmuls.end() && matmul->second.iterations > 1) {
    first = order.numberOf(op->getParentOp());
    last = order.endOf(op->getParentOp());
  }
  arena.scratch[op] = {unsigned(arena.buffers.size()), scratch.parts};
  arena.buffers.push_back({scratch.bytes, first, last});
}

/// Packed-operand caches live as long as the arena: they persist from block to block.
void ArenaPlanner::giveSharedFactors(Operation *product, const MatmulPlan &plan) {
  unsigned end = order.operations().size();
  for (unsigned operand : {0, 1}) {
    if (!plan.shared[operand])
      continue;
    if (!arena.headers) {
      arena.headers = arena.buffers.size();
      arena.buffers.push_back({0, 0, end});
    }
    int64_t &headerBytes = arena.buffers[*arena.headers].bytes;
    arena.slots[{product, operand}] = {unsigned(arena.buffers.size()), headerBytes};
    headerBytes += plan.shared[operand]->slots * SharedOperand::headerBytes;
    arena.buffers.push_back({plan.shared[operand]->bytes(), 0, end});
  }
}

//===-- Offsets -------------------------------------------------------------------------------===//

/// Assigns offsets by first fit, in the order in which live ranges begin. Cache entries come last,
/// because a launch need not touch their pages. If a buffer does not fit, launches fail, so the
/// remaining offsets do not matter (operations, 7.2: an alloca that is impossible traps).
void Arena::layOut() {
  llvm::DenseSet<unsigned> ofSlots;
  for (const auto &[operand, those] : slots)
    ofSlots.insert(those.buffer);
  std::vector<Buffer *> order, last;
  for (auto [number, buffer] : llvm::enumerate(buffers))
    (ofSlots.contains(number) ? last : order).push_back(&buffer);
  llvm::sort(order,
             [](Buffer *a, Buffer *b) { return std::pair(a->first, a) < std::pair(b->first, b); });
  std::vector<Buffer *> alive; // by offset
  for (Buffer *buffer : order) {
    llvm::erase_if(alive, [&](Buffer *other) { return other->last < buffer->first; });
    int64_t offset = 0;
    auto at = alive.begin();
    for (; at != alive.end() && offset + buffer->bytes > (*at)->offset; ++at)
      offset = llvm::alignTo((*at)->offset + (*at)->bytes, arenaAlignment);
    if (buffer->bytes > mostArenaBytes - offset) {
      totalBytes = impossibleBytes;
      return;
    }
    buffer->offset = offset;
    alive.insert(at, buffer);
    totalBytes =
        std::max(totalBytes, int64_t(llvm::alignTo(offset + buffer->bytes, arenaAlignment)));
  }
  for (Buffer *buffer : last) {
    if (buffer->bytes > mostArenaBytes - totalBytes) {
      totalBytes = impossibleBytes;
      return;
    }
    buffer->offset = totalBytes;
    totalBytes += llvm::alignTo(buffer->bytes, arenaAlignment);
  }
}
