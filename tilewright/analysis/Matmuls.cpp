// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Matmuls.h.

#include "tilewright/analysis/Matmuls.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using analysis::Epilogue;
using mlir::Operation;
using mlir::Value;

mlir::BlockArgument analysis::carriedAccumulator(Operation *op) {
  auto matmul = llvm::dyn_cast<tile::MatmulOpInterface>(op);
  if (!matmul || !tile::isLoop(op->getParentOp()))
    return {};
  auto carried = llvm::dyn_cast<mlir::BlockArgument>(matmul.getAcc());
  if (!carried || !carried.hasOneUse() || carried.getOwner() != op->getBlock() ||
      !op->getResult(0).hasOneUse())
    return {};
  mlir::OpOperand &use = *op->getResult(0).use_begin();
  if (!llvm::isa<tile::ContinueOp>(use.getOwner()) || use.getOwner()->getBlock() != op->getBlock())
    return {};
  auto loop = llvm::cast<mlir::LoopLikeOpInterface>(op->getParentOp());
  mlir::BlockArgument next = loop.getRegionIterArgs()[use.getOperandNumber()];
  return next == carried ? carried : mlir::BlockArgument();
}

static llvm::SmallVector<int64_t> withoutUnits(llvm::ArrayRef<int64_t> shape) {
  return llvm::to_vector(llvm::make_filter_range(shape, [](int64_t e) { return e != 1; }));
}

bool analysis::keepsCoordinates(tile::ReshapeOp op) {
  return withoutUnits(op.getSource().getType().getShape()) ==
         withoutUnits(op.getResult().getType().getShape());
}

std::optional<Epilogue> analysis::epilogueOf(Value value) {
  mlir::Block *block = value.getParentBlock();
  for (Epilogue found; value.hasOneUse(); value = found.operations.back()->getResult(0)) {
    Operation *user = *value.user_begin();
    if (user->getBlock() != block)
      return std::nullopt;
    if (auto store = llvm::dyn_cast<tile::StoreViewOp>(user)) {
      if (store.getTile() != value) // it is the index
        return std::nullopt;
      found.store = store;
      return found;
    }
    auto reshape = llvm::dyn_cast<tile::ReshapeOp>(user);
    if (!llvm::isa<tile::ElementwiseOpInterface>(user) && !(reshape && keepsCoordinates(reshape)))
      return std::nullopt;
    found.operations.push_back(user);
  }
  return std::nullopt;
}
