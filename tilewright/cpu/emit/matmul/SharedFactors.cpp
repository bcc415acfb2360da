// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedFactors.h.

#include "tilewright/cpu/emit/matmul/SharedFactors.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::LogicalResult;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

static Value compare(LoopBuilder &b, arith::CmpIPredicate how, Value left, Value right) {
  return arith::CmpIOp::create(b, how, left, right);
}

static Value isBelow(LoopBuilder &b, Value left, Value right) {
  return compare(b, arith::CmpIPredicate::ult, left, right);
}

static Value isAtMost(LoopBuilder &b, Value left, Value right) {
  return compare(b, arith::CmpIPredicate::ule, left, right);
}

//===-- At the beginning of a range of blocks -------------------------------------------------===//

/// The sum (next function: the product), or all ones on overflow. LLVM takes long for long chains
/// of conditions, so overflow saturates instead of being tracked in flags.
static Value addUpToAllOnes(LoopBuilder &b, Value left, Value right) {
  return LLVM::UAddSat::create(b, left, right);
}

static Value multiplyUpToAllOnes(LoopBuilder &b, Value left, Value right) {
  auto product = arith::MulUIExtendedOp::create(b, left, right);
  Value fits = compare(b, arith::CmpIPredicate::eq, product.getHigh(), b.i64(0));
  return arith::SelectOp::create(b, fits, product.getLow(), b.i64(-1));
}

/// The addresses from the first to the last element, of which none has negative coordinates. An
/// empty tensor has no last element: its extents minus 1 overflow. If the end is not below all
/// ones, the range is the whole address space.
SharedFactors::Range SharedFactors::rangeOf(mlir::Operation *tensor) {
  auto [known, isNew] = ranges.try_emplace(tensor);
  if (!isNew)
    return known->second;
  const emit::ViewValue &view = views.tensor(tensor->getResult(0));
  auto type = llvm::cast<tile::TensorViewType>(tensor->getResult(0).getType());
  // In bytes; elements that share a byte count one byte each.
  Value bytes = b.i64(elementwise::wordBytes(type.getElementType()));
  Value last = b.i64(0);
  for (auto [extent, stride] : llvm::zip_equal(view.extents, view.strides)) {
    Value steps = arith::SubIOp::create(b, extent, b.i64(1));
    last = addUpToAllOnes(b, last, multiplyUpToAllOnes(b, steps, stride));
  }
  Value end =
      addUpToAllOnes(b, addUpToAllOnes(b, view.base, bytes), multiplyUpToAllOnes(b, last, bytes));
  Value isAll = compare(b, arith::CmpIPredicate::eq, end, b.i64(-1));
  return ranges[tensor] = {arith::SelectOp::create(b, isAll, b.i64(0), view.base), end};
}

/// Whether the launch stores nothing to the tensor.
Value SharedFactors::isApartFromStores(mlir::Operation *tensor) {
  Value all;
  for (mlir::Operation *stored : plan.memory.stored) {
    Range from = rangeOf(tensor), to = rangeOf(stored);
    all = b.conjunction(all, arith::OrIOp::create(b, isAtMost(b, from.end, to.first),
                                                  isAtMost(b, to.end, from.first)));
  }
  return all;
}

Value SharedFactors::isUnstored(tile::LoadViewOp load) const {
  return unstored.lookup(plan.memory.unstoredTensorOf(load));
}

/// Whether several blocks of the grid may need the same tiles.
Value SharedFactors::isReused(const SharedOperand &shared) {
  if (shared.varies & variesOtherwise)
    return {};
  Value any;
  for (unsigned dim : {0, 1, 2}) {
    if (shared.varies & (1u << dim))
      continue;
    Value several = isBelow(b, b.i64(1), b.zeroExtended(frame.gridSize[dim]));
    any = any ? arith::OrIOp::create(b, any, several).getResult() : several;
  }
  return any; // null: each tile is used by one block, unless coordinates are divided
}

LogicalResult SharedFactors::begin() {
  llvm::SetVector<mlir::Operation *> needs;
  llvm::SetVector<mlir::Operation *> tensors;
  for (const auto &[op, matmul] : plan.matmuls) {
    for (unsigned operand : {0, 1}) {
      if (matmul.shared[operand])
        tensors.insert_range(matmul.shared[operand]->loaded);
      if (matmul.inTensor[operand])
        tensors.insert(plan.memory.unstoredTensorOf(matmul.inTensor[operand]));
    }
  }
  auto need = [&](mlir::Operation *tensor) {
    (void)isLaunchInvariant(tensor->getResult(0), needs);
  };
  llvm::for_each(tensors, need);
  if (!tensors.empty())
    llvm::for_each(plan.memory.stored, need);
  for (mlir::Operation *op : needs)
    if (llvm::failed(operations.emit(op)))
      return llvm::failure();
  for (mlir::Operation *tensor : tensors)
    unstored[tensor] = isApartFromStores(tensor);
  for (const auto &[op, matmul] : plan.matmuls)
    for (unsigned operand : {0, 1}) {
      if (!matmul.shared[operand])
        continue;
      const SharedOperand &shared = *matmul.shared[operand];
      Value mayBeShared = isReused(shared);
      for (mlir::Operation *tensor : shared.loaded)
        mayBeShared = b.conjunction(mayBeShared, unstored.lookup(tensor));
      mayShare[{op, operand}] = mayBeShared;
    }
  if (plan.sharesFactors()) {
    Value kept = LLVM::LoadOp::create(b, b.getI64Type(), b.byteAddress(frame.launch, b.i64(40)));
    b.branch(
        compare(b, arith::CmpIPredicate::ne, kept, b.i64(0)), [] {},
        [&] { buffers.clearSlotHeaders(); });
  }
  return llvm::success();
}

