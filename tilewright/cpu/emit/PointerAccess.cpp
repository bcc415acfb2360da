// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PointerAccess.h.

#include "tilewright/cpu/emit/PointerAccess.h"
#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/Scratch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::LogicalResult;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

static mlir::Type pointeeOf(Value pointers) {
  auto type = llvm::cast<tile::TileType>(pointers.getType());
  return llvm::cast<tile::PointerType>(type.getElementType()).getPointeeType();
}

//===-- Contiguous ----------------------------------------------------------------------------===//

/// Addresses grow by one from lane to lane, so that the first and the last are as far apart as
/// they should be unless one in between has wrapped around.
Value PointerAccess::areContiguous(Value pointers, const Position &position, Value &first) {
  Position one = position;
  one.width = 1;
  first = evaluator.evaluate(pointers, one);
  one.at[position.lanes] = b.add(one.at[position.lanes], b.i64(position.width - 1));
  Value last = evaluator.evaluate(pointers, one);
  unsigned bits = numerics::info(*tile::formatOf(pointeeOf(pointers))).storageBits;
  Value distance = arith::SubIOp::create(b, last, first);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, distance,
                               b.i64((position.width - 1) * bits / 8));
}

//===-- Accesses ------------------------------------------------------------------------------===//

LogicalResult PointerAccess::checkPointee(mlir::Operation *op, Value pointers) {
  // Two elements share an address, so that a pointer does not tell which one it means
  // (operations, 4.9).
  if (llvm::isa<mlir::Float4E2M1FNType>(pointeeOf(pointers)))
    return operations.unsupported(op, "access to f4E2M1FN elements through pointers");
  return llvm::success();
}

AddressSet cpu::addressesOf(Evaluator &evaluator, Value pointers, Value mask,
                            const Position &position) {
  AddressSet set;
  (position.width == 1 ? set.address : set.addresses) = evaluator.evaluate(pointers, position);
  set.mask = mask;
  return set;
}

/// The addresses of a gather, with an address for each lane that is computed by itself: indices in
/// memory go to the processor's addresses without a vector in between.
AddressSet PointerAccess::eachLaneOf(tile::LoadPtrOp op, Value mask, const Position &position) {
  AddressSet set;
  set.mask = mask;
  size_t outer = cache.size();
  for (int64_t i = 0; i < position.width; ++i) {
    ValueCache::Scope scope(cache);
    Position one = cacheLane(position, outer, i);
    Value address = evaluator.evaluate(op.getSource(), one);
    if (mask)
      address = arith::SelectOp::create(b, evaluator.evaluate(op.getMask(), one), address,
                                        globals.addressOfZero());
    set.each.push_back(address);
  }
  return set;
}

/// Lane `i` of the position. Of the first `count` entries of the value cache, those of the position
/// get an entry for the lane.
Position PointerAccess::cacheLane(const Position &position, size_t count, int64_t i) {
  Value at = b.add(position.at[position.lanes], b.i64(i));
  auto laneOf = [&](Position one) {
    one.at[one.lanes] = at;
    one.width = 1;
    return one;
  };
  for (size_t number = 0; number < count; ++number) {
    ValueCache::Entry entry = cache[number];
    if (entry.position.width != position.width || placements.of(entry.tile) != Placement::InLoop ||
        entry.position.at[entry.position.lanes] != position.at[position.lanes])
      continue;
    Value value = mlir::vector::ExtractOp::create(b, entry.value, i);
    cache.insert(entry.tile, laneOf(entry.position), value);
  }
  return laneOf(position);
}

/// Whether the addresses of a gather, and its mask, cost little where each is computed by itself.
bool PointerAccess::isCheap(tile::LoadPtrOp op) const {
  unsigned cost = 0;
  for (Value operand : {Value(op.getSource()), Value(op.getMask())})
    if (operand)
      placements.forEachMaker(operand, [&](mlir::Operation *maker) {
        cost += tileTypeOf(maker->getResult(0)) && canFuse(maker) ? costOf(maker) : 0;
      });
  return cost <= 12;
}

static bool mayBeContiguous(Value pointers, const Position &position) {
  return position.width > 1 && position.lanes == analysis::contiguousDimension(pointers);
}

