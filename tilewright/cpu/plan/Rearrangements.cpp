// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do operations that only move elements mean for the plan? A `reshape` is another name for the
// same words; a `cat` has its parts computed where it wants them; a `permute` that turns rows into
// columns is done at once (Transposes.h), and others by who reads them.

#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/cpu/plan/Transposes.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

//===-- The same words ------------------------------------------------------------------------===//

Value Plan::reshapedFrom(Value value) const {
  auto reshape = value.getDefiningOp<tile::ReshapeOp>();
  while (reshape && home(value) == Home::Fused && tileTypeOf(reshape.getSource())) {
    value = reshape.getSource();
    reshape = value.getDefiningOp<tile::ReshapeOp>();
  }
  return value;
}

/// Whether an operation needs the value in memory, whole. Of what is computed, the readers have
/// been asked before.
bool Plan::mustBeRowMajor(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *op) {
    if (auto reshape = llvm::dyn_cast<tile::ReshapeOp>(op))
      return !analysis::keepsCoordinates(reshape) || rowMajor.contains(reshape.getResult());
    if (auto turn = turnOf(op); turn && turn->form == Turn::Form::Separate)
      return home(op->getResult(0)) == Home::Buffer;
    return llvm::isa<tile::PackOp, tile::UnpackOp>(op);
  });
}

bool Plan::isRowMajor(Value value) const {
  value = reshapedFrom(value);
  Home where = tileTypeOf(value) ? home(value) : Home::Register;
  return where == Home::Constant || (where == Home::Buffer && !rowOnly(value) && !catOf(value));
}

//===-- Rows that become columns --------------------------------------------------------------===//

/// A permutation that is done at once, and not by who reads it: it turns rows into columns, and no
/// product reads it, which would lay it out in an order of its own.
bool Plan::isTurned(Operation *op) const {
  return turnOf(op) && comesFromMemory(op->getOperand(0)) &&
         !readByProducts.contains(op->getResult(0));
}

/// Whether elements of the tile are read, and not computed from coordinates and scalars alone.
bool Plan::comesFromMemory(Value value) const {
  return tileTypeOf(value) && (llvm::isa<mlir::BlockArgument>(value) || fromMemory.contains(value));
}

/// Where elements come from, forwards; where they go, backwards.
void Plan::followElements() {
  auto isSplat = [](Operation *op) {
    auto constant = llvm::dyn_cast<tile::ConstantOp>(op);
    return constant && constant.getValue().isSplat();
  };
  for (Operation *op : operations)
    if (canFuse(op)
            ? llvm::any_of(op->getOperands(), [&](Value value) { return comesFromMemory(value); })
            : !isSplat(op))
      fromMemory.insert_range(op->getResults());
  for (Operation *op : llvm::reverse(operations))
    if (isProduct(op) || (canFuse(op) && readByProducts.contains(op->getResult(0))))
      readByProducts.insert_range(op->getOperands());
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
      (canFuse(op) && !turnOf(op) && (!reshape || analysis::keepsCoordinates(reshape)));
  return cat && isWrittenByPosition && cat->getBlock() == op->getBlock() ? cat : tile::CatOp();
}

bool cpu::isAssembled(Operation *op) {
  return llvm::isa<tile::CatOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value part) { return catOf(part) != nullptr; });
}

/// Of a part of what `cat` makes: the buffer of the whole is alive from its first part on.
void Plan::joinBuffer(Value part, tile::CatOp cat, unsigned first) {
  while (tile::CatOp outer = catOf(cat.getResult()))
    cat = outer;
  Value whole = cat.getResult();
  if (!bufferOf.contains(whole))
    giveBuffer(whole, first, std::max(numbers.lookup(cat).second, lastRead(whole)));
  bufferOf[part] = bufferOf[whole];
  if (const Group *group = groupOf(part.getDefiningOp())) { // written where the group runs
    Buffer &buffer = buffers[bufferOf[whole]];
    buffer.last = std::max(buffer.last, numbers.lookup(group->steps.back()).second);
  }
}
