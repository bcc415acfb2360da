// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does an atomic leave in memory? Each enabled element is a transaction of its
// own: it reads the old value and writes a new one, in row-major order, so that
// elements with one address see each other's results (operations, 9).

#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/reference/Access.h"
#include "tilewright/reference/Operations.h"

using namespace tilewright;
using namespace tilewright::reference;
using numerics::Signedness;
using tile::AtomicRMWMode;

Element reference::combine(AtomicRMWMode mode, Element old, Element operand) {
  switch (mode) {
  case AtomicRMWMode::And:
    return numerics::andI(old, operand);
  case AtomicRMWMode::Or:
    return numerics::orI(old, operand);
  case AtomicRMWMode::Xor:
    return numerics::xorI(old, operand);
  case AtomicRMWMode::Add:
    return numerics::addI(old, operand);
  case AtomicRMWMode::AddF:
    return numerics::addF(old, operand);
  case AtomicRMWMode::Max:
    return numerics::maxI(old, operand, Signedness::Signed);
  case AtomicRMWMode::Min:
    return numerics::minI(old, operand, Signedness::Signed);
  case AtomicRMWMode::UMax:
    return numerics::maxI(old, operand, Signedness::Unsigned);
  case AtomicRMWMode::UMin:
    return numerics::minI(old, operand, Signedness::Unsigned);
  case AtomicRMWMode::Xchg:
    return operand;
  }
  llvm_unreachable("modes are listed above");
}

LogicalResult reference::execute(TileBlock &block, tile::AtomicRMWOp op) {
  const Tile &operand = block.tile(op.getArg());
  // The result of a disabled element is not specified.
  Tile result = Tile::splat(operand.shape(), Element::poisoned(operand.format()));
  auto visit = [&](int64_t i, Place place) {
    auto update = [&](Element old) { return combine(op.getMode(), old, operand[i]); };
    std::optional<Element> old = exchange(block, op, {operand.shape(), i}, place, update);
    if (old)
      result.set(i, *old);
    return llvm::success(old.has_value());
  };
  if (llvm::failed(forEachPointer(block, op, op.getPointers(), op.getMask(), visit)))
    return llvm::failure();
  (void)block.define(op.getResultToken(), std::monostate());
  return block.define(op.getResult(), std::move(result));
}

LogicalResult reference::execute(TileBlock &block, tile::AtomicCASOp op) {
  const Tile &expected = block.tile(op.getCmp()), &desired = block.tile(op.getVal());
  // The result of a disabled element is its `cmp` (operations, 9.2).
  Tile result(expected.format(), expected.shape());
  result.copyFrom(expected, 0, 0, expected.size());
  auto visit = [&](int64_t i, Place place) {
    TileElement element{expected.shape(), i};
    Allocation *allocation = access(block, op, element, place, AccessKind::Write);
    if (!allocation)
      return llvm::failure();
    Element old = load(*allocation, place);
    result.set(i, old);
    // Whether memory changes hangs on the comparison, as at a branch.
    if (numerics::anyPoison(old, expected[i]))
      return block.misbehaves(op, prefixOf(element) + "an undefined value is compared");
    // Bits are compared: NaN equals itself, and -0 differs from +0.
    return old == expected[i] ? write(block, op, element, place, desired[i]) : llvm::success();
  };
  if (llvm::failed(forEachPointer(block, op, op.getPointers(), op.getMask(), visit)))
    return llvm::failure();
  (void)block.define(op.getResultToken(), std::monostate());
  return block.define(op.getResult(), std::move(result));
}

LogicalResult reference::execute(TileBlock &block, tile::AtomicRedViewOp op) {
  const Tile &operand = block.tile(op.getValue());
  auto visit = [&](int64_t i, std::optional<Place> place) {
    auto update = [&](Element old) { return combine(op.getMode(), old, operand[i]); };
    return llvm::success(!place || exchange(block, op, {operand.shape(), i}, *place, update));
  };
  if (llvm::failed(forEachElement(block, op, op.getView(), op.getIndex(), visit)))
    return llvm::failure();
  return block.define(op.getResultToken(), std::monostate());
}
