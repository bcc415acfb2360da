// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Atomics.h.

#include "tilewright/nvidia/emit/Atomics.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using mlir::Value;
using tile::AtomicRMWMode;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Instructions --------------------------------------------------------------------------===//

static llvm::StringRef nameOf(tile::MemoryOrderingSemantics semantics) {
  switch (semantics) {
  case tile::MemoryOrderingSemantics::Weak:
  case tile::MemoryOrderingSemantics::Relaxed:
    return ".relaxed";
  case tile::MemoryOrderingSemantics::Acquire:
    return ".acquire";
  case tile::MemoryOrderingSemantics::Release:
    return ".release";
  case tile::MemoryOrderingSemantics::AcqRel:
    return ".acq_rel";
  }
  llvm_unreachable("orderings are listed above");
}

static llvm::StringRef nameOf(const ThreadBuilder &b, std::optional<tile::MemoryScope> scope) {
  switch (scope.value_or(tile::MemoryScope::Sys)) {
  case tile::MemoryScope::TileBlock:
    return b.areBlocksClusters ? ".cluster" : ".cta";
  case tile::MemoryScope::Device:
    return ".gpu";
  case tile::MemoryScope::Sys:
    return ".sys";
  }
  llvm_unreachable("scopes are listed above");
}

/// The constraint letter of a register type.
static llvm::StringRef constraintOf(mlir::Type type) {
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 16 ? "h" : bits == 32 ? "r" : "l";
}

/// The instruction's suffix without `atom`, order, scope and space; empty if there is no
/// instruction.
static std::string instructionFor(AtomicRMWMode mode, mlir::Type elementType,
                                  const Target &target) {
  unsigned bits = elementType.getIntOrFloatBitWidth(); // 32 or 64 in all modes but AddF
  auto typed = [&](llvm::StringRef name, llvm::StringRef letter) {
    return (name + "." + letter + llvm::Twine(bits)).str();
  };
  switch (mode) {
  case AtomicRMWMode::And:
    return typed("and", "b");
  case AtomicRMWMode::Or:
    return typed("or", "b");
  case AtomicRMWMode::Xor:
    return typed("xor", "b");
  case AtomicRMWMode::Add:
    return typed("add", "u");
  case AtomicRMWMode::Max:
    return typed("max", "s");
  case AtomicRMWMode::Min:
    return typed("min", "s");
  case AtomicRMWMode::UMax:
    return typed("max", "u");
  case AtomicRMWMode::UMin:
    return typed("min", "u");
  case AtomicRMWMode::Xchg:
    return typed("exch", "b");
  case AtomicRMWMode::AddF:
    if (elementType.isF32() || elementType.isF64())
      return typed("add", "f");
    if (elementType.isF16())
      return "add.noftz.f16";
    return elementType.isBF16() && target.capability >= 90 ? "add.noftz.bf16" : "";
  }
  llvm_unreachable("modes are listed above");
}

/// The result has the type of the last operand.
Value Atomics::instruction(llvm::StringRef operation, AccessOrder order,
                           mlir::ValueRange operands) {
  mlir::Type type = operands.back().getType();
  std::string text = ("atom" + nameOf(order.semantics) + nameOf(b, order.scope) +
                      memory.spaceSuffix() + "." + operation + " $0, [$1]")
                         .str();
  std::string constraints = ("=" + constraintOf(type)).str();
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if (number > 0)
      text += ", $" + std::to_string(number + 1);
    constraints += ("," + constraintOf(operand.getType())).str();
  }
  return LLVM::InlineAsmOp::create(b, type, operands, text + ";", constraints + ",~{memory}",
                                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
                                   mlir::ArrayAttr())
      .getRes();
}

/// Reinterprets a word as an integer of its size.
static Value asInteger(ThreadBuilder &b, Value word) {
  return b.createOrFold<arith::BitcastOp>(b.getIntegerType(word.getType().getIntOrFloatBitWidth()),
                                          word);
}

/// Compare-and-swap; returns the old value, as an integer.
Value Atomics::exchange(Value address, Value expected, Value desired, AccessOrder order) {
  Value wanted = asInteger(b, desired);
  std::string name = "cas.b" + std::to_string(wanted.getType().getIntOrFloatBitWidth());
  return instruction(name, order, {address, asInteger(b, expected), wanted});
}

//===-- Updates -------------------------------------------------------------------------------===//

/// f16 and bf16 are so narrow that rounding twice, first to f32, equals rounding once.
static Value sumOf(ThreadBuilder &b, const Target &target, mlir::Type elementType, Value lhs,
                   Value rhs) {
  numerics::Format format = *tile::formatOf(elementType);
  if (numerics::info(format).bits >= 32)
    return arith::AddFOp::create(b, lhs, rhs);
  auto wide = [&](Value value) { return widen(b, b.getLoc(), target, format, value); };
  return narrow(b, b.getLoc(), target, format, arith::AddFOp::create(b, wide(lhs), wide(rhs)));
}

