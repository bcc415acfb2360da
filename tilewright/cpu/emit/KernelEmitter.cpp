// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KernelEmitter.h.

#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/cpu/emit/TileCopies.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

KernelEmitter::KernelEmitter(ModuleEmission &emission, const Plan &plan, bool mayWait)
    : emission(emission), b(emission.b), cache(emission.cache), plan(plan),
      context{b,     cache,   emission.globals, emission.calls, emission.target, plan, mayWait,
              frame, buffers, memory,           evaluator,      views,           *this},
      buffers(b, emission.globals, plan.placements, plan.arena, frame),
      memory(b, frame, emission.globals, emission.target),
      evaluator(context,
                [this](mlir::Operation *load, const Position &position) {
                  auto view = llvm::dyn_cast<tile::LoadViewOp>(load);
                  return view ? loads.read(view, position)
                              : pointers.read(llvm::cast<tile::LoadPtrOp>(load), position);
                }),
      views(context), loads(context), hints(b, frame), outliner(b, frame, emission.target.tuning),
      transposes(context, loads), pointers(context), atomics(context), multimem(context, atomics),
      host(context), bodies(context), reductions(context, bodies), loopReductions(context, bodies),
      scans(context, bodies), groups(context, loads, hints, pointers, loopReductions, scans),
      networks(context), finalStores(context, hints), sharedFactors(context),
      operands(context, loads, sharedFactors, hints), amx(context, finalStores),
      matmul(context, hints, finalStores, operands, amx),
      control(context, outliner, finalStores, sharedFactors, host) {}

LogicalResult KernelEmitter::emitEntry(tile::EntryOp entry) {
  b.setPlace(entry.getLoc());
  beginFunction(entry);
  readParameters(entry);
  if (llvm::failed(sharedFactors.begin()))
    return llvm::failure();
  beginBlock();
  outliner.beginKernel();
  if (llvm::failed(emit(entry.getBody().front())))
    return llvm::failure();
  outliner.endKernel();
  // Code after an `if` whose branches both leave is unreachable.
  mlir::IRRewriter rewriter(b);
  (void)mlir::eraseUnreachableBlocks(rewriter, frame.function->getRegions());
  return llvm::success();
}

LogicalResult KernelEmitter::unsupported(mlir::Operation *op, const llvm::Twine &what) {
  llvm::raw_string_ostream out(reason);
  out << tile::locationText(op->getLoc()) << ": error: " << op->getName().stripDialect() << ": "
      << what << " is not supported on CPUs yet";
  return llvm::failure();
}

//===-- The function --------------------------------------------------------------------------===//

/// name(launch, first, end, arena)
void KernelEmitter::beginFunction(tile::EntryOp entry) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  mlir::Type word = b.getI64Type();
  b.setInsertionPointToEnd(emission.into.getBody());
  frame.function =
      LLVM::LLVMFuncOp::create(b, functionSymbol(entry.getSymName()),
                               LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                                           {pointer, word, word, pointer}));
  mlir::Block *start = frame.function.addEntryBlock(b);
  b.setInsertionPointToStart(start);
  frame.launch = start->getArgument(0);
  frame.arena = start->getArgument(3);
  cache.clear();
}

/// Reads the parameters, which are the same for all blocks.
void KernelEmitter::readParameters(tile::EntryOp entry) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  mlir::Type word = b.getI64Type(), i32 = b.getI32Type();
  Value parameters = LLVM::LoadOp::create(b, pointer, frame.launch);
  for (mlir::BlockArgument argument : entry.getBody().getArguments()) {
    mlir::Type element = llvm::cast<tile::TileType>(argument.getType()).getElementType();
    Value slot = b.wordAddress(parameters, word, b.i64(argument.getArgNumber()));
    Value bits = LLVM::LoadOp::create(b, wordType(element), slot);
    frame.scalars.define(argument, fromMemory(b, b.getLoc(), bits, element));
  }
  for (int64_t i = 0; i < 3; ++i)
    frame.gridSize.push_back(LLVM::LoadOp::create(
        b, i32, b.wordAddress(b.byteAddress(frame.launch, b.i64(8)), i32, b.i64(i))));
}

