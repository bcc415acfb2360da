// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Coverage.h.

#include "tilewright/reference/watch/Coverage.h"
#include "tilewright/reference/machine/TileBlock.h"

using namespace tilewright;
using namespace tilewright::reference;

/// Whether it ends a body without passing values on. Text omits such terminators, so they are not
/// counted.
static bool isBareEnd(mlir::Operation *op) {
  if (op->getNumOperands() != 0)
    return false;
  return llvm::isa<tile::YieldOp>(op) ||
         (llvm::isa<tile::ContinueOp>(op) && !llvm::isa<tile::IfOp>(op->getParentOp()));
}

Coverage::Coverage(tile::EntryOp entry) {
  entry.getBody().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (isBareEnd(op))
      return;
    report::OperationCount &row = all[op];
    if (llvm::isa<tile::IfOp>(op))
      row.branches = {"then", "else"};
    else if (llvm::isa<tile::ForOp>(op))
      row.branches = {"with iterations", "without iterations"};
  });
}

void Coverage::beforeOperation(TileBlock &block, mlir::Operation *op) {
  if (auto row = all.find(op); row != all.end())
    ++row->second.count;
  // The bodies of reduce and scan run as part of the operation. A reduce over one element does not
  // run its body; a scan always does, starting with its identity (operations, 4.11).
  auto reduce = llvm::dyn_cast<tile::ReduceOp>(op);
  if (!reduce && !llvm::isa<tile::ScanOp>(op))
    return;
  if (reduce && block.tile(reduce.getOperands().front()).shape()[reduce.getDim()] == 1)
    return;
  for (mlir::Operation &inner : op->getRegion(0).front())
    ++all[&inner].count;
}

void Coverage::afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) {
  if (op->getNumRegions() == 0 || llvm::failed(outcome))
    return;
  report::OperationCount &row = all[op];
  if (!row.branches)
    return;
  bool hasEntered = block.innermost().owner == op && block.innermost().next == 0;
  bool isFirst = hasEntered;
  if (auto branch = llvm::dyn_cast<tile::IfOp>(op))
    isFirst = hasEntered && block.position()->getBlock() == branch.thenBlock();
  ++(isFirst ? row.branches->first : row.branches->second);
}
