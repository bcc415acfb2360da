// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Lifetimes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

Lifetimes::Lifetimes(func::FuncOp function) {
  llvm::SetVector<Operation *> functions;
  functions.insert(function);
  for (size_t next = 0; next < functions.size(); ++next) {
    addFunction(llvm::cast<func::FuncOp>(functions[next]));
    functions[next]->walk([&](func::CallOp call) {
      functions.insert(
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()));
    });
  }
}

void Lifetimes::addFunction(func::FuncOp function) {
  function.getBody().walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(ending[op], block.getArguments());
    for (OpResult result : op->getResults())
      addResult(result);
  });
}

/// A use in a nested region counts as a use by the enclosing operation.
void Lifetimes::addResult(OpResult result) {
  Block *block = result.getOwner()->getBlock();
  Operation *last = result.getOwner();
  for (Operation *user : result.getUsers())
    if (Operation *here = block->findAncestorOpInBlock(*user); last->isBeforeInBlock(here))
      last = here;
  if (last->hasTrait<OpTrait::IsTerminator>())
    last = block->getParentOp();
  if (!llvm::isa<func::FuncOp>(last))
    ending[last].push_back(result);
}

ArrayRef<Value> Lifetimes::endingAt(Operation &op) const {
  auto entry = ending.find(&op);
  return entry == ending.end() ? ArrayRef<Value>() : ArrayRef<Value>(entry->second);
}

bool Lifetimes::endsAt(Value value, Operation &op) const {
  return llvm::is_contained(endingAt(op), value);
}
