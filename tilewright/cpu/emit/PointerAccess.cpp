// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PointerAccess.h.

#include "tilewright/cpu/emit/PointerAccess.h"
#include "tilewright/cpu/plan/Plan.h"
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

//===-- Contiguous addresses ------------------------------------------------------------------===//

/// Addresses increase by one from lane to lane, so the first and the last have the expected
/// distance unless one in between wraps around.
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

//===-- Whole rows ----------------------------------------------------------------------------===//

bool PointerAccess::isTestedByRows(mlir::Operation *op) const {
  return llvm::isa<tile::LoadPtrOp, tile::StorePtrOp>(op) &&
         plan.accesses.find(op)->second.rowMask.has_value();
}

/// Whether a comparison holds along a whole row (RowMask): its lhs increases by `distance` from the
/// first to the last element without wrapping, and stays below the bound.
Value PointerAccess::isRange(tile::CmpIOp op, const Position &first, const Position &last,
                             int64_t distance) {
  bool isSigned = op.getSignedness() == tile::Signedness::Signed;
  Value from = evaluator.evaluate(op.getLhs(), first), to = evaluator.evaluate(op.getLhs(), last);
  Value bound = evaluator.evaluate(op.getRhs(), first);
  auto compare = [&](arith::CmpIPredicate ifSigned, arith::CmpIPredicate ifNot, Value a, Value c) {
    return arith::CmpIOp::create(b, isSigned ? ifSigned : ifNot, a, c).getResult();
  };
  Value grows = compare(arith::CmpIPredicate::sle, arith::CmpIPredicate::ule, from, to);
  Value isBelow = compare(arith::CmpIPredicate::slt, arith::CmpIPredicate::ult, to, bound);
  Value isEven =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arith::SubIOp::create(b, to, from),
                            b.constantBits(from.getType(), distance));
  return b.conjunction(b.conjunction(grows, isBelow), isEven);
}

PointerAccess::WholeRow PointerAccess::testRow(mlir::Operation *op, const Position &row,
                                               int64_t dim) {
  ValueCache::Scope scope(cache);
  Value pointers = llvm::cast<tile::MemoryAccessOpInterface>(op).getAddressed();
  int64_t extent = tileTypeOf(pointers).getShape()[dim];
  Position whole = row;
  whole.at[dim] = b.i64(0);
  whole.lanes = dim;
  whole.width = extent;
  WholeRow found;
  found.isWhole = areContiguous(pointers, whole, found.address);
  Position first = whole, last = whole;
  first.width = last.width = 1;
  last.at[dim] = b.i64(extent - 1);
  const analysis::RowMask &mask = *plan.accesses.find(op)->second.rowMask;
  for (Value splat : mask.splats)
    found.isWhole = b.conjunction(found.isWhole, evaluator.evaluate(splat, first));
  for (tile::CmpIOp range : mask.ranges)
    found.isWhole = b.conjunction(found.isWhole, isRange(range, first, last, extent - 1));
  return found;
}

AddressSet PointerAccess::inRow(Value row, mlir::Type pointee, const Position &position) {
  unsigned bits = numerics::info(*tile::formatOf(pointee)).storageBits;
  AddressSet set;
  set.address = b.add(row, b.mul(position.at[position.lanes], b.i64(bits / 8)));
  return set;
}

//===-- Accesses ------------------------------------------------------------------------------===//

