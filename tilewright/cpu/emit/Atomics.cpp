// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Atomics.h.

#include "tilewright/cpu/emit/Atomics.h"
#include "tilewright/cpu/emit/PointerAccess.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
using tile::AtomicRMWMode;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// The ordering of a compare-and-swap that fails, which only reads.
static LLVM::AtomicOrdering onFailure(LLVM::AtomicOrdering ordering) {
  bool acquires =
      ordering == LLVM::AtomicOrdering::acquire || ordering == LLVM::AtomicOrdering::acq_rel;
  return acquires ? LLVM::AtomicOrdering::acquire : LLVM::AtomicOrdering::monotonic;
}

static std::optional<LLVM::AtomicBinOp> instructionFor(AtomicRMWMode mode) {
  switch (mode) {
  case AtomicRMWMode::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicRMWMode::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicRMWMode::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicRMWMode::Add:
    return LLVM::AtomicBinOp::add;
  case AtomicRMWMode::Max:
    return LLVM::AtomicBinOp::max;
  case AtomicRMWMode::Min:
    return LLVM::AtomicBinOp::min;
  case AtomicRMWMode::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicRMWMode::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicRMWMode::Xchg:
    return LLVM::AtomicBinOp::xchg;
  case AtomicRMWMode::AddF:
    return std::nullopt; // x86 has no atomic float addition
  }
  llvm_unreachable("modes are listed above");
}

/// Reinterprets a word as an integer of its size, and back.
static Value asInteger(LoopBuilder &b, Value word) {
  return b.createOrFold<arith::BitcastOp>(b.getIntegerType(word.getType().getIntOrFloatBitWidth()),
                                          word);
}

/// f16 and bf16 are so narrow that rounding twice, first to f32, equals rounding once.
Value Atomics::sumOf(numerics::Format format, Value lhs, Value rhs) {
  auto wide = [&](Value value) { return widen(b, b.getLoc(), target, format, value); };
  bool isNarrow = numerics::info(format).bits < 32;
  if (isNarrow)
    return narrow(b, b.getLoc(), target, format, arith::AddFOp::create(b, wide(lhs), wide(rhs)));
  return arith::AddFOp::create(b, lhs, rhs);
}

Value Atomics::updated(AtomicRMWMode mode, mlir::Type elementType, Value old, Value operand) {
  auto selected = [&](arith::CmpIPredicate predicate) -> Value {
    Value keeps = arith::CmpIOp::create(b, predicate, old, operand);
    return arith::SelectOp::create(b, keeps, old, operand);
  };
  switch (mode) {
  case AtomicRMWMode::And:
    return arith::AndIOp::create(b, old, operand);
  case AtomicRMWMode::Or:
    return arith::OrIOp::create(b, old, operand);
  case AtomicRMWMode::Xor:
    return arith::XOrIOp::create(b, old, operand);
  case AtomicRMWMode::Add:
    return arith::AddIOp::create(b, old, operand);
  case AtomicRMWMode::AddF:
    return sumOf(*tile::formatOf(elementType), old, operand);
  case AtomicRMWMode::Max:
    return selected(arith::CmpIPredicate::sgt);
  case AtomicRMWMode::Min:
    return selected(arith::CmpIPredicate::slt);
  case AtomicRMWMode::UMax:
    return selected(arith::CmpIPredicate::ugt);
  case AtomicRMWMode::UMin:
    return selected(arith::CmpIPredicate::ult);
  case AtomicRMWMode::Xchg:
    return operand;
  }
  llvm_unreachable("modes are listed above");
}

/// Returns the old value. Load and store are each atomic, so that neither tears.
Value Atomics::updateAlone(Value pointer, AtomicRMWMode mode, mlir::Type elementType,
                           Value operand) {
  mlir::Type word = operand.getType();
  mlir::Type integer = b.getIntegerType(word.getIntOrFloatBitWidth());
  unsigned bytes = wordBytes(elementType);
  Value old = LLVM::LoadOp::create(b, integer, pointer, bytes, false, false, false, false,
                                   LLVM::AtomicOrdering::monotonic);
  old = b.createOrFold<arith::BitcastOp>(word, old);
  Value next = asInteger(b, updated(mode, elementType, old, operand));
  LLVM::StoreOp::create(b, next, pointer, bytes, false, false, false,
                        LLVM::AtomicOrdering::monotonic);
  return old;
}

Value Atomics::update(Value pointer, AtomicRMWMode mode, mlir::Type elementType, Value operand,
                      LLVM::AtomicOrdering ordering) {
  if (auto instruction = instructionFor(mode)) {
    Value old =
        LLVM::AtomicRMWOp::create(b, *instruction, pointer, asInteger(b, operand), ordering);
    return b.createOrFold<arith::BitcastOp>(operand.getType(), old);
  }
  mlir::Type word = operand.getType();
  mlir::Type integer = b.getIntegerType(word.getIntOrFloatBitWidth());
  unsigned bytes = wordBytes(elementType);
  Value first = LLVM::LoadOp::create(b, integer, pointer, bytes, false, false, false, false,
                                     LLVM::AtomicOrdering::monotonic);
  // do { old = expected; } while (!exchange(old, old + operand));
  auto loop = mlir::scf::WhileOp::create(b, mlir::TypeRange{integer}, first);
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Block *body = b.createBlock(&loop.getBefore(), {}, {integer}, {b.getLoc()});
  Value expected = body->getArgument(0);
  Value old = b.createOrFold<arith::BitcastOp>(word, expected);
  Value sum = updated(mode, elementType, old, operand);
  auto exchange = LLVM::AtomicCmpXchgOp::create(b, pointer, expected, asInteger(b, sum), ordering,
                                                onFailure(ordering));
  Value seen = LLVM::ExtractValueOp::create(b, exchange, 0);
  Value done = LLVM::ExtractValueOp::create(b, exchange, 1);
  Value again = arith::XOrIOp::create(b, done, b.constantBits(b.getI1Type(), 1));
  mlir::scf::ConditionOp::create(b, again, mlir::ValueRange{seen});
  mlir::Block *after = b.createBlock(&loop.getAfter(), {}, {integer}, {b.getLoc()});
  mlir::scf::YieldOp::create(b, mlir::ValueRange(after->getArguments()));
  b.setInsertionPointAfter(loop);
  return b.createOrFold<arith::BitcastOp>(word, loop.getResult(0));
}