/// for (number = first; number < end; ++number)
///   coordinates of the block, whose operations come next
void KernelEmitter::beginBlock() {
  mlir::Type word = b.getI64Type();
  mlir::Block *head = b.newBlock(word), *body = b.newBlock(), *done = b.newBlock();
  frame.blockEnd = b.newBlock();
  b.jump(head, frame.function.getArgument(1));
  b.setInsertionPointToStart(head);
  Value turn = head->getArgument(0);
  Value more =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, turn, frame.function.getArgument(2));
  b.jumpIf(more, body, done);
  b.setInsertionPointToStart(done);
  LLVM::ReturnOp::create(b, mlir::ValueRange());
  b.setInsertionPointToStart(frame.blockEnd);
  b.jump(head, b.add(turn, b.i64(1)));
  b.setInsertionPointToStart(body);
  findBlock(turn);
}

/// Computes the coordinates of the block with this number: x varies fastest, or some columns of
/// blocks are interleaved (twLaunch::columnsInTurn).
void KernelEmitter::findBlock(Value turn) {
  auto divide = [&](Value value, Value by) -> std::pair<Value, Value> {
    return {arith::DivUIOp::create(b, value, by), arith::RemUIOp::create(b, value, by)};
  };
  Value width = b.zeroExtended(frame.gridSize[0]), height = b.zeroExtended(frame.gridSize[1]);
  frame.blockNumber = turn;
  Value x, y, z;
  if (plan.columnsInTurn == 1) {
    Value rest;
    std::tie(rest, x) = divide(turn, width);
    std::tie(z, y) = divide(rest, height);
  } else {
    Value most = LLVM::LoadOp::create(b, b.getI64Type(), b.byteAddress(frame.launch, b.i64(32)));
    most = arith::MinUIOp::create(b, arith::MaxUIOp::create(b, most, b.i64(1)), height);
    Value inLayer;
    std::tie(z, inLayer) = divide(turn, b.mul(width, height));
    auto [group, inGroup] = divide(inLayer, b.mul(width, most));
    Value first = b.mul(group, most);
    Value columns = arith::MinUIOp::create(b, arith::SubIOp::create(b, height, first), most);
    Value column;
    std::tie(x, column) = divide(inGroup, columns);
    y = b.add(first, column);
    frame.blockNumber = b.add(x, b.mul(width, b.add(y, b.mul(height, z))));
  }
  for (Value coordinate : {x, y, z})
    frame.blockId.push_back(arith::TruncIOp::create(b, b.getI32Type(), coordinate));
}

//===-- Operations ----------------------------------------------------------------------------===//

/// Whether control may leave the operation without reaching the next one.
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

LogicalResult KernelEmitter::emit(mlir::Block &body) {
  Outliner::Start start = outliner.start();
  for (mlir::Operation &op : body) {
    if (tile::isAggregate(&op) && llvm::failed(bodies.check(&op)))
      return llvm::failure();
    const FusionGroup *group = plan.groups.groupOf(&op);
    if ((group && group->members.back() != &op) || plan.networks.placeOf(&op) != &op)
      continue; // emitted with the last member
    cache.clear();
    bool isAlone = leaves(&op);
    if (isAlone || outliner.isLong(start)) {
      outliner.end(start);
      start = outliner.start();
    }
    if (llvm::failed(emitUnlessStored(&op, group)))
      return llvm::failure();
    if (isAlone)
      start = outliner.start();
  }
  return llvm::success();
}

