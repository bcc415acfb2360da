// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is memory read and written? A vector of neighbours by one access, scattered elements
// by gathers, f4E2M1FN by halves of bytes; under a mask only what is enabled. What is ordered
// (memory model, 5) is done element by element, relaxed, between fences: an acquire
// operation is followed by one, a release is preceded by one. Every scope is taken for the
// widest.

#include "tilewright/cpu/Elements.h"
#include "tilewright/cpu/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

Value KernelEmitter::asPointers(Value addresses) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::IntToPtrOp::create(builder, loc, shapedLike(pointer, addresses.getType()),
                                  addresses);
}

void KernelEmitter::fence(LLVM::AtomicOrdering ordering) {
  LLVM::FenceOp::create(builder, loc, ordering);
}

/// The register form of a word of memory: any byte but 0 is a true i1, and a tf32 may have
/// anything in its unused bits (types, 2.3).
Value KernelEmitter::fromMemory(Value word, mlir::Type elementType) {
  if (elementType.isInteger(1))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, word,
                                 constantBits(builder, loc, word.getType(), 0));
  if (!llvm::isa<mlir::FloatTF32Type>(elementType))
    return fromWord(builder, loc, word, elementType);
  mlir::Type bits = shapedLike(builder.getI32Type(), word.getType());
  Value kept = arith::BitcastOp::create(builder, loc, bits, word);
  kept = arith::AndIOp::create(builder, loc, kept, constantBits(builder, loc, bits, 0xFFFFE000));
  return arith::BitcastOp::create(builder, loc, word.getType(), kept);
}

//===-- Reading -------------------------------------------------------------------------------===//

Value KernelEmitter::readWhole(const Reach &from, mlir::Type elementType, Value padding,
                               int64_t width, bool atomically) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  Value words;
  if (from.shift) {
    Value both = LLVM::LoadOp::create(builder, loc, word, asPointers(from.address), bytes);
    both = arith::ShRUIOp::create(builder, loc, both, from.shift);
    return arith::AndIOp::create(builder, loc, both, constantBits(builder, loc, word, 15));
  }
  if (width == 1) {
    // Atomics are for integers.
    mlir::Type type = atomically ? builder.getIntegerType(8 * bytes) : word;
    words = LLVM::LoadOp::create(builder, loc, type, asPointers(from.address), bytes,
                                 /*isVolatile=*/false, /*isNonTemporal=*/false,
                                 /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                 atomically ? LLVM::AtomicOrdering::monotonic
                                            : LLVM::AtomicOrdering::not_atomic);
    if (type != word)
      words = arith::BitcastOp::create(builder, loc, word, words);
  } else {
    mlir::Type type = mlir::VectorType::get({width}, word);
    Value paddingWords =
        padding ? toWord(builder, loc, padding) : constantBits(builder, loc, type, 0);
    Value all = from.mask ? from.mask
                          : constantBits(builder, loc,
                                         mlir::VectorType::get({width}, builder.getI1Type()), 1);
    if (from.addresses)
      words = LLVM::masked_gather::create(builder, loc, type, asPointers(from.addresses), all,
                                          paddingWords, builder.getI32IntegerAttr(bytes));
    else if (from.mask)
      words = LLVM::MaskedLoadOp::create(builder, loc, type, asPointers(from.address), all,
                                         paddingWords, bytes);
    else
      words = LLVM::LoadOp::create(builder, loc, type, asPointers(from.address), bytes);
  }
  return fromMemory(words, elementType);
}

Value KernelEmitter::read(const Reach &from, mlir::Type elementType, Value padding, int64_t width,
                          bool atomically) {
  if (width > 1 || !from.mask)
    return readWhole(from, elementType, padding, width, atomically);
  auto op = mlir::scf::IfOp::create(builder, loc, registerType(elementType), from.mask,
                                    /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  mlir::scf::YieldOp::create(builder, loc,
                             readWhole(from, elementType, padding, width, atomically));
  builder.setInsertionPointToStart(op.elseBlock());
  mlir::scf::YieldOp::create(
      builder, loc, padding ? padding : constantBits(builder, loc, registerType(elementType), 0));
  return op.getResult(0);
}

//===-- Writing -------------------------------------------------------------------------------===//

void KernelEmitter::writeWhole(const Reach &to, mlir::Type elementType, Value value,
                               bool atomically) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  if (to.shift) {
    // The other half may be written by another block at the same time.
    auto update = [&](LLVM::AtomicBinOp how, Value operand) {
      LLVM::AtomicRMWOp::create(builder, loc, how, asPointers(to.address), operand,
                                LLVM::AtomicOrdering::monotonic);
    };
    Value mine =
        arith::ShLIOp::create(builder, loc, constantBits(builder, loc, word, 15), to.shift);
    update(LLVM::AtomicBinOp::_and,
           arith::XOrIOp::create(builder, loc, mine, constantBits(builder, loc, word, 0xFF)));
    update(LLVM::AtomicBinOp::_or, arith::ShLIOp::create(builder, loc, value, to.shift));
    return;
  }
  Value words = toWord(builder, loc, value);
  auto vector = llvm::dyn_cast<mlir::VectorType>(words.getType());
  if (!vector) {
    if (atomically)
      words = builder.createOrFold<arith::BitcastOp>(loc, builder.getIntegerType(8 * bytes), words);
    LLVM::StoreOp::create(builder, loc, words, asPointers(to.address), bytes,
                          /*isVolatile=*/false, /*isNonTemporal=*/false,
                          /*isInvariantGroup=*/false,
                          atomically ? LLVM::AtomicOrdering::monotonic
                                     : LLVM::AtomicOrdering::not_atomic);
    return;
  }
  Value all =
      to.mask ? to.mask : constantBits(builder, loc, shapedLike(builder.getI1Type(), vector), 1);
  if (to.addresses)
    LLVM::masked_scatter::create(builder, loc, words, asPointers(to.addresses), all,
                                 builder.getI32IntegerAttr(bytes));
  else if (to.mask)
    LLVM::MaskedStoreOp::create(builder, loc, words, asPointers(to.address), all,
                                builder.getI32IntegerAttr(bytes));
  else
    LLVM::StoreOp::create(builder, loc, words, asPointers(to.address), bytes);
}

void KernelEmitter::write(const Reach &to, mlir::Type elementType, Value value, bool atomically) {
  if (!to.mask || llvm::isa<mlir::VectorType>(value.getType()))
    return writeWhole(to, elementType, value, atomically);
  auto op = mlir::scf::IfOp::create(builder, loc, to.mask, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  writeWhole(to, elementType, value, atomically);
}