//===-- Before a loop -------------------------------------------------------------------------===//

Value SharedFactors::keyAddress(Value header, size_t number) {
  return b.byteAddress(header, b.i64(8 * int64_t(number + 1)));
}

void SharedFactors::open(tile::ForOp loop, Value tripCount, Value runs) {
  for (mlir::Operation &op : *loop.body())
    for (unsigned operand : {0, 1}) {
      auto matmul = plan.matmuls.find(&op);
      if (matmul == plan.matmuls.end() || !matmul->second.shared[operand])
        continue;
      const SharedOperand &shared = *matmul->second.shared[operand];
      Value most = b.i64(shared.slotGroups * matmul->second.iterations);
      Value isShared = b.conjunction(runs, isAtMost(b, tripCount, most));
      isShared = b.conjunction(isShared, mayShare.lookup({&op, operand}));
      slots[{&op, operand}] = lookUp({&op, operand}, shared, isShared);
    }
}

/// Looks up the cache entry for the keys, and takes it over if the operand is cached.
SharedFactors::Slot SharedFactors::lookUp(Operand operand, const SharedOperand &shared,
                                          Value isShared) {
  llvm::SmallVector<Value> keys;
  Value sum = b.i64(0), differs;
  for (Value key : shared.keys) {
    keys.push_back(b.zeroExtended(frame.scalar(key)));
    sum = b.add(sum, keys.back());
  }
  // Interleaved blocks have consecutive keys.
  Value slot = arith::AndIOp::create(b, sum, b.i64(shared.slots - 1));
  Value header = b.byteAddress(buffers.slotHeaders(operand.first, operand.second),
                               b.mul(slot, b.i64(SharedOperand::headerBytes)));
  Value words = b.byteAddress(buffers.slots(operand.first, operand.second),
                              b.mul(slot, b.i64(shared.slotBytes())));
  for (auto [number, key] : llvm::enumerate(keys)) {
    Value found = LLVM::LoadOp::create(b, b.getI64Type(), keyAddress(header, number));
    Value other = compare(b, arith::CmpIPredicate::ne, found, key);
    differs = differs ? arith::OrIOp::create(b, differs, other).getResult() : other;
  }
  if (!differs)
    return {isShared, header, words}; // the same tiles for all blocks
  auto takeSlot = [&] {
    LLVM::StoreOp::create(b, b.i64(0), header);
    for (auto [number, key] : llvm::enumerate(keys))
      LLVM::StoreOp::create(b, key, keyAddress(header, number));
  };
  b.branch(arith::AndIOp::create(b, isShared, differs), takeSlot, [] {});
  return {isShared, header, words};
}

//===-- In an iteration -----------------------------------------------------------------------===//

FactorPlace SharedFactors::placeOf(mlir::Operation *product, unsigned operand) {
  Value scratch = buffers.scratch(product, operand);
  const MatmulPlan &matmul = plan.matmulOf(product);
  if (!matmul.shared[operand])
    return {scratch, {}, {}, {}, {}, {}};
  const SharedOperand &shared = *matmul.shared[operand];
  const LoopFrame &loop = frame.loops.back();
  auto [isShared, header, ofSlot] = slots.lookup({product, operand});
  Value iteration = arith::SubIOp::create(b, loop.tripCount, loop.left);
  Value group = b.createOrFold<arith::DivUIOp>(iteration, b.i64(matmul.iterations));
  Value words = b.byteAddress(ofSlot, b.mul(group, b.i64(shared.groupBytes)));
  Value packed = LLVM::LoadOp::create(b, b.getI64Type(), header);
  Value isPacked = arith::AndIOp::create(b, isShared, isBelow(b, iteration, packed));
  words = arith::SelectOp::create(b, isShared, words, scratch);
  return {words, isPacked, packed, header, isShared, iteration};
}

void SharedFactors::markPacked(const FactorPlace &place) {
  if (!place.isPacked)
    return;
  Value more = b.add(place.iteration, b.i64(1));
  LLVM::StoreOp::create(b, arith::SelectOp::create(b, place.isShared, more, place.packedBefore),
                        place.header);
}