/// Emits an operation, or the group that ends with it; a store is skipped if a product has
/// performed it.
LogicalResult KernelEmitter::emitUnlessStored(mlir::Operation *op, const FusionGroup *group) {
  mlir::Block *after = nullptr;
  if (const OpenStore *open = finalStores.ofStore(op)) {
    mlir::Block *rest = b.newBlock();
    after = b.newBlock();
    b.jumpIf(open->isOpen, after, rest);
    b.setInsertionPointToStart(rest);
  }
  if (const Network *network = plan.networks.networkOf(op))
    networks.emit(*network);
  else if (group) // contiguous rows inside the tensor have been stored, if a product ran
    groups.emit(*group, /*mayBeWhole=*/!after);
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
  auto done = [](auto emit) {
    return [emit](auto op) {
      emit(op);
      return llvm::success();
    };
  };
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(op)
      .Case<tile::IfOp, tile::ForOp, tile::LoopOp>([&](auto op) { return control.emit(op); })
      .Case<tile::YieldOp, tile::ContinueOp, tile::BreakOp, tile::ReturnOp>(
          done([&](auto op) { control.emitTerminator(op); }))
      .Case<tile::MakeTensorViewOp, tile::MakePartitionViewOp, tile::MakeStridedViewOp,
            tile::MakeGatherScatterViewOp, tile::GetTensorShapeOp, tile::GetIndexSpaceShapeOp>(
          done([&](auto op) { views.emitView(op); }))
      .Case<tile::LoadViewOp>(done([&](auto op) {
        if (plan.placements.of(op.getTile()) != Placement::Fused)
          views.emitLoad(op);
      }))
      .Case<tile::StoreViewOp>(done([&](auto op) { views.emitStore(op); }))
      .Case<tile::LoadPtrOp>([&](auto op) { return pointers.emitLoad(op); })
      .Case<tile::StorePtrOp>([&](auto op) { return pointers.emitStore(op); })
      .Case<tile::AllocaOp>(done([&](auto op) { pointers.emitAlloca(op); }))
      .Case<tile::MultimemLoadReduceViewOp, tile::MultimemReduceViewOp, tile::MultimemStoreViewOp>(
          done([&](auto op) { multimem.emit(op); }))
      .Case<tile::MemoryAccessOpInterface>(done([&](auto op) { atomics.emit(op); }))
      .Case<tile::ReduceOp>(done([&](auto op) { reductions.emit(op, plan.foldOf(op)); }))
      .Case<tile::ScanOp>(done([&](auto op) { scans.emit(op); }))
      .Case<tile::MatmulOpInterface>(done([&](auto op) { matmul.emit(op, plan.matmulOf(op)); }))
      .Case<tile::PrintOp, tile::AssertOp>(done([&](auto op) { host.emit(op); }))
      .Case<tile::CatOp>(done([&](auto op) { emitCat(b, buffers, evaluator, op); }))
      .Case<tile::InsertOp>(done([&](auto op) { emitInsert(b, frame, buffers, evaluator, op); }))
      .Case<tile::PackOp, tile::UnpackOp>(done([&](auto op) { emitBytes(b, buffers, op); }))
      .Case<tile::MakeTokenOp, tile::JoinTokensOp, tile::GdcLaunchDependentsOp, tile::GdcWaitOp,
            tile::MemoryFenceAliasOp>(done([](auto) {})) // launches run one after another
      .Case<tile::GetTileBlockIdOp>(done([&](auto op) { defineAll(op, frame.blockId); }))
      .Case<tile::GetNumTileBlocksOp>(done([&](auto op) { defineAll(op, frame.gridSize); }))
      .Case<tile::GetGlobalOp>(done([&](auto op) { emitGlobalAddress(op); }))
      .Default(done([&](mlir::Operation *op) { emitElements(op); }));
}

void KernelEmitter::defineAll(mlir::Operation *op, mlir::ValueRange scalars) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), scalars))
    frame.scalars.define(result, value);
}

void KernelEmitter::emitGlobalAddress(tile::GetGlobalOp op) {
  Value address = LLVM::AddressOfOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                            "tw.global." + cName(op.getName()));
  frame.scalars.define(op.getResult(), LLVM::PtrToIntOp::create(b, b.getI64Type(), address));
}

/// Emits an elementwise operation: a scalar at once, a tile into its buffer if it has one.
void KernelEmitter::emitElements(mlir::Operation *op) {
  Value result = op->getResult(0);
  if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op); assume && views.emitAssume(assume))
    return;
  if (!llvm::isa<tile::TileType>(result.getType()))
    return; // an assumption about a token
  if (!tileTypeOf(result)) {
    Position scalarPosition;
    auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op);
    if (moved && tileTypeOf(moved.getMoved())) {
      // The element of a tile with one element.
      scalarPosition.at.assign(tileTypeOf(moved.getMoved()).getRank(), b.i64(0));
      frame.scalars.define(result, evaluator.evaluate(moved.getMoved(), scalarPosition));
    } else {
      frame.scalars.define(result, evaluator.evaluateOp(op, scalarPosition));
    }
  } else if (plan.placements.of(result) == Placement::Buffer) {
    if (const Transpose *form = plan.transposeOf(op))
      transposes.emit(llvm::cast<tile::PermuteOp>(op), *form);
    else
      evaluator.forEach(tileTypeOf(result).getShape(), [&](const Position &position) {
        buffers.writeTile(result, position, evaluator.evaluateOp(op, position));
      });
  }
}
