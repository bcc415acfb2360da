// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryAccess.h.

#include "tilewright/cpu/emit/MemoryAccess.h"
#include "tilewright/codegen/workarounds/Workarounds.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Masks ---------------------------------------------------------------------------------===//

namespace {
/// The scalar part of a mask, which all lanes share, and its per-lane part; each may be null.
struct Mask {
  Value all, lanes;
};
} // namespace

/// A condition that all lanes share becomes a branch: it is predicted, and LLVM loses lanes of a
/// mask made from one condition and constants (codegen/workarounds/MaskedAccesses.cpp).
static Mask partsOf(LoopBuilder &b, Value mask) {
  if (!mask || !llvm::isa<mlir::VectorType>(mask.getType()))
    return {mask, {}};
  if (auto broadcast = mask.getDefiningOp<mlir::vector::BroadcastOp>())
    return {broadcast.getSource(), {}};
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return {{}, mask};
  Mask lhs = partsOf(b, both.getLhs()), rhs = partsOf(b, both.getRhs());
  return {b.conjunction(lhs.all, rhs.all), b.conjunction(lhs.lanes, rhs.lanes)};
}

static bool isTooNarrow(int64_t width, mlir::Type elementType) {
  return codegen::workarounds::widensMaskedAccess(width, wordBytes(elementType));
}

AddressSet MemoryAccess::lane(const AddressSet &set, mlir::Type elementType, int64_t i) {
  auto at = [&](Value vector) -> Value { return mlir::vector::ExtractOp::create(b, vector, i); };
  AddressSet one;
  one.address = !set.each.empty() ? set.each[i]
                : set.addresses   ? at(set.addresses)
                                  : b.add(set.address, b.i64(i * wordBytes(elementType)));
  if (set.mask)
    one.mask = at(set.mask);
  return one;
}

/// The address, or, if no lane is enabled, one that is mapped: processors take hundreds of cycles
/// to find that no enabled lane touches an unmapped page. Tiles after the last row of a tensor have
/// such addresses.
Value MemoryAccess::existing(Value address, Value mask) {
  Value any = mlir::vector::ReductionOp::create(b, mlir::vector::CombiningKind::OR, mask);
  Value launch = LLVM::PtrToIntOp::create(b, b.getI64Type(), frame.launch);
  return arith::SelectOp::create(b, any, address, launch);
}

//===-- Gathering -----------------------------------------------------------------------------===//

/// Without branches: disabled lanes read from another address.
Value MemoryAccess::readEach(const AddressSet &from, mlir::VectorType type) {
  Value addresses = from.addresses;
  if (addresses && from.mask)
    addresses = arith::SelectOp::create(b, from.mask, addresses,
                                        b.splat(globals.addressOfZero(), type.getNumElements()));
  llvm::SmallVector<Value> words;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value address = addresses ? mlir::vector::ExtractOp::create(b, addresses, i) : from.each[i];
    words.push_back(LLVM::LoadOp::create(b, type.getElementType(), b.asPointers(address),
                                         type.getElementTypeBitWidth() / 8));
  }
  return mlir::vector::FromElementsOp::create(b, type, words);
}

//===-- Reading -------------------------------------------------------------------------------===//

Value MemoryAccess::readWhole(const AddressSet &from, mlir::Type elementType, Value padding,
                              int64_t width, LLVM::AtomicOrdering ordering) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  Value words;
  if (from.shift) {
    Value both = LLVM::LoadOp::create(b, word, b.asPointers(from.address), bytes,
                                      /*isVolatile=*/false, /*isNonTemporal=*/false,
                                      /*isInvariant=*/false, /*isInvariantGroup=*/false, ordering);
    both = arith::ShRUIOp::create(b, both, from.shift);
    return arith::AndIOp::create(b, both, b.constantBits(word, 15));
  }
  if (width == 1) {
    // Atomic accesses need integer types.
    bool atomically = ordering != LLVM::AtomicOrdering::not_atomic;
    mlir::Type type = atomically ? b.getIntegerType(8 * bytes) : word;
    words = LLVM::LoadOp::create(b, type, b.asPointers(from.address), bytes,
                                 /*isVolatile=*/false, /*isNonTemporal=*/false,
                                 /*isInvariant=*/false, /*isInvariantGroup=*/false, ordering);
    if (type != word)
      words = arith::BitcastOp::create(b, word, words);
  } else {
    auto type = mlir::VectorType::get({width}, word);
    Value paddingWords = padding ? toWord(b, b.getLoc(), padding) : b.constantBits(type, 0);
    Value all =
        from.mask ? from.mask : b.constantBits(mlir::VectorType::get({width}, b.getI1Type()), 1);
    if (!from.each.empty() || (from.addresses && !target.hasFastGather)) {
      words = readEach(from, type);
      if (from.mask)
        words = arith::SelectOp::create(b, from.mask, words, paddingWords);
    } else if (from.addresses)
      words = LLVM::masked_gather::create(b, type, b.asPointers(from.addresses), all, paddingWords,
                                          b.getI32IntegerAttr(bytes));
    else if (from.mask)
      words = LLVM::MaskedLoadOp::create(b, type, b.asPointers(existing(from.address, all)), all,
                                         paddingWords, bytes);
    else
      words = LLVM::LoadOp::create(b, type, b.asPointers(from.address), bytes);
  }
  return fromMemory(b, b.getLoc(), words, elementType);
}