static void remarkOnAccess(mlir::Operation *op, Value pointers, const Position &position) {
  if (position.width > 1)
    remark(op->getLoc(),
           mayBeContiguous(pointers, position)
               ? "accessed by vectors where addresses follow each other, else gathered "
                 "or scattered"
               : "gathered or scattered: addresses are not known to follow each other");
  else if (tileTypeOf(pointers))
    remark(op->getLoc(), "accessed element by element: it is ordered, or has few elements");
}

Value PointerAccess::read(tile::LoadPtrOp op, const Position &position) {
  Value pointers = op.getSource(), padding;
  remarkOnAccess(op, pointers, position);
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  Value mask = op.getMask() ? evaluator.evaluate(op.getMask(), position) : Value();
  if (mask && op.getPaddingValue())
    padding = evaluator.evaluate(op.getPaddingValue(), position);
  auto readAll = [&](const AddressSet &from) {
    return memory.read(from, pointeeOf(pointers), padding, position.width, ordering);
  };
  if (!mayBeContiguous(pointers, position)) {
    bool byScalars = position.width > 1 && !target.hasFastGather && isCheap(op);
    return readAll(byScalars ? eachLaneOf(op, mask, position)
                             : addressesOf(evaluator, pointers, mask, position));
  }
  AddressSet row;
  row.mask = mask;
  Value contiguous = areContiguous(pointers, position, row.address);
  return b.chooseValue(
      contiguous, [&] { return readAll(row); },
      [&] { return readAll(addressesOf(evaluator, pointers, mask, position)); });
}

void PointerAccess::write(tile::StorePtrOp op, const Position &position) {
  Value pointers = op.getDestination(), value = evaluator.evaluate(op.getValue(), position);
  remarkOnAccess(op, pointers, position);
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  Value mask = op.getMask() ? evaluator.evaluate(op.getMask(), position) : Value();
  auto writeAll = [&](const AddressSet &to) {
    memory.write(to, pointeeOf(pointers), value, ordering);
  };
  if (!mayBeContiguous(pointers, position))
    return writeAll(addressesOf(evaluator, pointers, mask, position));
  AddressSet row;
  row.mask = mask;
  Value contiguous = areContiguous(pointers, position, row.address);
  b.branch(
      contiguous, [&] { writeAll(row); },
      [&] { writeAll(addressesOf(evaluator, pointers, mask, position)); });
}

/// Calls `access` for all positions: by lanes along the dimension along which they are contiguous,
/// if there is one.
void PointerAccess::forEachPosition(Value pointers, bool oneByOne,
                                    llvm::function_ref<void(const Position &)> access) {
  tile::TileType type = tileTypeOf(pointers);
  b.forEach(type ? type.getShape() : llvm::ArrayRef<int64_t>(), oneByOne ? 1 : 16, access,
            oneByOne ? -1 : analysis::contiguousDimension(pointers));
}

LogicalResult PointerAccess::emitLoad(tile::LoadPtrOp op) {
  if (llvm::failed(checkPointee(op, op.getSource())))
    return llvm::failure();
  bool isWeak = op.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak;
  Value result = op.getResult();
  forEachPosition(op.getSource(), !isWeak, [&](const Position &position) {
    Value value = read(op, position);
    if (tileTypeOf(result))
      buffers.writeTile(result, position, value);
    else
      frame.scalars[result] = value;
  });
  return llvm::success();
}

LogicalResult PointerAccess::emitStore(tile::StorePtrOp op) {
  if (llvm::failed(checkPointee(op, op.getDestination())))
    return llvm::failure();
  bool isWeak = op.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak;
  forEachPosition(op.getDestination(), !isWeak,
                  [&](const Position &position) { write(op, position); });
  return llvm::success();
}

//===-- alloca --------------------------------------------------------------------------------===//

void PointerAccess::emitAlloca(tile::AllocaOp op) {
  Value pointer = buffers.arenaAddress(*buffers.scratchOffset(op));
  Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), pointer);
  if (op.getAlignment() > arenaAlignment) {
    address = b.add(address, b.i64(op.getAlignment() - 1));
    address = arith::AndIOp::create(b, address, b.i64(-op.getAlignment()));
  }
  frame.scalars[op.getResult()] = address;
}
