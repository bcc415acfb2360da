// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a block of Tile IR become blocks of branches? Loops and conditions can be left
// early, so each becomes a few blocks of the function with jumps between them (operations,
// 5). What is carried in registers travels as arguments of those blocks; carried tiles are
// copied into their buffers before the jump.

#include "tilewright/cpu/Symbols.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace cf = mlir::cf;
namespace LLVM = mlir::LLVM;

//===-- Operations ----------------------------------------------------------------------------===//

/// Whether it may go on elsewhere than behind itself.
static bool leaves(mlir::Operation *op) {
  auto found = op->walk([&](mlir::Operation *inner) {
    mlir::Operation *left = nullptr;
    if (llvm::isa<tile::ReturnOp>(inner))
      left = inner->getParentOfType<tile::EntryOp>();
    else if (llvm::isa<tile::BreakOp, tile::ContinueOp>(inner))
      left = tile::enclosingNonIf(inner);
    return left && left->isProperAncestor(op) ? mlir::WalkResult::interrupt()
                                              : mlir::WalkResult::advance();
  });
  return found.wasInterrupted() || op->hasTrait<mlir::OpTrait::IsTerminator>();
}

/// What is emitted from here on may become a part (Outline.h).
KernelEmitter::PartStart KernelEmitter::startPart() {
  mlir::Block *block = b.getInsertionBlock();
  return {block, block->empty() ? nullptr : &block->back(), &function.getBody().back(),
          counter.count};
}

/// Makes a part of what was emitted since then, if that is long.
void KernelEmitter::endPart(const PartStart &start) {
  if (counter.count - start.count < operationsOfPart)
    return;
  mlir::Block *end = b.newBlock();
  b.jump(end);
  auto from = start.last ? std::next(start.last->getIterator()) : start.block->begin();
  mlir::Block *first = start.block->splitBlock(from);
  first->moveBefore(start.lastBlock->getNextNode());
  b.setInsertionPointToEnd(start.block);
  b.jump(first);
  b.setInsertionPointToStart(end);
  parts.push_back({first, end});
}

LogicalResult KernelEmitter::emit(mlir::Block &body) {
  PartStart part = startPart();
  for (mlir::Operation &op : body) {
    if (auto aggregate = llvm::dyn_cast<tile::ReduceOp>(op))
      if (llvm::failed(checkBody(aggregate, aggregate.getBody().front())))
        return llvm::failure();
    if (auto aggregate = llvm::dyn_cast<tile::ScanOp>(op))
      if (llvm::failed(checkBody(aggregate, aggregate.getBody().front())))
        return llvm::failure();
    const Group *group = plan->groupOf(&op);
    if (group && group->steps.back() != &op)
      continue; // with the last one
    cache.clear();
    bool isAlone = leaves(&op);
    if (isAlone || counter.count - part.count >= operationsOfPart) {
      endPart(part);
      part = startPart();
    }
    if (llvm::failed(emitUnlessDone(&op, group)))
      return llvm::failure();
    if (isAlone)
      part = startPart();
  }
  return llvm::success();
}

/// An operation or the group that ends with it; a store only where no product has done it.
LogicalResult KernelEmitter::emitUnlessDone(mlir::Operation *op, const Group *group) {
  mlir::Block *after = nullptr;
  for (const auto &[product, open] : openStores)
    if (open.plan.store == op) {
      mlir::Block *rest = b.newBlock();
      after = b.newBlock();
      b.jumpIf(open.isPlain, after, rest);
      b.setInsertionPointToStart(rest);
    }
  if (group)
    emitGroup(*group);
  else if (llvm::failed(emit(op)))
    return llvm::failure();
  if (after) {
    b.jump(after);
    b.setInsertionPointToStart(after);
  }
  return llvm::success();
}