//===-- Operations ----------------------------------------------------------------------------===//

void Atomics::forEachElement(tile::MemoryAccessOpInterface op, Value mask, Update update,
                             Disabled disabled) {
  Value pointers = op.getAddressed(), result = op.getLoaded();
  auto access = [&](const Position &position) {
    AddressSet to = addressesOf(evaluator, pointers,
                                mask ? evaluator.evaluate(mask, position) : Value(), position);
    Value value = b.chooseValue(
        to.mask, [&] { return update(position, b.asPointers(to.address)); },
        [&] { return disabled(position); });
    if (!tileTypeOf(result))
      frame.scalars.define(result, value);
    else if (plan.placements.of(result) == Placement::Buffer)
      buffers.write(buffers.addressOf(result), tileTypeOf(result), position, value);
  };
  tile::TileType type = tileTypeOf(pointers);
  forEachOf(type ? type.getShape() : llvm::ArrayRef<int64_t>(), plan.accessOf(op).width, access);
}

/// Visits all elements, `together` of them per iteration of the innermost loop: several rows, if
/// they are short.
void Atomics::forEachOf(llvm::ArrayRef<int64_t> shape, int64_t together,
                        llvm::function_ref<void(const Position &)> body) {
  llvm::SmallVector<int64_t> extents(shape);
  int64_t rows = 1, outer = int64_t(shape.size()) - 2;
  if (outer >= 0 && shape.back() > 1 && shape.back() < together) {
    rows = std::min(together / shape.back(), shape[outer]);
    extents[outer] /= rows;
  }
  b.forEach(extents, together, [&](const Position &several) {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < several.width; ++i) {
        Position one = several;
        one.width = 1;
        if (rows > 1)
          one.at[outer] = b.add(b.mul(one.at[outer], b.i64(rows)), b.i64(row));
        if (several.width > 1)
          one.at[one.lanes] = b.add(one.at[one.lanes], b.i64(i));
        body(one);
      }
  });
}

template <> void Atomics::emitOne(tile::AtomicRMWOp op) {
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  mlir::Type elementType = llvm::cast<tile::TileType>(op.getResult().getType()).getElementType();
  bool isAlone = plan.accessOf(op).reason == AccessReason::BlockOnly;
  auto update = [&](const Position &position, Value pointer) {
    Value operand = evaluator.evaluate(op.getArg(), position);
    return isAlone ? updateAlone(pointer, op.getMode(), elementType, operand)
                   : this->update(pointer, op.getMode(), elementType, operand, ordering);
  };
  // The result of a disabled update is unspecified (operations, 9.2).
  auto disabled = [&](const Position &) { return b.constantBits(registerType(elementType), 0); };
  forEachElement(op, op.getMask(), update, disabled);
}

template <> void Atomics::emitOne(tile::AtomicCASOp op) {
  LLVM::AtomicOrdering ordering = orderingOf(op.getMemoryOrderingSemantics());
  auto exchange = [&](const Position &position, Value pointer) {
    Value expected = evaluator.evaluate(op.getCmp(), position),
          desired = evaluator.evaluate(op.getVal(), position);
    Value pair = LLVM::AtomicCmpXchgOp::create(
        b, pointer, asInteger(b, expected), asInteger(b, desired), ordering, onFailure(ordering));
    Value seen = LLVM::ExtractValueOp::create(b, pair, 0);
    return b.createOrFold<arith::BitcastOp>(expected.getType(), seen);
  };
  // The result of a disabled compare-and-swap is its `cmp` (operations, 9.2).
  auto disabled = [&](const Position &position) {
    return evaluator.evaluate(op.getCmp(), position);
  };
  forEachElement(op, op.getMask(), exchange, disabled);
}

void Atomics::reduceThroughView(tile::MemoryAccessOpInterface op, const TileRegion &region,
                                AtomicRMWMode mode) {
  LLVM::AtomicOrdering ordering = orderingOf(op.getOrdering());
  views.forEachAddressSet(region, [&](const Position &position, const AddressSet &to) {
    Value operand = evaluator.evaluate(op.getStored(), position);
    auto update = [&] {
      Value pointer = b.asPointers(to.address);
      return region.access->reason == AccessReason::BlockOnly
                 ? updateAlone(pointer, mode, region.elementType, operand)
                 : this->update(pointer, mode, region.elementType, operand, ordering);
    };
    b.chooseValue(to.mask, update, [&] { return operand; });
  });
}

template <> void Atomics::emitOne(tile::AtomicRedViewOp op) {
  reduceThroughView(op, views.regionOf(op), op.getMode());
}

void Atomics::emit(tile::MemoryAccessOpInterface op) {
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicRedViewOp>(
          [&](auto atomic) { emitOne(atomic); })
      .Default([](mlir::Operation *) { llvm_unreachable("every access of memory has code"); });
}
