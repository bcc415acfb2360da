// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Placement.h.

#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/analysis/Matmuls.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

llvm::StringRef cpu::nameOf(Placement placement) {
  switch (placement) {
  case Placement::Register:
    return "register";
  case Placement::Fused:
    return "fused";
  case Placement::InLoop:
    return "registers";
  case Placement::Constant:
    return "constant";
  case Placement::Buffer:
    return "buffer";
  }
  llvm_unreachable("placements are listed above");
}

//===-- Parts of a cat ------------------------------------------------------------------------===//

tile::CatOp cpu::catOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !tileTypeOf(value) || !value.hasOneUse())
    return {};
  auto cat = llvm::dyn_cast<tile::CatOp>(*value.user_begin());
  // A reshape that moves elements shares the words of its source.
  auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op);
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  bool isWrittenByPosition =
      llvm::isa<tile::CatOp>(op) || (access && access.isLoad()) ||
      (canFuse(op) && !isTranspose(op) && (!reshape || analysis::keepsCoordinates(reshape)));
  return cat && isWrittenByPosition && cat->getBlock() == op->getBlock() ? cat : tile::CatOp();
}

bool cpu::isAssembled(Operation *op) {
  return llvm::isa<tile::CatOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value part) { return catOf(part) != nullptr; });
}

//===-- Placements ----------------------------------------------------------------------------===//

Placement Placements::of(Value value) const {
  auto found = all.find(value);
  return found == all.end() ? Placement::Register : found->second.placement;
}

void Placements::set(Value value, Placement placement, Reason reason,
                     llvm::ArrayRef<Operation *> operations) {
  all[value] = {placement, reason, llvm::SmallVector<Operation *, 1>(operations)};
}

mlir::BlockArgument cpu::carriedBy(Value value) {
  if (!tileTypeOf(value) || !value.hasOneUse())
    return {};
  mlir::OpOperand &use = *value.use_begin();
  if (!llvm::isa<tile::ContinueOp>(use.getOwner()))
    return {};
  auto loop = llvm::cast<mlir::LoopLikeOpInterface>(tile::enclosingNonIf(use.getOwner()));
  return loop.getRegionIterArgs()[use.getOperandNumber()];
}

std::optional<unsigned> Placements::rowOnly(Value value) const {
  auto found = rowDims.find(value);
  return found == rowDims.end() ? std::nullopt : std::optional(found->second);
}

void Placements::keepOneRow(Value value, unsigned dim) {
  set(value, Placement::Buffer, Reason::OneRow);
  rowDims[value] = dim;
}

Value Placements::reshapedFrom(Value value) const {
  auto reshape = value.getDefiningOp<tile::ReshapeOp>();
  while (reshape && of(value) == Placement::Fused && tileTypeOf(reshape.getSource())) {
    value = reshape.getSource();
    reshape = value.getDefiningOp<tile::ReshapeOp>();
  }
  return value;
}

bool Placements::isRowMajor(Value value) const {
  value = reshapedFrom(value);
  Placement where = tileTypeOf(value) ? of(value) : Placement::Register;
  return where == Placement::Constant ||
         (where == Placement::Buffer && !rowOnly(value) && !catOf(value));
}

void Placements::forEachMaker(Value value, llvm::function_ref<void(Operation *)> visit) const {
  llvm::SmallVector<Value> values = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    visit(op);
    if (tileTypeOf(next) && of(next) == Placement::Fused)
      llvm::append_range(values, op->getOperands());
  }
}

void Placements::forEachUser(Value value, llvm::function_ref<void(Operation *)> visit) const {
  llvm::SmallVector<Value> fused = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!fused.empty())
    for (Operation *user : fused.pop_back_val().getUsers()) {
      if (!seen.insert(user).second)
        continue;
      visit(user);
      for (Value result : user->getResults())
        if (of(result) == Placement::Fused && tileTypeOf(result))
          fused.push_back(result);
    }
}