LogicalResult KernelEmitter::emit(mlir::Operation *op) {
  b.setPlace(op->getLoc());
  // Buffers that were read may change from here on.
  cache.clear();
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(op)
      .Case<tile::IfOp, tile::ForOp, tile::LoopOp>([&](auto control) { return emit(control); })
      .Case<tile::YieldOp, tile::ContinueOp, tile::BreakOp, tile::ReturnOp>(
          [&](auto terminator) { return emitTerminator(terminator); })
      .Case<tile::MakeTensorViewOp, tile::MakePartitionViewOp, tile::MakeStridedViewOp,
            tile::MakeGatherScatterViewOp, tile::GetTensorShapeOp, tile::GetIndexSpaceShapeOp>(
          [&](auto view) { return emitView(view); })
      .Case([&](tile::LoadViewOp load) {
        return plan->home(load.getTile()) == Home::Fused ? llvm::success() : emitLoadView(load);
      })
      .Case([&](tile::StoreViewOp store) { return emitStoreView(store); })
      .Case([&](tile::LoadPtrOp load) { return emitLoadPointers(load); })
      .Case([&](tile::StorePtrOp store) { return emitStorePointers(store); })
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicRedViewOp>(
          [&](auto atomic) { return emitAtomic(atomic); })
      .Case([&](tile::AllocaOp alloca) { return emitAlloca(alloca); })
      .Case([&](tile::ReduceOp reduce) { return emitReduce(reduce); })
      .Case([&](tile::ScanOp scan) { return emitScan(scan); })
      .Case<tile::MmaFOp, tile::MmaIOp, tile::MmaFScaledOp>([&](auto mma) { return emitMma(mma); })
      .Case([&](tile::PrintOp print) { return emitPrint(print); })
      .Case([&](tile::AssertOp check) { return emitAssert(check); })
      .Case([&](tile::CatOp cat) { return emitCat(cat); })
      .Case<tile::PackOp, tile::UnpackOp>([&](auto bytes) { return emitBytes(bytes); })
      .Case<tile::MakeTokenOp, tile::JoinTokensOp>([](auto) { return llvm::success(); })
      .Default([&](mlir::Operation *other) { return emitScalar(other); });
}

/// What is computed element by element: a scalar at once, a tile into its buffer if it has one.
LogicalResult KernelEmitter::emitScalar(mlir::Operation *op) {
  if (llvm::isa<tile::GetTileBlockIdOp, tile::GetNumTileBlocksOp>(op)) {
    bool isId = llvm::isa<tile::GetTileBlockIdOp>(op);
    for (auto [result, value] : llvm::zip_equal(op->getResults(), isId ? blockId : gridSize))
      scalars[result] = value;
    return llvm::success();
  }
  if (auto global = llvm::dyn_cast<tile::GetGlobalOp>(op)) {
    Value address = LLVM::AddressOfOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                              "tw.global." + cName(global.getName()));
    scalars[global.getResult()] = LLVM::PtrToIntOp::create(b, b.getI64Type(), address);
    return llvm::success();
  }
  Value result = op->getResult(0);
  if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op)) {
    if (auto view = views.find(assume.getValue()); view != views.end()) {
      ViewValue copy = view->second;
      views[result] = copy;
      return llvm::success();
    }
  }
  if (!llvm::isa<tile::TileType>(result.getType()))
    return llvm::success(); // an assumption about a token
  if (!tileTypeOf(result)) {
    Position scalarPosition;
    Value source = op->getNumOperands() ? op->getOperand(0) : Value();
    if (llvm::isa<tile::ReshapeOp, tile::ExtractOp>(op) && tileTypeOf(source)) {
      // One element of a tile of one element.
      scalarPosition.at.assign(tileTypeOf(source).getRank(), b.i64(0));
      scalars[result] = evaluate(source, scalarPosition);
    } else {
      scalars[result] = evaluateOp(op, scalarPosition);
    }
  } else if (plan->home(result) == Home::Buffer) {
    if (turnOf(op))
      emitTurn(llvm::cast<tile::PermuteOp>(op));
    else
      b.forEach(tileTypeOf(result).getShape(), 16, [&](const Position &position) {
        writeTile(result, position, evaluateOp(op, position));
      });
  }
  return llvm::success();
}

//===-- Values that control flow carries ------------------------------------------------------===//

