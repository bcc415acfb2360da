// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places barriers between memory accesses. Each thread performs its part of an access when it
// reaches it. A token that orders two accesses (memory model, 5) orders all their parts, so a
// barrier must separate them if one of them writes. A forward dataflow analysis follows tokens
// along all control-flow paths; accesses that no token orders need no barrier.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;
using tile::MemoryAccessOpInterface;

static bool writes(MemoryAccessOpInterface access) { return !access.isLoad(); }

namespace {
/// Accesses since the last barrier: one of each kind represents all.
struct Accesses {
  Operation *store = nullptr; ///< Or an atomic one.
  Operation *orderedLoad = nullptr, *weakLoad = nullptr;

  void add(const Accesses &others) {
    auto take = [](Operation *&mine, Operation *other) { mine = mine ? mine : other; };
    take(store, others.store);
    take(orderedLoad, others.orderedLoad);
    take(weakLoad, others.weakLoad);
  }

  void add(MemoryAccessOpInterface access) {
    Operation *op = access;
    add(writes(access)     ? Accesses{op, nullptr, nullptr}
        : !access.isWeak() ? Accesses{nullptr, op, nullptr}
                           : Accesses{nullptr, nullptr, op});
  }

  /// Any of the accesses; null if there is none.
  Operation *any() const { return store ? store : orderedLoad ? orderedLoad : weakLoad; }

  /// An access that must be separated from this one by a barrier; null if there is none. An ordered
  /// load may read another block's write; later accesses must observe that, too.
  Operation *conflictWith(MemoryAccessOpInterface later) const {
    bool waitsForLoads = writes(later) || store || orderedLoad;
    return waitsForLoads ? any() : nullptr;
  }
};

/// The dataflow state at a program point.
struct Path {
  Accesses open;      ///< All accesses since the last barrier.
  unsigned since = 0; ///< The least token number after the last barrier; older tokens need none.

  void join(const Path &other) {
    open.add(other.open);
    since = std::min(since, other.since);
  }
};

class BarrierChoice {
public:
  explicit BarrierChoice(Plan &plan) : plan(plan) {}
  void run();

private:
  /// The accesses that a token orders, and when it was made.
  struct Token {
    Accesses before;
    unsigned number;
  };

  /// The state at the end of the block; none if control leaves it by a jump.
  std::optional<Path> visit(mlir::Block &block, Path path);
  void visit(MemoryAccessOpInterface access, Path &path);
  void visit(tile::IfOp op, Path &path);
  void visit(tile::AllocaOp op, Path &path);
  void visitLoop(Operation *loop, Path &path);
  void wait(Operation *op, Operation *earlier, Path &path);
  Accesses before(Value token, const Path &path) const;
  Accesses before(mlir::ValueRange tokens, const Path &path) const;
  /// Defines the tokens among the values.
  void define(mlir::ValueRange values, const Accesses &before);

  Plan &plan;
  llvm::DenseMap<Value, Token> tokens;
  llvm::DenseMap<Operation *, Accesses> inside; ///< By loop or branch.
  llvm::DenseMap<Operation *, Accesses>
      yielded; ///< By branch: accesses before the tokens that it yields.
  unsigned made = 0;
};
} // namespace

Accesses BarrierChoice::before(Value token, const Path &path) const {
  auto found = token ? tokens.find(token) : tokens.end();
  return found == tokens.end() || found->second.number < path.since ? Accesses()
                                                                    : found->second.before;
}

Accesses BarrierChoice::before(mlir::ValueRange tokens, const Path &path) const {
  Accesses all;
  for (Value token : tokens)
    all.add(before(token, path));
  return all;
}

void BarrierChoice::define(mlir::ValueRange values, const Accesses &before) {
  for (Value value : values)
    if (llvm::isa<tile::TokenType>(value.getType()))
      tokens[value] = {before, made++};
}

void BarrierChoice::wait(Operation *op, Operation *earlier, Path &path) {
  plan.barriers[op] = earlier;
  path = {{}, made};
}

void BarrierChoice::visit(MemoryAccessOpInterface access, Path &path) {
  Accesses earlier = before(access.getTokenBefore(), path);
  if (Operation *conflict = earlier.conflictWith(access)) {
    wait(access, conflict, path);
    earlier = {};
  }
  earlier.add(access);
  path.open.add(access);
  define(access->getResults(), earlier);
}

/// In each iteration an alloca is new memory (operations, 7.2), so no token leads to it, but
/// physically it is the memory of the previous iteration.
void BarrierChoice::visit(tile::AllocaOp op, Path &path) {
  bool isRepeated = op->getParentOfType<tile::ForOp>() || op->getParentOfType<tile::LoopOp>();
  if (Operation *earlier = path.open.any(); earlier && isRepeated)
    wait(op, earlier, path);
}

void BarrierChoice::visit(tile::IfOp op, Path &path) {
  std::optional<Path> then = visit(*op.thenBlock(), path);
  std::optional<Path> otherwise = op.elseBlock() ? visit(*op.elseBlock(), path) : path;
  if (then && otherwise)
    then->join(*otherwise);
  path = then ? *then : otherwise.value_or(path);
  define(op.getResults(), yielded.lookup(op));
}

/// Accesses in the loop may precede its iterations, and what follows it; so may accesses before the
/// tokens that it uses from outside.
void BarrierChoice::visitLoop(Operation *loop, Path &path) {
  Accesses earlier = inside.lookup(loop);
  path.open.add(earlier);
  earlier.add(before(loop->getOperands(), path));
  loop->walk([&](Operation *op) { earlier.add(before(op->getOperands(), path)); });
  mlir::Block &body = loop->getRegion(0).front();
  define(body.getArguments(), earlier);
  visit(body, path);
  define(loop->getResults(), earlier);
}

std::optional<Path> BarrierChoice::visit(mlir::Block &block, Path path) {
  for (Operation &op : block) {
    if (auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op))
      visit(access, path);
    else if (auto branch = llvm::dyn_cast<tile::IfOp>(op))
      visit(branch, path);
    else if (auto allocated = llvm::dyn_cast<tile::AllocaOp>(op))
      visit(allocated, path);
    else if (tile::isLoop(&op))
      visitLoop(&op, path);
    else if (llvm::isa<tile::YieldOp>(op))
      yielded[op.getParentOp()].add(before(op.getOperands(), path));
    else if (op.hasTrait<mlir::OpTrait::IsTerminator>()) // a jump
      return std::nullopt;
    else if (isFence(&op))
      path = {{}, made};
    else
      define(op.getResults(), before(op.getOperands(), path));
  }
  return path;
}

void BarrierChoice::run() {
  plan.entry.walk([&](Operation *op) {
    Operation *parent = op->getParentOp();
    if (auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op))
      inside[parent].add(access);
    else if (auto found = inside.find(op); found != inside.end()) {
      Accesses all = found->second;
      inside[parent].add(all);
    }
  });
  visit(plan.entry.getBody().front(), {});
}

bool nvidia::isFence(Operation *op) {
  bool isOfLaunches = llvm::isa<tile::GdcLaunchDependentsOp>(op) || llvm::isa<tile::GdcWaitOp>(op);
  return isOfLaunches || llvm::isa<tile::MemoryFenceAliasOp>(op);
}

void nvidia::chooseBarriers(Plan &plan) { BarrierChoice(plan).run(); }
