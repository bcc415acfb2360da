// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryAccess.h.

#include "tilewright/nvidia/emit/MemoryAccess.h"
#include "tilewright/codegen/AtomicOrdering.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/emit/PredicatedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using codegen::orderingOf;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// LLVM's name of the scope on this target; system scope has no name.
static llvm::StringRef scopeOf(const ThreadBuilder &b, const AccessOrder &order) {
  if (order.semantics == tile::MemoryOrderingSemantics::Weak || !order.scope)
    return "";
  switch (*order.scope) {
  case tile::MemoryScope::TileBlock:
    return b.areBlocksClusters ? "cluster" : "block";
  case tile::MemoryScope::Device:
    return "device";
  case tile::MemoryScope::Sys:
    return "";
  }
  llvm_unreachable("scopes are listed above");
}

//===-- Elements ------------------------------------------------------------------------------===//

Value MemoryAccess::read(const Address &from, mlir::Type elementType, Value padding,
                         AccessOrder order) {
  auto readWord = [&]() -> Value {
    mlir::Type word = wordType(elementType);
    unsigned bytes = wordBytes(elementType);
    // Atomic accesses need integer types.
    bool isAtomic = order.semantics != tile::MemoryOrderingSemantics::Weak;
    mlir::Type type = isAtomic ? b.getIntegerType(8 * bytes) : word;
    Value value = LLVM::LoadOp::create(b, type, pointerTo(from.bytes), bytes, /*isVolatile=*/false,
                                       /*isNonTemporal=*/false, /*isInvariant=*/false,
                                       /*isInvariantGroup=*/false, orderingOf(order.semantics),
                                       scopeOf(b, order));
    if (type != word)
      value = arith::BitcastOp::create(b, word, value);
    if (from.shift) {
      value = arith::ShRUIOp::create(b, value, from.shift);
      return arith::AndIOp::create(b, value, b.constantBits(word, 15));
    }
    return fromMemory(b, b.getLoc(), value, elementType);
  };
  mlir::Type type = registerType(elementType);
  return b.choose(type, from.mask, readWord,
                  [&] { return padding ? padding : b.constantBits(type, 0); });
}

void MemoryAccess::write(const Address &to, mlir::Type elementType, Value element,
                         AccessOrder order) {
  if (to.mask && !to.shift && order.semantics == tile::MemoryOrderingSemantics::Weak)
    return writeRun(to, element);
  b.branch(to.mask, [&] {
    unsigned bytes = wordBytes(elementType);
    if (to.shift) {
      Value both = LLVM::LoadOp::create(b, b.getI8Type(), pointerTo(to.bytes), bytes);
      Value mine = arith::ShLIOp::create(b, b.constantBits(b.getI8Type(), 15), to.shift);
      Value kept = arith::XOrIOp::create(b, mine, b.constantBits(b.getI8Type(), 0xFF));
      kept = arith::AndIOp::create(b, both, kept);
      element = arith::OrIOp::create(b, kept, arith::ShLIOp::create(b, element, to.shift));
    }
    Value word = toWord(b, b.getLoc(), element);
    if (order.semantics != tile::MemoryOrderingSemantics::Weak)
      word = b.createOrFold<arith::BitcastOp>(b.getIntegerType(8 * bytes), word);
    LLVM::StoreOp::create(b, word, pointerTo(to.bytes), bytes, /*isVolatile=*/false,
                          /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                          orderingOf(order.semantics), scopeOf(b, order));
  });
}

//===-- Runs of elements ----------------------------------------------------------------------===//

llvm::SmallVector<Value> MemoryAccess::readRun(const Address &from, mlir::Type elementType,
                                               int64_t width, Value padding) {
  llvm::SmallVector<Value> words;
  if (from.mask) {
    Value otherwise = padding ? padding : b.constantBits(registerType(elementType), 0);
    words.assign(width, toWord(b, b.getLoc(), otherwise));
    words = readWordsIf(b, from.mask, from.bytes, words, spaceSuffix());
  } else {
    words = b.readWords(pointerTo(from.bytes), wordType(elementType), width);
  }
  for (Value &word : words)
    word = fromMemory(b, b.getLoc(), word, elementType);
  return words;
}

void MemoryAccess::writeRun(const Address &to, mlir::ValueRange elements) {
  llvm::SmallVector<Value> words;
  for (Value element : elements)
    words.push_back(toWord(b, b.getLoc(), element));
  if (to.mask)
    return writeWordsIf(b, to.mask, to.bytes, words, spaceSuffix());
  b.writeWords(pointerTo(to.bytes), words);
}

/// Copies of 16 bytes bypass the L1 cache.
void MemoryAccess::copyRun(const Address &from, Value to, int64_t bytes) {
  std::string name = "llvm.nvvm.cp.async." + std::string(bytes == 16 ? "cg" : "ca") +
                     ".shared.global." + std::to_string(bytes) + (from.mask ? ".s" : "");
  llvm::SmallVector<Value> operands = {to, b.pointerTo(from.bytes, GlobalSpace)};
  if (from.mask)
    operands.push_back(b.select(from.mask, b.i32(bytes), b.i32(0)));
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr(name), operands);
}
