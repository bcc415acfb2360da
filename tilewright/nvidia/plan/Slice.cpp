// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slice of an entry that a producer warp executes (Roles.h).

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

//===-- Tokens --------------------------------------------------------------------------------===//

/// Adds the tokens from which a token is made. False if an access that is not a weak load makes it.
static bool addEarlier(Value token, SmallVector<Value> &tokens) {
  auto addCarried = [&](Operation *loop, unsigned number) {
    tokens.push_back(tile::initValuesOf(loop)[number]);
    for (Operation *jump : tile::continuesOf(loop))
      tokens.push_back(jump->getOperand(number));
  };
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(token)) {
    Operation *loop = argument.getOwner()->getParentOp();
    addCarried(loop, argument.getArgNumber() - (llvm::isa<tile::ForOp>(loop) ? 1 : 0));
    return true;
  }
  Operation *op = token.getDefiningOp();
  unsigned number = llvm::cast<mlir::OpResult>(token).getResultNumber();
  if (llvm::isa<tile::MakeTokenOp, tile::JoinTokensOp>(op)) {
    llvm::append_range(tokens, op->getOperands());
  } else if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op)) {
    if (!access.isLoad() || !access.isWeak())
      return false;
    if (Value before = access.getTokenBefore())
      tokens.push_back(before);
  } else if (auto branch = llvm::dyn_cast<tile::IfOp>(op)) {
    for (mlir::Region &region : branch->getRegions())
      for (mlir::Block &block : region)
        if (auto yield = llvm::dyn_cast<tile::YieldOp>(block.back()))
          tokens.push_back(yield->getOperand(number));
  } else if (llvm::isa<tile::ForOp>(op)) {
    addCarried(op, number);
  } else if (llvm::isa<tile::LoopOp>(op)) {
    for (Operation *jump : tile::breaksOf(op))
      tokens.push_back(jump->getOperand(number));
  } else {
    return false;
  }
  return true;
}

SmallVector<Operation *> nvidia::writesBefore(tile::MemoryAccessOpInterface access) {
  SmallVector<Value> tokens;
  SmallVector<Operation *> writes;
  llvm::DenseSet<Value> visited;
  if (Value token = access.getTokenBefore())
    tokens.push_back(token);
  while (!tokens.empty())
    if (Value token = tokens.pop_back_val(); visited.insert(token).second)
      if (!addEarlier(token, tokens))
        writes.push_back(token.getDefiningOp());
  return writes;
}

/// Whether a token may order a store or atomic after the load: a producer's load could come later.
static bool mayPrecedeWrite(tile::MemoryAccessOpInterface load) {
  SmallVector<Operation *> users(load.getTokenAfter().getUsers());
  llvm::DenseSet<Operation *> visited;
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (!visited.insert(user).second)
      continue;
    if (!llvm::isa<tile::JoinTokensOp>(user) && !isWeakLoad(user))
      return true;
    for (Value result : user->getResults())
      if (llvm::isa<tile::TokenType>(result.getType()))
        llvm::append_range(users, result.getUsers());
  }
  return false;
}

//===-- The slice -----------------------------------------------------------------------------===//

bool Slice::fail(Operation *op, const char *what) {
  if (problem.empty())
    problem = (op->getName().stripDialect() + " " + what).str();
  return false;
}

bool Slice::addOperation(Operation *op) { return reach(op) && needAll(op->getOperands()); }

bool Slice::needAll(mlir::ValueRange all) {
  return llvm::all_of(all, [&](Value value) { return need(value); });
}

/// Tokens need nothing, and products ignore tiles: their loads are copied.
bool Slice::need(Value value) {
  if (llvm::isa<tile::TokenType>(value.getType()) || !values.insert(value).second)
    return true;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return needArgument(argument);
  return needResult(llvm::cast<mlir::OpResult>(value));
}

bool Slice::needArgument(mlir::BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == entry)
    return true;
  if (tileTypeOf(argument))
    return fail(parent, "carries a tile");
  if (auto loop = llvm::dyn_cast<tile::ForOp>(parent))
    return enter(loop) &&
           (argument == loop.inductionVar() || needCarried(loop, argument.getArgNumber() - 1));
  return llvm::isa<tile::LoopOp>(parent)
             ? enter(parent) && needCarried(parent, argument.getArgNumber())
             : fail(parent, "has a body");
}

/// The initial value of a loop-carried scalar, and those that iterations continue with.
bool Slice::needCarried(Operation *loop, unsigned number) {
  return need(tile::initValuesOf(loop)[number]) &&
         llvm::all_of(tile::continuesOf(loop),
                      [&](Operation *jump) { return need(jump->getOperand(number)); });
}

bool Slice::needResult(mlir::OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (tileTypeOf(result) && (elementCountOf(result) != 1 || op->getNumRegions()))
    return fail(op, "makes a tile");
  if (auto branch = llvm::dyn_cast<tile::IfOp>(op)) {
    bool isDone = enter(op);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        if (auto yield = llvm::dyn_cast<tile::YieldOp>(block.back()))
          isDone = isDone && need(yield->getOperand(number));
    return isDone;
  }
  if (llvm::isa<tile::ForOp>(op))
    return enter(op) && needCarried(op, number);
  if (llvm::isa<tile::LoopOp>(op))
    return enter(op) && llvm::all_of(tile::breaksOf(op), [&](Operation *jump) {
             return need(jump->getOperand(number));
           });
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return needAccess(access) && addOperation(op);
  if (llvm::isa<tile::MatmulOpInterface>(op))
    return fail(op, "is a product");
  if (op->getNumRegions() || !tile::onlyComputes(op))
    return fail(op, "has effects, or a body");
  return addOperation(op);
}

/// Both roles load a scalar, or a tile of one element, which all threads hold. Other blocks do not
/// write what a weak access loads.
bool Slice::needAccess(tile::MemoryAccessOpInterface access) {
  if (!isWeakLoad(access))
    return fail(access, "has effects");
  if (access.isThroughView() && llvm::any_of(access->getOperands(), tileTypeOf))
    return fail(access, "has a list of indices");
  if (!writesBefore(access).empty() || mayPrecedeWrite(access))
    return fail(access, "is ordered with a write by a token");
  return true;
}

/// Adds the control flow that leads to the operation.
bool Slice::reach(Operation *op) {
  if (!reached.insert(op).second)
    return true;
  operations.insert(op);
  Operation *parent = op->getParentOp();
  return parent == entry || enter(parent);
}

/// Adds a loop or branch: its condition or bounds, and all jumps that may end an iteration.
bool Slice::enter(Operation *parent) {
  if (reached.contains(parent))
    return true;
  if (!reach(parent))
    return false;
  if (auto branch = llvm::dyn_cast<tile::IfOp>(parent))
    return need(branch.getCondition());
  if (!tile::isLoop(parent))
    return fail(parent, "has a body");
  if (auto loop = llvm::dyn_cast<tile::ForOp>(parent))
    if (!need(loop.getLowerBound()) || !need(loop.getUpperBound()) || !need(loop.getStep()))
      return false;
  auto isReached = [&](Operation *jump) { return reach(jump); };
  return llvm::all_of(tile::continuesOf(parent), isReached) &&
         llvm::all_of(tile::breaksOf(parent), isReached);
}