/// Scalars travel as arguments; tiles have buffers, and tokens nothing.
static bool isScalar(Value value) {
  return llvm::isa<tile::TileType>(value.getType()) && !tileTypeOf(value);
}

SmallVector<Value> KernelEmitter::scalarsOf(mlir::ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    if (isScalar(value))
      result.push_back(scalar(value));
  return result;
}

SmallVector<mlir::Type> KernelEmitter::registerTypesOf(mlir::ValueRange values) {
  SmallVector<mlir::Type> result;
  for (Value value : values)
    if (isScalar(value))
      result.push_back(registerType(llvm::cast<tile::TileType>(value.getType()).getElementType()));
  return result;
}

void KernelEmitter::bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip) {
  for (Value value : values)
    if (isScalar(value))
      scalars[value] = block->getArgument(skip++);
}

/// Copies tiles into the buffers of the values that they become.
void KernelEmitter::copyTiles(mlir::ValueRange from, mlir::ValueRange to, mlir::Operation *op) {
  // Many copies are a long kernel by themselves. An `if` of loops has no blocks of its own to cut.
  bool mayCut = b.getInsertionBlock()->getParent() == &function.getBody();
  PartStart part = startPart();
  auto cut = [&] {
    if (!mayCut || counter.count - part.count < operationsOfPart)
      return;
    endPart(part);
    part = startPart();
  };
  // A parallel assignment: what is itself overwritten goes aside first.
  SmallVector<std::pair<Value, int64_t>> aside;
  if (op && plan->hasScratch(op)) {
    int64_t offset = plan->scratchOffset(op);
    for (auto [source, target] : llvm::zip_equal(from, to)) {
      if (!tileTypeOf(source) || source == target || !llvm::is_contained(to, source))
        continue;
      materialise(source, arenaAddress(offset));
      cut();
      aside.push_back({target, offset});
      offset += llvm::alignTo(bufferBytes(tileTypeOf(source)), Plan::alignment);
    }
  }
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (tileTypeOf(source) && source != target && !plan->shareBuffer(source, target) &&
        !llvm::is_contained(llvm::make_first_range(aside), target)) {
      materialise(source, bufferAddress(target));
      cut();
    }
  for (auto [target, offset] : aside) {
    LLVM::MemcpyOp::create(b, bufferAddress(target), arenaAddress(offset),
                           b.i64(bufferBytes(tileTypeOf(target))), /*isVolatile=*/false);
    cut();
  }
}

//===-- if, for, loop -------------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit(tile::IfOp op) {
  mlir::Block *after = b.newBlock(registerTypesOf(op.getResults()));
  mlir::Block *then = b.newBlock(), *otherwise = op.elseBlock() ? b.newBlock() : after;
  b.jumpIf(scalar(op.getCondition()), then, otherwise);
  branches.push_back({op, after});
  b.setInsertionPointToStart(then);
  if (llvm::failed(emit(*op.thenBlock())))
    return llvm::failure();
  if (op.elseBlock()) {
    b.setInsertionPointToStart(otherwise);
    if (llvm::failed(emit(*op.elseBlock())))
      return llvm::failure();
  }
  branches.pop_back();
  b.setInsertionPointToStart(after);
  bindScalars(op.getResults(), after);
  return llvm::success();
}

