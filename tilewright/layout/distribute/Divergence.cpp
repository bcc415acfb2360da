// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks forward from thread ids along all uses. A yielded value reaches the results of the parent
// operation and the arguments of its regions; so does a value that decides which region is
// executed.

#include "tilewright/layout/distribute/Divergence.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tilewright::layout;

Divergence::Divergence(Operation *root) {
  SmallVector<Value> waiting;
  auto add = [&](auto &&range) {
    for (Value value : range)
      if (values.insert(value).second)
        waiting.push_back(value);
  };
  auto addAllOf = [&](Operation *op) {
    add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  };
  root->walk([&](Operation *op) {
    if (isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp>(op))
      add(op->getResults());
  });
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    for (Operation *user : value.getUsers()) {
      addAllOf(user);
      if (user->hasTrait<OpTrait::IsTerminator>() && user->getParentOp() != root)
        addAllOf(user->getParentOp());
      // Each thread that executes an atomic gets its own result.
      user->walk([&](Operation *inner) {
        if (isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(inner))
          add(inner->getResults());
      });
    }
  }
}

bool Divergence::isUniform(Operation *op) const {
  return !divergesAround(op) &&
         llvm::none_of(op->getOperands(), [&](Value value) { return isDivergent(value); });
}

bool Divergence::divergesAt(Operation *op) const {
  if (op->getNumRegions() == 0)
    return false;
  auto decides = [&](Value value) { return isDivergent(value); };
  // The condition of scf.while is inside its region.
  return llvm::any_of(op->getOperands(), decides) || llvm::any_of(op->getResults(), decides);
}

bool Divergence::divergesAround(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (divergesAt(parent))
      return true;
  return false;
}
