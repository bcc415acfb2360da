// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is memory updated atomically? Element by element, in row-major order: by the
// machine's own instruction where it has the operation, else by compare and exchange until
// nobody came in between (operations, 9; memory model, 5). In the scope of the tile block nobody
// else may come in between, and a block runs on one thread at a time: reading, computing and
// writing will do.

#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using mlir::Value;
using tile::AtomicRMWMode;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// What a failed exchange only reads.
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
    return std::nullopt; // no machine adds floats in memory
  }
  llvm_unreachable("modes are listed above");
}

/// A word as the integer of its size, and back.
static Value asInteger(LoopBuilder &b, Value word) {
  return b.createOrFold<arith::BitcastOp>(b.getIntegerType(word.getType().getIntOrFloatBitWidth()),
                                          word);
}

/// f16 and bf16 have so few bits that rounding twice, first to f32, is rounding once.
Value KernelEmitter::sumOf(numerics::Format format, Value lhs, Value rhs) {
  auto wide = [&](Value value) { return widen(b, b.getLoc(), target, format, value); };
  bool isNarrow = numerics::info(format).bits < 32;
  if (isNarrow)
    return narrow(b, b.getLoc(), target, format, arith::AddFOp::create(b, wide(lhs), wide(rhs)));
  return arith::AddFOp::create(b, lhs, rhs);
}

/// What the element becomes.
Value KernelEmitter::updated(AtomicRMWMode mode, mlir::Type elementType, Value old, Value operand) {
  auto chosen = [&](arith::CmpIPredicate predicate) -> Value {
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
    return chosen(arith::CmpIPredicate::sgt);
  case AtomicRMWMode::Min:
    return chosen(arith::CmpIPredicate::slt);
  case AtomicRMWMode::UMax:
    return chosen(arith::CmpIPredicate::ugt);
  case AtomicRMWMode::UMin:
    return chosen(arith::CmpIPredicate::ult);
  case AtomicRMWMode::Xchg:
    return operand;
  }
  llvm_unreachable("modes are listed above");
}

/// The old value. The accesses are atomic each, so that none is torn.
Value KernelEmitter::updateAlone(Value pointer, AtomicRMWMode mode, mlir::Type elementType,
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

Value KernelEmitter::update(Value pointer, AtomicRMWMode mode, mlir::Type elementType,
                            Value operand, LLVM::AtomicOrdering ordering) {
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

/// The value of `then` where the mask holds, else `otherwise`.
Value KernelEmitter::guarded(Value mask, llvm::function_ref<Value()> then,
                             llvm::function_ref<Value()> otherwise, mlir::Type type) {
  if (!mask)
    return then();
  auto op = mlir::scf::IfOp::create(b, type, mask, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  auto fill = [&](mlir::Block *block, llvm::function_ref<Value()> value) {
    ValueCache::Scope scope(cache);
    b.setInsertionPointToStart(block);
    mlir::scf::YieldOp::create(b, value());
  };
  fill(op.thenBlock(), then);
  fill(op.elseBlock(), otherwise);
  return op.getResult(0);
}

LogicalResult KernelEmitter::emitAtomic(mlir::Operation *op) {
  if (auto red = llvm::dyn_cast<tile::AtomicRedViewOp>(op)) {
    Window window = windowOf(red.getView().getType(), red.getView(), red.getIndex());
    forEachReach(window, /*oneByOne=*/true, [&](const Position &position, const Reach &to) {
      Value operand = evaluate(red.getValue(), position);
      auto one = [&] {
        if (red.getMemoryScope() == tile::MemoryScope::TileBlock)
          return updateAlone(b.asPointers(to.address), red.getMode(), window.elementType, operand);
        return update(b.asPointers(to.address), red.getMode(), window.elementType, operand,
                      LLVM::AtomicOrdering::monotonic);
      };
      guarded(
          to.mask, one, [&]() -> Value { return operand; }, operand.getType());
    });
    return llvm::success();
  }

  auto rmw = llvm::dyn_cast<tile::AtomicRMWOp>(op);
  auto cas = llvm::dyn_cast<tile::AtomicCASOp>(op);
  Value pointers = rmw ? rmw.getPointers() : cas.getPointers();
  Value mask = rmw ? rmw.getMask() : cas.getMask();
  Value result = rmw ? rmw.getResult() : cas.getResult();
  LLVM::AtomicOrdering ordering =
      orderingOf(rmw ? rmw.getMemoryOrderingSemantics() : cas.getMemoryOrderingSemantics());
  mlir::Type elementType = llvm::cast<tile::TileType>(result.getType()).getElementType();
  bool isAlone = rmw && rmw.getMemoryScope() == tile::MemoryScope::TileBlock;
  if (isAlone)
    remark(op->getLoc(), "updated by plain accesses: its scope is the tile block");
  auto swap = [&](const Position &position, Value pointer) {
    Value expected = evaluate(cas.getCmp(), position), desired = evaluate(cas.getVal(), position);
    Value exchange = LLVM::AtomicCmpXchgOp::create(
        b, pointer, asInteger(b, expected), asInteger(b, desired), ordering, onFailure(ordering));
    Value seen = LLVM::ExtractValueOp::create(b, exchange, 0);
    return b.createOrFold<arith::BitcastOp>(expected.getType(), seen);
  };
  auto access = [&](const Position &position) {
    Reach to = eachOf(pointers, mask ? evaluate(mask, position) : Value(), position);
    mlir::Type type = registerType(elementType);
    auto one = [&] {
      Value pointer = b.asPointers(to.address);
      if (cas)
        return swap(position, pointer);
      Value operand = evaluate(rmw.getArg(), position);
      return isAlone ? updateAlone(pointer, rmw.getMode(), elementType, operand)
                     : update(pointer, rmw.getMode(), elementType, operand, ordering);
    };
    // A disabled compare and swap gives its `cmp`; other results are not specified
    // (operations, 9.2).
    auto none = [&] { return cas ? evaluate(cas.getCmp(), position) : b.constantBits(type, 0); };
    Value value = guarded(to.mask, one, none, type);
    if (!tileTypeOf(result))
      scalars[result] = value;
    else if (plan->home(result) == Home::Buffer)
      writeBuffer(bufferAddress(result), tileTypeOf(result), position, value);
  };
  // Where nothing else takes time, turns of the loop would.
  tile::TileType shape = tileTypeOf(pointers);
  b.forEach(shape ? shape.getShape() : llvm::ArrayRef<int64_t>(), isAlone ? 8 : 1,
            [&](const Position &several) {
              for (int64_t i = 0; i < several.width; ++i) {
                Position one = several;
                one.width = 1;
                if (several.width > 1)
                  one.at[one.lanes] = b.add(one.at[one.lanes], b.i64(i));
                access(one);
              }
            });
  return llvm::success();
}
