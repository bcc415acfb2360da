// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Dependences.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::BitVector;

static bool isToken(mlir::Value value) { return llvm::isa<tile::TokenType>(value.getType()); }

void Cause::join(const Cause &other) {
  reads |= other.reads;
  operations.append(other.operations);
}

const Cause &Dependences::of(mlir::Value value) const {
  static const Cause nothing;
  auto cause = causes.find(value);
  return cause == causes.end() ? nothing : cause->second;
}

/// The reads behind all operands except tokens, which carry no data. The bodies of reduce and scan
/// may use outside values.
BitVector Dependences::operandReads(mlir::Operation *op) const {
  BitVector reads;
  auto add = [&](mlir::Operation *user) {
    for (mlir::Value operand : user->getOperands())
      if (!isToken(operand))
        reads |= of(operand).reads;
  };
  if (tile::isAggregate(op))
    op->walk(add);
  else
    add(op);
  return reads;
}

BitVector Dependences::readsOf(mlir::Operation *op) const {
  BitVector reads = operandReads(op);
  reads |= frames.back().now;
  return reads;
}

BitVector Dependences::readsDeciding(mlir::Operation *op) const {
  BitVector reads;
  if (auto branch = llvm::dyn_cast<tile::IfOp>(op))
    reads = of(branch.getCondition()).reads;
  else if (llvm::isa<tile::ForOp>(op))
    for (mlir::Value bound : op->getOperands().take_front(3))
      reads |= of(bound).reads;
  else if (llvm::isa<tile::MemoryAccessOpInterface>(op))
    reads = operandReads(op);
  else
    return reads;
  reads |= frames.back().now;
  return reads;
}

//===-- Bodies ------------------------------------------------------------------------------===//

llvm::SmallVector<uint64_t, 2> Dependences::iterations() const {
  llvm::SmallVector<uint64_t, 2> result;
  for (const Frame &frame : frames)
    if (tile::isLoop(frame.owner))
      result.push_back(frame.iteration);
  return result;
}

void Dependences::enter(mlir::Operation *owner, const BitVector &conditions) {
  Frame frame{owner, frames.back().now, {}};
  frame.entered |= conditions;
  frame.now = frame.entered;
  frames.push_back(std::move(frame));
}

void Dependences::leave() { frames.pop_back(); }

void Dependences::leaveBranches() {
  while (llvm::isa<tile::IfOp>(frames.back().owner))
    leave();
}

void Dependences::define(mlir::ValueRange values, llvm::ArrayRef<Cause> newCauses) {
  for (auto [value, cause] : llvm::zip_equal(values, newCauses))
    causes[value] = cause;
}

static bool contains(tile::IfOp branch, llvm::function_ref<bool(mlir::Operation *)> matches) {
  return branch
      ->walk([&](mlir::Operation *inner) {
        return matches(inner) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether one of the branches may leave the enclosing loop for good, or never finish.
static bool mayNotReturn(tile::IfOp branch) {
  return contains(branch, [](mlir::Operation *inner) {
    return inner->hasTrait<tile::MayNotEnd>() || inner->hasTrait<tile::EndsLoop>();
  });
}

/// Whether one of the branches may start the next iteration of the enclosing loop. A loop inside
/// the branch has its own `continue`.
static bool mayContinue(tile::IfOp branch) {
  return contains(branch, [&](mlir::Operation *inner) {
    mlir::Operation *parent = inner->getParentOp();
    while (parent != branch && llvm::isa<tile::IfOp>(parent))
      parent = parent->getParentOp();
    return parent == branch && inner->hasTrait<tile::LeavesIf>() &&
           !inner->hasTrait<tile::EndsLoop>();
  });
}

/// If a branch may not come back, everything that follows depends on the condition, whether or not
/// the branch is taken.
void Dependences::before(mlir::Operation *op) {
  auto branch = llvm::dyn_cast<tile::IfOp>(op);
  if (!branch)
    return;
  const BitVector condition = of(branch.getCondition()).reads;
  if (mayNotReturn(branch))
    for (Frame &frame : frames) {
      frame.entered |= condition;
      frame.now |= condition;
    }
  else if (mayContinue(branch))
    for (Frame &frame : llvm::reverse(frames)) {
      frame.now |= condition;
      if (tile::isLoop(frame.owner))
        break;
    }
}

//===-- Operations --------------------------------------------------------------------------===//

void Dependences::after(TileBlock &block, mlir::Operation *op, std::optional<unsigned> number,
                        const BitVector &reads) {
  // Values that are passed on depend on the branch taken here.
  auto operandCauses = [&] {
    llvm::SmallVector<Cause> result;
    for (mlir::Value operand : op->getOperands()) {
      result.push_back(of(operand));
      result.back().reads |= frames.back().now;
    }
    return result;
  };
  bool isInside = !block.hasReturned() && block.innermost().owner == op;

  if (auto branch = llvm::dyn_cast<tile::IfOp>(op)) {
    if (isInside)
      enter(op, of(branch.getCondition()).reads);
    return;
  }
  if (tile::isLoop(op)) {
    auto counted = llvm::dyn_cast<tile::ForOp>(op);
    BitVector bounds;
    if (counted)
      for (mlir::Value bound : op->getOperands().take_front(3))
        bounds |= of(bound).reads;
    llvm::SmallVector<Cause> initial;
    for (mlir::Value value : op->getOperands().drop_front(counted ? 3 : 0)) {
      initial.push_back(of(value));
      initial.back().reads |= bounds;
    }
    if (!isInside)
      return define(op->getResults(), initial);
    if (counted)
      causes[counted.inductionVar()] = {bounds};
    define(op->getRegion(0).getArguments().drop_front(counted ? 1 : 0), initial);
    return enter(op, bounds);
  }
  if (llvm::isa<tile::YieldOp>(op)) {
    define(frames.back().owner->getResults(), operandCauses());
    return leave();
  }
  if (llvm::isa<tile::BreakOp>(op)) {
    llvm::SmallVector<Cause> results = operandCauses();
    leaveBranches();
    define(frames.back().owner->getResults(), results);
    return leave();
  }
  if (llvm::isa<tile::ContinueOp>(op)) {
    llvm::SmallVector<Cause> carried = operandCauses();
    leaveBranches();
    Frame &loop = frames.back();
    bool hasEnded = block.hasReturned() || block.innermost().owner != loop.owner;
    if (hasEnded) {
      define(loop.owner->getResults(), carried);
      return leave();
    }
    loop.now = loop.entered;
    ++loop.iteration;
    define(loop.owner->getRegion(0).getArguments().take_back(carried.size()), carried);
    return;
  }

  Cause cause{operandReads(op)};
  cause.reads |= reads;
  Cause token;
  if (number)
    token.operations = {*number};
  else
    for (mlir::Value operand : op->getOperands())
      if (isToken(operand))
        token.join(of(operand));
  for (mlir::Value result : op->getResults())
    causes[result] = isToken(result) ? token : cause;
}
