// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is memory reached through tiles of pointers? Every lane has an address of its own,
// and a mask says which of them are looked at (operations, 7). Where addresses are known to
// follow each other, because they are a base plus 0, 1, 2, ..., they are one access.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"

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

//===-- Neighbours ----------------------------------------------------------------------------===//

/// Elements grow by one from lane to lane, so that the first and the last are as far apart as
/// they should be unless one in between has wrapped around.
Value KernelEmitter::areNeighbours(Value pointers, const Position &position, Value &first) {
  Position one = position;
  one.width = 1;
  first = evaluate(pointers, one);
  one.at[position.lanes] = b.add(one.at[position.lanes], b.i64(position.width - 1));
  Value last = evaluate(pointers, one);
  unsigned bits = numerics::info(*tile::formatOf(pointeeOf(pointers))).storageBits;
  Value distance = arith::SubIOp::create(b, last, first);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, distance,
                               b.i64((position.width - 1) * bits / 8));
}

//===-- Accesses ------------------------------------------------------------------------------===//

LogicalResult KernelEmitter::checkPointee(mlir::Operation *op, Value pointers) {
  // Two elements share an address, so that a pointer does not tell which one it means
  // (operations, 4.9).
  if (llvm::isa<mlir::Float4E2M1FNType>(pointeeOf(pointers)))
    return unsupported(op, "access to f4E2M1FN elements through pointers");
  return llvm::success();
}

/// What the pointers at the position reach if they are taken one by one.
KernelEmitter::Reach KernelEmitter::eachOf(Value pointers, Value mask, const Position &position) {
  Reach reach;
  (position.width == 1 ? reach.address : reach.addresses) = evaluate(pointers, position);
  reach.mask = mask;
  return reach;
}

/// The same for a gather, with an address for each lane that is computed by itself: indices in
/// memory go to the processor's addresses without a vector in between.
KernelEmitter::Reach KernelEmitter::eachLaneOf(tile::LoadPtrOp op, Value mask,
                                               const Position &position) {
  Reach reach;
  reach.mask = mask;
  size_t outer = cache.size();
  for (int64_t i = 0; i < position.width; ++i) {
    ValueCache::Scope scope(cache);
    Position one = cacheLane(position, outer, i);
    Value address = evaluate(op.getSource(), one);
    if (mask)
      address =
          arith::SelectOp::create(b, evaluate(op.getMask(), one), address, globals.addressOfZero());
    reach.each.push_back(address);
  }
  return reach;
}

/// Lane `i` of the position. Of the first `count` entries of the value cache, those of the position
/// get an entry for the lane.
Position KernelEmitter::cacheLane(const Position &position, size_t count, int64_t i) {
  Value at = b.add(position.at[position.lanes], b.i64(i));
  auto laneOf = [&](Position one) {
    one.at[one.lanes] = at;
    one.width = 1;
    return one;
  };
  for (size_t number = 0; number < count; ++number) {
    ValueCache::Entry entry = cache[number];
    if (entry.position.width != position.width || plan->home(entry.tile) != Home::Loop ||
        entry.position.at[entry.position.lanes] != position.at[position.lanes])
      continue;
    Value value = mlir::vector::ExtractOp::create(b, entry.value, i);
    cache.insert(entry.tile, laneOf(entry.position), value);
  }
  return laneOf(position);
}

/// Whether the addresses of a gather, and its mask, cost little where each is computed by itself.
bool KernelEmitter::isCheap(tile::LoadPtrOp op) const {
  unsigned cost = 0;
  for (Value operand : {Value(op.getSource()), Value(op.getMask())})
    if (operand)
      plan->forEachMaker(operand, [&](mlir::Operation *maker) {
        cost += tileTypeOf(maker->getResult(0)) && canFuse(maker) ? costOf(maker) : 0;
      });
  return cost <= 12;
}

static bool mayFollow(Value pointers, const Position &position) {
  return position.width > 1 && position.lanes == analysis::contiguousDimension(pointers);
}