Value MemoryAccess::read(const AddressSet &set, mlir::Type elementType, Value padding,
                         int64_t width, LLVM::AtomicOrdering ordering) {
  AddressSet from = set;
  auto [all, lanes] = partsOf(b, set.mask);
  from.mask = lanes;
  auto readLanes = [&]() -> Value {
    if (!lanes || !isTooNarrow(width, elementType))
      return readWhole(from, elementType, padding, width, ordering);
    llvm::SmallVector<Value> values;
    for (int64_t i = 0; i < width; ++i) {
      Value fill = padding ? mlir::vector::ExtractOp::create(b, padding, i).getResult() : Value();
      values.push_back(read(lane(from, elementType, i), elementType, fill, 1, ordering));
    }
    auto type = mlir::VectorType::get({width}, registerType(elementType));
    return mlir::vector::FromElementsOp::create(b, type, values);
  };
  if (!all)
    return readLanes();
  mlir::Type type = registerType(elementType);
  if (width > 1)
    type = mlir::VectorType::get({width}, type);
  auto op = mlir::scf::IfOp::create(b, type, all, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  mlir::scf::YieldOp::create(b, readLanes());
  b.setInsertionPointToStart(op.elseBlock());
  mlir::scf::YieldOp::create(b, padding ? padding : b.constantBits(type, 0));
  return op.getResult(0);
}

//===-- Writing -------------------------------------------------------------------------------===//

void MemoryAccess::writeWhole(const AddressSet &to, mlir::Type elementType, Value value,
                              LLVM::AtomicOrdering ordering) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  if (to.shift) {
    // Another block may write the other half of the byte at the same time.
    auto how =
        ordering == LLVM::AtomicOrdering::not_atomic ? LLVM::AtomicOrdering::monotonic : ordering;
    auto update = [&](LLVM::AtomicBinOp operation, Value operand) {
      LLVM::AtomicRMWOp::create(b, operation, b.asPointers(to.address), operand, how);
    };
    Value mine = arith::ShLIOp::create(b, b.constantBits(word, 15), to.shift);
    update(LLVM::AtomicBinOp::_and, arith::XOrIOp::create(b, mine, b.constantBits(word, 0xFF)));
    update(LLVM::AtomicBinOp::_or, arith::ShLIOp::create(b, value, to.shift));
    return;
  }
  Value words = toWord(b, b.getLoc(), value);
  auto vector = llvm::dyn_cast<mlir::VectorType>(words.getType());
  if (!vector) {
    if (ordering != LLVM::AtomicOrdering::not_atomic)
      words = b.createOrFold<arith::BitcastOp>(b.getIntegerType(8 * bytes), words);
    LLVM::StoreOp::create(b, words, b.asPointers(to.address), bytes,
                          /*isVolatile=*/false, /*isNonTemporal=*/false,
                          /*isInvariantGroup=*/false, ordering);
    return;
  }
  if (to.addresses && !to.mask && !target.hasFastGather) {
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      writeWhole(lane(to, elementType, i), elementType,
                 mlir::vector::ExtractOp::create(b, value, i), ordering);
    return;
  }
  Value all = to.mask ? to.mask : b.constantBits(shapedLike(b.getI1Type(), vector), 1);
  if (to.addresses)
    LLVM::masked_scatter::create(b, words, b.asPointers(to.addresses), all,
                                 b.getI32IntegerAttr(bytes));
  else if (to.mask)
    LLVM::MaskedStoreOp::create(b, words, b.asPointers(existing(to.address, all)), all,
                                b.getI32IntegerAttr(bytes));
  else
    LLVM::StoreOp::create(b, words, b.asPointers(to.address), bytes);
}

void MemoryAccess::writeNonTemporal(const AddressSet &to, Value value) {
  LLVM::StoreOp::create(b, toWord(b, b.getLoc(), value), b.asPointers(to.address),
                        /*alignment=*/64, /*isVolatile=*/false, /*isNonTemporal=*/true);
}

void MemoryAccess::writeLines(const AddressSet &to, mlir::Type elementType, Value value,
                              Value nonTemporal) {
  if (!nonTemporal)
    return write(to, elementType, value);
  auto op = mlir::scf::IfOp::create(b, nonTemporal, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  writeNonTemporal(to, value);
  b.setInsertionPointToStart(op.elseBlock());
  write(to, elementType, value);
}

/// On x86, non-temporal stores are unordered, even with respect to later releases.
void MemoryAccess::fenceNonTemporal(llvm::ArrayRef<Value> nonTemporal) {
  Value any;
  for (Value each : nonTemporal)
    if (each)
      any = any ? mlir::arith::OrIOp::create(b, any, each).getResult() : each;
  if (!any)
    return;
  auto op = mlir::scf::IfOp::create(b, any, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86.sse.sfence"), mlir::ValueRange());
}

void MemoryAccess::write(const AddressSet &set, mlir::Type elementType, Value value,
                         LLVM::AtomicOrdering ordering) {
  AddressSet to = set;
  auto [all, lanes] = partsOf(b, set.mask);
  to.mask = lanes;
  mlir::OpBuilder::InsertionGuard guard(b);
  if (all) {
    auto op = mlir::scf::IfOp::create(b, all, /*withElseRegion=*/false);
    b.setInsertionPointToStart(op.thenBlock());
  }
  auto vector = llvm::dyn_cast<mlir::VectorType>(value.getType());
  if (!lanes || !isTooNarrow(vector.getNumElements(), elementType))
    return writeWhole(to, elementType, value, ordering);
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    write(lane(to, elementType, i), elementType, mlir::vector::ExtractOp::create(b, value, i),
          ordering);
}
