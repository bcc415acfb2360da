// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Placement.h.

#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/analysis/Matmuls.h"
#include "tilewright/cpu/plan/Transposes.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

llvm::StringRef cpu::nameOf(Home home) {
  switch (home) {
  case Home::Register:
    return "register";
  case Home::Fused:
    return "fused";
  case Home::Loop:
    return "loop";
  case Home::Constant:
    return "constant";
  case Home::Buffer:
    return "buffer";
  }
  llvm_unreachable("homes are listed above");
}

//===-- Parts of a whole ----------------------------------------------------------------------===//

tile::CatOp cpu::catOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !tileTypeOf(value) || !value.hasOneUse())
    return {};
  auto cat = llvm::dyn_cast<tile::CatOp>(*value.user_begin());
  // A reshape to another shape has no words of its own.
  auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op);
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  bool isWrittenByPosition =
      llvm::isa<tile::CatOp>(op) || (access && access.isLoad()) ||
      (canFuse(op) && !transposeOf(op) && (!reshape || analysis::keepsCoordinates(reshape)));
  return cat && isWrittenByPosition && cat->getBlock() == op->getBlock() ? cat : tile::CatOp();
}

bool cpu::isAssembled(Operation *op) {
  return llvm::isa<tile::CatOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value part) { return catOf(part) != nullptr; });
}

//===-- Places --------------------------------------------------------------------------------===//

Home Placements::home(Value value) const {
  auto found = all.find(value);
  return found == all.end() ? Home::Register : found->second.home;
}

void Placements::set(Value value, Home home, Reason reason,
                     llvm::ArrayRef<Operation *> operations) {
  all[value] = {home, reason, llvm::SmallVector<Operation *, 1>(operations)};
}

std::optional<unsigned> Placements::rowOnly(Value value) const {
  auto found = rowDims.find(value);
  return found == rowDims.end() ? std::nullopt : std::optional(found->second);
}

void Placements::keepOneRow(Value value, unsigned dim) {
  set(value, Home::Buffer, Reason::OneRow);
  rowDims[value] = dim;
}

Value Placements::reshapedFrom(Value value) const {
  auto reshape = value.getDefiningOp<tile::ReshapeOp>();
  while (reshape && home(value) == Home::Fused && tileTypeOf(reshape.getSource())) {
    value = reshape.getSource();
    reshape = value.getDefiningOp<tile::ReshapeOp>();
  }
  return value;
}

bool Placements::isRowMajor(Value value) const {
  value = reshapedFrom(value);
  Home where = tileTypeOf(value) ? home(value) : Home::Register;
  return where == Home::Constant || (where == Home::Buffer && !rowOnly(value) && !catOf(value));
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
    if (tileTypeOf(next) && home(next) == Home::Fused)
      llvm::append_range(values, op->getOperands());
  }
}

void Placements::forEachReader(Value value, llvm::function_ref<void(Operation *)> visit) const {
  llvm::SmallVector<Value> fused = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!fused.empty())
    for (Operation *user : fused.pop_back_val().getUsers()) {
      if (!seen.insert(user).second)
        continue;
      visit(user);
      for (Value result : user->getResults())
        if (home(result) == Home::Fused && tileTypeOf(result))
          fused.push_back(result);
    }
}