/// do { old = seen; seen = exchange(old, old + operand); } while (seen != old)
Value Atomics::addByLoop(Value address, mlir::Type elementType, Value operand, AccessOrder order) {
  mlir::Type word = operand.getType();
  mlir::Type integer = b.getIntegerType(word.getIntOrFloatBitWidth());
  // The initial guess may be any value.
  Value first = b.constantBits(integer, 0);
  auto loop = mlir::scf::WhileOp::create(b, mlir::TypeRange{integer}, first);
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Block *body = b.createBlock(&loop.getBefore(), {}, {integer}, {b.getLoc()});
  Value expected = body->getArgument(0);
  Value old = b.createOrFold<arith::BitcastOp>(word, expected);
  Value next = sumOf(b, plan.target, elementType, old, operand);
  Value seen = exchange(address, expected, next, order);
  Value again = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, seen, expected);
  mlir::scf::ConditionOp::create(b, again, mlir::ValueRange{seen});
  mlir::Block *after = b.createBlock(&loop.getAfter(), {}, {integer}, {b.getLoc()});
  mlir::scf::YieldOp::create(b, mlir::ValueRange(after->getArguments()));
  b.setInsertionPointAfter(loop);
  return b.createOrFold<arith::BitcastOp>(word, loop.getResult(0));
}

/// Returns the old value.
Value Atomics::update(Value address, AtomicRMWMode mode, mlir::Type elementType, Value operand,
                      AccessOrder order) {
  std::string name = instructionFor(mode, elementType, plan.target);
  if (name.empty())
    return addByLoop(address, elementType, operand, order); // bf16, before sm_90
  if (mode == AtomicRMWMode::AddF)
    return instruction(name, order, {address, operand});
  Value old = instruction(name, order, {address, asInteger(b, operand)});
  return b.createOrFold<arith::BitcastOp>(operand.getType(), old);
}

//===-- Operations ----------------------------------------------------------------------------===//

void Atomics::forEachElement(tile::MemoryAccessOpInterface op, Value mask, Update update,
                             llvm::function_ref<Value(const Own &)> disabled) {
  Value pointers = op.getAddressed(), result = op.getLoaded();
  TileLayout layout = plan.layoutOfElements(op);
  mlir::Type type =
      elementwise::registerType(llvm::cast<tile::TileType>(result.getType()).getElementType());
  Value isOwner = tiles.isOwner(layout);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value isThere = b.conjunction(isOwner, mask ? tiles.read(mask, own) : Value());
    Value old = b.choose(
        type, isThere, [&] { return update(own, tiles.read(pointers, own)); },
        [&] { return disabled(own); });
    tiles.write(result, own, old);
  });
  if (isOwner && !result.use_empty())
    shared.share(result, plan.exchangeOf(op)->bytes);
}

template <> void Atomics::emitOne(tile::AtomicRMWOp op) {
  mlir::Type elementType = llvm::cast<tile::TileType>(op.getResult().getType()).getElementType();
  AccessOrder order{op.getMemoryOrderingSemantics(), op.getMemoryScope()};
  auto updateOne = [&](const Own &own, Value address) {
    return update(address, op.getMode(), elementType, tiles.read(op.getArg(), own), order);
  };
  // The result of a disabled update is unspecified (operations, 9.2).
  auto disabled = [&](const Own &) { return b.constantBits(registerType(elementType), 0); };
  forEachElement(llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation()), op.getMask(),
                 updateOne, disabled);
}

template <> void Atomics::emitOne(tile::AtomicCASOp op) {
  AccessOrder order{op.getMemoryOrderingSemantics(), op.getMemoryScope()};
  auto exchangeOne = [&](const Own &own, Value address) {
    Value expected = tiles.read(op.getCmp(), own);
    Value seen = exchange(address, expected, tiles.read(op.getVal(), own), order);
    return b.createOrFold<arith::BitcastOp>(expected.getType(), seen);
  };
  // The result of a disabled compare-and-swap is its `cmp` (operations, 9.2).
  auto disabled = [&](const Own &own) { return tiles.read(op.getCmp(), own); };
  forEachElement(llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation()), op.getMask(),
                 exchangeOne, disabled);
}

template <> void Atomics::emitOne(tile::AtomicRedViewOp op) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileRegion region = views.regionOf(access, op.getIndex());
  TileLayout layout = tiles.layoutOf(op.getValue());
  Value isOwner = tiles.isOwner(layout);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Address to = views.addressAt(region, own);
    b.branch(b.conjunction(isOwner, to.mask), [&] {
      update(to.bytes, op.getMode(), region.elementType, tiles.read(op.getValue(), own),
             AccessOrder::of(access));
    });
  });
}

void Atomics::emit(tile::MemoryAccessOpInterface op) {
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicRedViewOp>(
          [&](auto atomic) { emitOne(atomic); })
      .Default([](auto) { llvm_unreachable("Legality refuses access to multicast memory"); });
}