static void remarkOnAccess(mlir::Operation *op, Value pointers, const Position &position) {
  if (position.width > 1)
    remark(op->getLoc(),
           mayFollow(pointers, position)
               ? "accessed by vectors where addresses follow each other, else gathered "
                 "or scattered"
               : "gathered or scattered: addresses are not known to follow each other");
  else if (tileTypeOf(pointers))
    remark(op->getLoc(), "accessed element by element: it is ordered, or has few elements");
}

Value KernelEmitter::readPointers(tile::LoadPtrOp op, const Position &position) {
  Value pointers = op.getSource(), padding;
  remarkOnAccess(op, pointers, position);
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  Value mask = op.getMask() ? evaluate(op.getMask(), position) : Value();
  if (mask && op.getPaddingValue())
    padding = evaluate(op.getPaddingValue(), position);
  auto readAll = [&](const Reach &from) {
    return read(from, pointeeOf(pointers), padding, position.width, ordering);
  };
  if (!mayFollow(pointers, position)) {
    bool byScalars = position.width > 1 && !target.hasFastGather && isCheap(op);
    return readAll(byScalars ? eachLaneOf(op, mask, position) : eachOf(pointers, mask, position));
  }
  Reach row;
  row.mask = mask;
  Value follow = areNeighbours(pointers, position, row.address);
  auto one = [&](Value value) { return llvm::SmallVector<Value>{value}; };
  return b.choose(
      follow, [&] { return one(readAll(row)); },
      [&] { return one(readAll(eachOf(pointers, mask, position))); })[0];
}

void KernelEmitter::writePointers(tile::StorePtrOp op, const Position &position) {
  Value pointers = op.getDestination(), value = evaluate(op.getValue(), position);
  remarkOnAccess(op, pointers, position);
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  Value mask = op.getMask() ? evaluate(op.getMask(), position) : Value();
  auto writeAll = [&](const Reach &to) { write(to, pointeeOf(pointers), value, ordering); };
  if (!mayFollow(pointers, position))
    return writeAll(eachOf(pointers, mask, position));
  Reach row;
  row.mask = mask;
  Value follow = areNeighbours(pointers, position, row.address);
  b.branch(
      follow, [&] { writeAll(row); }, [&] { writeAll(eachOf(pointers, mask, position)); });
}

/// Calls `access` for all positions: by lanes along the dimension of neighbours, if there is one.
void KernelEmitter::forEachPointer(Value pointers, bool oneByOne,
                                   llvm::function_ref<void(const Position &)> access) {
  tile::TileType type = tileTypeOf(pointers);
  b.forEach(type ? type.getShape() : llvm::ArrayRef<int64_t>(), oneByOne ? 1 : 16, access,
            oneByOne ? -1 : analysis::contiguousDimension(pointers));
}

LogicalResult KernelEmitter::emitLoadPointers(tile::LoadPtrOp op) {
  if (llvm::failed(checkPointee(op, op.getSource())))
    return llvm::failure();
  bool isWeak = op.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak;
  Value result = op.getResult();
  forEachPointer(op.getSource(), !isWeak, [&](const Position &position) {
    Value value = readPointers(op, position);
    if (tileTypeOf(result))
      writeTile(result, position, value);
    else
      scalars[result] = value;
  });
  return llvm::success();
}

LogicalResult KernelEmitter::emitStorePointers(tile::StorePtrOp op) {
  if (llvm::failed(checkPointee(op, op.getDestination())))
    return llvm::failure();
  bool isWeak = op.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak;
  forEachPointer(op.getDestination(), !isWeak,
                 [&](const Position &position) { writePointers(op, position); });
  return llvm::success();
}

//===-- alloca --------------------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitAlloca(tile::AllocaOp op) {
  Value pointer = arenaAddress(plan->scratchOffset(op));
  Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), pointer);
  if (op.getAlignment() > Plan::alignment) {
    address = b.add(address, b.i64(op.getAlignment() - 1));
    address = arith::AndIOp::create(b, address, b.i64(-op.getAlignment()));
  }
  scalars[op.getResult()] = address;
  return llvm::success();
}
