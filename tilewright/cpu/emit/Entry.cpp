// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the function of an entry? It runs a range of the tile blocks of a grid, one after the
// other, in an arena that its caller gives (runtime/Kernel.h, twKernelFunction).

#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using mlir::Value;
namespace arith = mlir::arith;
namespace cf = mlir::cf;
namespace LLVM = mlir::LLVM;

//===-- What a launch must know ---------------------------------------------------------------===//

/// Whether a block may wait for another: a `loop` reads memory that others write.
static bool polls(tile::EntryOp entry) {
  auto found = entry.walk([](tile::LoopOp loop) {
    return analysis::firstPollIn(loop) ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

static KernelInfo describe(tile::EntryOp entry, const Plan &plan, const Target &target) {
  KernelInfo info;
  info.name = entry.getSymName().str();
  info.arenaBytes = plan.arenaBytes();
  info.parameterCount = entry.getNumArguments();
  info.mayWait = polls(entry);
  entry.walk([&](mlir::Operation *op) {
    info.prints |= llvm::isa<tile::PrintOp>(op);
    info.usesAmx |= isProduct(op) && productForm(op, target).usesTiles();
  });
  return info;
}

//===-- The function --------------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitEntry(tile::EntryOp entry, KernelInfo &info) {
  b.setPlace(entry.getLoc());
  plan.emplace(entry, target);
  info = describe(entry, *plan, target);
  mayWait = info.mayWait;
  beginFunction(info.name);
  readParameters(entry);
  beginBlock();
  parts.clear();
  unsigned before = counter.count;
  if (llvm::failed(emit(entry.getBody().front())))
    return llvm::failure();
  if (counter.count - before >= operationsOfLongKernel)
    outlineParts(function, parts);
  // What follows an `if` whose branches both leave.
  mlir::IRRewriter rewriter(b);
  (void)mlir::eraseUnreachableBlocks(rewriter, function->getRegions());
  return llvm::success();
}

/// name(launch, first, end, arena)
void KernelEmitter::beginFunction(llvm::StringRef name) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  mlir::Type word = b.getI64Type();
  b.setInsertionPointToEnd(into.getBody());
  function =
      LLVM::LLVMFuncOp::create(b, functionSymbol(name),
                               LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                                           {pointer, word, word, pointer}));
  mlir::Block *start = function.addEntryBlock(b);
  b.setInsertionPointToStart(start);
  launch = start->getArgument(0);
  arena = start->getArgument(3);
  scalars.clear();
  views.clear();
  constants.clear();
  cache.clear();
  openStores.clear();
}

/// What is the same for all blocks.
void KernelEmitter::readParameters(tile::EntryOp entry) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  mlir::Type word = b.getI64Type(), i32 = b.getI32Type();
  Value parameters = LLVM::LoadOp::create(b, pointer, launch);
  for (mlir::BlockArgument argument : entry.getBody().getArguments()) {
    mlir::Type element = llvm::cast<tile::TileType>(argument.getType()).getElementType();
    Value slot = b.wordAddress(parameters, word, b.i64(argument.getArgNumber()));
    Value bits = LLVM::LoadOp::create(b, wordType(element), slot);
    scalars[argument] = fromMemory(bits, element);
  }
  gridSize.clear();
  for (int64_t i = 0; i < 3; ++i)
    gridSize.push_back(LLVM::LoadOp::create(
        b, i32, b.wordAddress(b.byteAddress(launch, b.i64(8)), i32, b.i64(i))));
}

/// for (number = first; number < end; ++number)
///   coordinates of the block, whose operations come next
void KernelEmitter::beginBlock() {
  mlir::Type word = b.getI64Type(), i32 = b.getI32Type();
  mlir::Block *head = b.newBlock(word), *body = b.newBlock(), *done = b.newBlock();
  blockEnd = b.newBlock();
  b.jump(head, function.getArgument(1));
  b.setInsertionPointToStart(head);
  blockNumber = head->getArgument(0);
  Value more =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, blockNumber, function.getArgument(2));
  b.jumpIf(more, body, done);
  b.setInsertionPointToStart(done);
  LLVM::ReturnOp::create(b, mlir::ValueRange());
  b.setInsertionPointToStart(blockEnd);
  b.jump(head, b.add(blockNumber, b.i64(1)));

  // x is the fastest coordinate.
  b.setInsertionPointToStart(body);
  blockId.clear();
  Value rest = blockNumber;
  for (int64_t i = 0; i < 3; ++i) {
    Value extent = b.zeroExtended(gridSize[i]);
    Value coordinate = i < 2 ? arith::RemUIOp::create(b, rest, extent).getResult() : rest;
    blockId.push_back(arith::TruncIOp::create(b, i32, coordinate));
    if (i < 2)
      rest = arith::DivUIOp::create(b, rest, extent);
  }
}