LogicalResult PointerAccess::checkPointee(mlir::Operation *op, Value pointers) {
  // Two elements share an address, so a pointer does not determine which one it means (operations,
  // 4.9).
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

/// The addresses of a gather, each computed as a scalar: indices in memory become addresses without
/// an intermediate vector.
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

/// The position of lane `i`. Copies those of the first `count` value cache entries that are at the
/// position to entries for the lane.
Position PointerAccess::cacheLane(const Position &position, size_t count, int64_t i) {
  Value at = b.add(position.at[position.lanes], b.i64(i));
  auto laneOf = [&](Position one) {
    one.at[one.lanes] = at;
    one.width = 1;
    return one;
  };
  for (size_t number = 0; number < count; ++number) {
    ValueCache::Entry entry = cache[number];
    if (entry.position.width != position.width ||
        plan.placements.of(entry.tile) != Placement::InLoop ||
        entry.position.at[entry.position.lanes] != position.at[position.lanes])
      continue;
    Value value = mlir::vector::ExtractOp::create(b, entry.value, i);
    cache.insert(entry.tile, laneOf(entry.position), value);
  }
  return laneOf(position);
}

Value PointerAccess::read(tile::LoadPtrOp op, const Position &position) {
  const Access &access = plan.accesses.find(op)->second;
  Value pointers = op.getSource(), padding;
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  if (Value wholeRow = wholeRows ? wholeRows->lookup(op).address : Value())
    return memory.read(inRow(wholeRow, pointeeOf(pointers), position), pointeeOf(pointers), {},
                       position.width, ordering);
  Value mask = op.getMask() ? evaluator.evaluate(op.getMask(), position) : Value();
  if (mask && op.getPaddingValue())
    padding = evaluator.evaluate(op.getPaddingValue(), position);
  auto readAll = [&](const AddressSet &from) {
    return memory.read(from, pointeeOf(pointers), padding, position.width, ordering);
  };
  if (access.rows != Rows::Tested)
    return readAll(access.hasScalarAddresses ? eachLaneOf(op, mask, position)
                                             : addressesOf(evaluator, pointers, mask, position));
  AddressSet row;
  row.mask = mask;
  Value contiguous = areContiguous(pointers, position, row.address);
  return b.chooseValue(
      contiguous, [&] { return readAll(row); },
      [&] { return readAll(addressesOf(evaluator, pointers, mask, position)); });
}

void PointerAccess::write(tile::StorePtrOp op, const Position &position) {
  Value pointers = op.getDestination(), value = evaluator.evaluate(op.getValue(), position);
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  const PointerRow row = wholeRows ? wholeRows->lookup(op) : PointerRow();
  if (row.address) // for weak stores
    return memory.writeLines(inRow(row.address, pointeeOf(pointers), position), pointeeOf(pointers),
                             value, row.nonTemporal);
  Value mask = op.getMask() ? evaluator.evaluate(op.getMask(), position) : Value();
  auto writeAll = [&](const AddressSet &to) {
    memory.write(to, pointeeOf(pointers), value, ordering);
  };
  if (plan.accesses.find(op)->second.rows != Rows::Tested)
    return writeAll(addressesOf(evaluator, pointers, mask, position));
  AddressSet lanes;
  lanes.mask = mask;
  Value contiguous = areContiguous(pointers, position, lanes.address);
  b.branch(
      contiguous, [&] { writeAll(lanes); },
      [&] { writeAll(addressesOf(evaluator, pointers, mask, position)); });
}

/// Calls `body` for all positions of an access outside of groups.
void PointerAccess::forEachPosition(mlir::Operation *op,
                                    llvm::function_ref<void(const Position &)> body) {
  const Access &access = plan.accesses.find(op)->second;
  tile::TileType type = tileTypeOf(llvm::cast<tile::MemoryAccessOpInterface>(op).getAddressed());
  b.forEach(type ? type.getShape() : llvm::ArrayRef<int64_t>(), access.width, body, access.laneDim);
}

LogicalResult PointerAccess::emitLoad(tile::LoadPtrOp op) {
  if (llvm::failed(checkPointee(op, op.getSource())))
    return llvm::failure();
  Value result = op.getResult();
  forEachPosition(op, [&](const Position &position) {
    Value value = read(op, position);
    if (tileTypeOf(result))
      buffers.writeTile(result, position, value);
    else
      frame.scalars.define(result, value);
  });
  return llvm::success();
}

LogicalResult PointerAccess::emitStore(tile::StorePtrOp op) {
  if (llvm::failed(checkPointee(op, op.getDestination())))
    return llvm::failure();
  forEachPosition(op, [&](const Position &position) { write(op, position); });
  return llvm::success();
}

//===-- alloca --------------------------------------------------------------------------------===//

void PointerAccess::emitAlloca(tile::AllocaOp op) {
  Value pointer = buffers.scratch(op);
  Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), pointer);
  if (op.getAlignment() > arenaAlignment) {
    address = b.add(address, b.i64(op.getAlignment() - 1));
    address = arith::AndIOp::create(b, address, b.i64(-op.getAlignment()));
  }
  frame.scalars.define(op.getResult(), address);
}