/// The number of turns is computed before the first, in 64 bits: bounds of at most 64 bits
/// are at most 2^64 - 1 apart (operations, 5.2).
LogicalResult KernelEmitter::emit(tile::ForOp op) {
  Value lower = scalar(op.getLowerBound()), upper = scalar(op.getUpperBound());
  auto less = op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(b, less, lower, upper);
  Value distance = b.zeroExtended(arith::SubIOp::create(b, upper, lower));
  Value step = b.zeroExtended(scalar(op.getStep()));
  // A step of 0 is undefined; it must not stop the process.
  step = arith::MaxUIOp::create(b, step, b.i64(1));
  Value turns = b.add(arith::DivUIOp::create(b, arith::SubIOp::create(b, distance, b.i64(1)), step),
                      b.i64(1));
  SmallVector<Value> from, to, sums, initialSums;
  for (auto [value, argument] : llvm::zip_equal(op.getInitValues(), op.iterArgs())) {
    bool isSum = bool(plan->initialSum(argument));
    (isSum ? initialSums : from).push_back(value);
    (isSum ? sums : to).push_back(argument);
  }
  copyTiles(from, to, nullptr);
  if (!sums.empty()) // the first product begins with them
    b.branch(
        runs, [] {}, [&] { copyTiles(initialSums, sums, nullptr); });
  if (llvm::failed(openFinalStores(op, runs)))
    return llvm::failure();

  // Arguments: turns left, the induction value, what is carried.
  SmallVector<mlir::Type> types = {b.getI64Type(), lower.getType()};
  llvm::append_range(types, registerTypesOf(op.getInitValues()));
  mlir::Block *body = b.newBlock(types), *next = b.newBlock(registerTypesOf(op.getInitValues()));
  mlir::Block *after = b.newBlock(registerTypesOf(op.getInitValues()));
  SmallVector<Value> initial = {turns, lower};
  llvm::append_range(initial, scalarsOf(op.getInitValues()));
  cf::CondBranchOp::create(b, runs, body, initial, after, scalarsOf(op.getInitValues()));

  b.setInsertionPointToStart(next);
  Value left = arith::SubIOp::create(b, body->getArgument(0), b.i64(1));
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, left, b.i64(0));
  SmallVector<Value> again = {left,
                              arith::AddIOp::create(b, body->getArgument(1), scalar(op.getStep()))};
  llvm::append_range(again, next->getArguments());
  cf::CondBranchOp::create(b, more, body, again, after, next->getArguments());

  b.setInsertionPointToStart(body);
  scalars[op.inductionVar()] = body->getArgument(1);
  bindScalars(op.iterArgs(), body, 2);
  loops.push_back({op, next, after, turns, body->getArgument(0)});
  if (llvm::failed(emit(*op.body())))
    return llvm::failure();
  loops.pop_back();
  b.setInsertionPointToStart(after);
  bindScalars(op.getResultValues(), after);
  return llvm::success();
}

LogicalResult KernelEmitter::emit(tile::LoopOp op) {
  mlir::ValueRange carried = op.body()->getArguments();
  copyTiles(op.getInitValues(), carried, nullptr);
  mlir::Block *body = b.newBlock(registerTypesOf(carried));
  mlir::Block *after = b.newBlock(registerTypesOf(op.getResultValues()));
  b.jump(body, scalarsOf(op.getInitValues()));
  b.setInsertionPointToStart(body);
  bindScalars(carried, body);
  loops.push_back({op, body, after, {}, {}});
  if (llvm::failed(emit(*op.body())))
    return llvm::failure();
  loops.pop_back();
  b.setInsertionPointToStart(after);
  bindScalars(op.getResultValues(), after);
  return llvm::success();
}

LogicalResult KernelEmitter::emitTerminator(mlir::Operation *op) {
  mlir::ValueRange operands = op->getOperands();
  if (llvm::isa<tile::ReturnOp>(op)) {
    b.jump(blockEnd);
  } else if (llvm::isa<tile::YieldOp>(op)) {
    copyTiles(operands, branches.back().op.getResults(), nullptr);
    b.jump(branches.back().after, scalarsOf(operands));
  } else if (llvm::isa<tile::BreakOp>(op)) {
    copyTiles(operands, loops.back().op->getResults(), nullptr);
    b.jump(loops.back().after, scalarsOf(operands));
  } else {
    mlir::Operation *loop = loops.back().op;
    mlir::ValueRange carried = loop->getRegion(0).front().getArguments();
    copyTiles(operands, llvm::isa<tile::ForOp>(loop) ? carried.drop_front() : carried, op);
    if (llvm::isa<tile::LoopOp>(loop) && mayWait)
      LLVM::CallOp::create(b, globals.hostFunction("tw_yield", {launch.getType()}), launch);
    b.jump(loops.back().next, scalarsOf(operands));
  }
  return llvm::success();
}
