// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryOrder.h.

#include "tilewright/analysis/MemoryOrder.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using mlir::Operation;
using mlir::Value;
using tile::MemoryAccessOpInterface;

bool analysis::isOrderedAfter(Value token, Operation *earlier) {
  llvm::SmallVector<Value> tokens = {token};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!tokens.empty()) {
    Value next = tokens.pop_back_val();
    Operation *op = next ? next.getDefiningOp() : nullptr;
    if (!op || !seen.insert(op).second)
      continue;
    if (op == earlier)
      return true;
    for (Value operand : op->getOperands())
      if (llvm::isa<tile::TokenType>(operand.getType()))
        tokens.push_back(operand);
  }
  return false;
}

bool analysis::isBarrier(Operation *op) {
  auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op);
  return access && !(access.isLoad() && access.isWeak() && access.isThroughView());
}

bool analysis::seesOtherBlocks(Operation *op) {
  auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op);
  return access && access.getLoaded() && (access.isAtomic() || !access.isWeak());
}

Operation *analysis::firstPollIn(tile::LoopOp loop) {
  Operation *found = nullptr;
  loop->walk([&](Operation *op) {
    found = seesOtherBlocks(op) ? op : nullptr;
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}
