// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BodyEmitter.h.

#include "tilewright/nvidia/emit/BodyEmitter.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

BodyEmitter::BodyEmitter(mlir::ModuleOp into, const Plan &plan, ThreadBuilder &b, Role role,
                         SharedMemory &declared, GlobalPool &pool)
    : plan(plan), role(role), b(b), tiles(b, plan, role), shared(b, tiles, declared),
      memory(b, plan), moves(b, plan, tiles, shared), views(b, plan, tiles, shared, memory),
      pointers(b, plan, tiles, shared, memory), atomics(b, plan, tiles, shared, memory, views),
      aggregates(b, plan, tiles, shared, *this), products(b, plan, tiles, shared),
      maps(b, plan, tiles, shared, views, role), rings(b, plan, tiles, shared, maps, role),
      operands(b, plan, tiles, shared, views, rings, *this),
      matrices(b, plan, tiles, operands, shared), delayed(b, plan, tiles, operands, rings),
      tensor(b, plan, tiles, shared, operands, rings, role), host(into, b, plan, tiles, shared),
      pool(pool), control(b, plan, tiles, operands, tensor, delayed, *this) {}

void BodyEmitter::emitBody(LLVM::LLVMFuncOp function, Value thread, mlir::Block *exit) {
  control.exit = exit;
  tiles.begin(thread);
  readParameters(function);
  rings.begin();
  tensor.begin();
  emit(tile::EntryOp(plan.entry).getBody().front());
}

Value BodyEmitter::answerTo(const Question &question) {
  const ViewValue array = views.valueOf(question.view);
  const auto isMultiple = [&](Value value) {
    return b.isEqual(b.modulo(value, question.divisor), b.constantBits(value.getType(), 0));
  };
  switch (question.kind) {
  case Question::Address:
    return isMultiple(array.base);
  case Question::Stride:
    // A tensor map has strides below 2^40 bytes; elements have at most 16 bytes.
    return b.conjunction(isMultiple(array.strides[question.dim]),
                         b.isBelow(array.strides[question.dim], b.i64(int64_t(1) << 36)));
  case Question::Extent:
    return b.isBelow(array.extents[question.dim], b.i64(int64_t(1) << 31));
  case Question::Rows:
    return b.isEqual(array.strides[question.dim], b.i64(1));
  }
  llvm_unreachable("questions are listed above");
}

Value BodyEmitter::emitQuestions(LLVM::LLVMFuncOp function, Value thread) {
  tiles.begin(thread);
  readParameters(function);
  const llvm::SaveAndRestore assumesNothing(b.mayAssume, false);
  for (mlir::Operation &op : tile::EntryOp(plan.entry).getBody().front())
    if (plan.roles.asked.contains(&op))
      emit(&op);
  Value holds;
  for (const Question &question : plan.roles.questions)
    holds = b.conjunction(holds, answerTo(question));
  return holds;
}

void BodyEmitter::readParameters(LLVM::LLVMFuncOp function) {
  tile::EntryOp entry = plan.entry;
  for (auto [argument, word] :
       llvm::zip_equal(entry.getBody().getArguments(), function.getArguments()))
    tiles.define(argument,
                 fromMemory(b, b.getLoc(), word,
                            llvm::cast<tile::TileType>(argument.getType()).getElementType()));
}

//===-- Operations ----------------------------------------------------------------------------===//

/// From here on, only the first thread of the producer or multiplier executes the slice. The others
/// wait for it at the end. A pair of CTAs has one multiplier.
void BodyEmitter::electThread() {
  if (role == Role::Producer)
    maps.makeForRole(pool);
  const int64_t first = plan.threadsOfCta() + (role == Role::Multiplier ? producerThreads : 0);
  Value number = b.i32(first);
  if (role == Role::Multiplier && plan.isPair()) {
    // In branches of their own, which LLVM would merge otherwise: `ptxas` must see that a single
    // thread goes on, or else it emits a loop over threads around each tcgen05.mma.
    mlir::Block *firstCta = b.newBlock();
    b.jumpIf(b.isEqual(b.rank(), b.i32(0)), firstCta, {}, control.exit, {});
    b.setInsertionPointToStart(firstCta);
    number = opaque(b, number);
  }
  mlir::Block *elected = b.newBlock();
  b.jumpIf(b.isEqual(tiles.thread, number), elected, {}, control.exit, {});
  b.setInsertionPointToStart(elected);
}

/// Emits the operations that the producer and the multiplier execute.
void BodyEmitter::emitSlice(mlir::Block &body) {
  for (mlir::Operation &op : body) {
    if (&op == plan.roles.start)
      electThread();
    if (plan.roles.meetings.contains(&op))
      rings.meet();
    else if (op.hasTrait<mlir::OpTrait::IsTerminator>() || plan.roles.slice.contains(&op))
      emit(&op);
  }
}

/// Successive elementwise operations are emitted element by element: all of them for one element,
/// then for the next. This keeps few values live between an operation and its users.
void BodyEmitter::emit(mlir::Block &body) {
  if (runsSlice(role))
    return emitSlice(body);
  SmallVector<mlir::Operation *> together;
  auto emitSoFar = [&] {
    if (!together.empty())
      emitTogether(together);
    together.clear();
  };
  auto hasItsLayout = [&](Value result) {
    if (together.empty())
      return true;
    TileLayout layout = plan.layoutOf(result), first = plan.layoutOf(together[0]->getResult(0));
    return layout == first && layout.isInRegisters() == first.isInRegisters();
  };
  for (mlir::Operation &op : body) {
    if (&op == plan.roles.start)
      maps.makeForRole(pool);
    if (isNothing(&op) || isOfScalars(&op)) {
      emit(&op);
      continue;
    }
    const bool isPart = isByElements(&op) || plan.loadedInPieces.contains(&op);
    if (!isPart || !hasItsLayout(op.getResult(0)) || plan.barriers.contains(&op))
      emitSoFar();
    if (!isPart) {
      emit(&op);
      if (plan.roles.meetings.contains(&op))
        rings.meet();
      continue;
    }
    if (plan.barriers.contains(&op))
      waitForEarlier();
    if (plan.delays.of(&op)) {
      emitSoFar();
      delayed.waitBefore(&op);
    }
    together.push_back(&op);
  }
  emitSoFar();
}

/// Emits elementwise operations, and the loads in pieces that they read.
void BodyEmitter::emitTogether(llvm::ArrayRef<mlir::Operation *> ops) {
  SmallVector<tile::LoadViewOp> loads;
  SmallVector<mlir::Operation *> elementwise;
  for (mlir::Operation *op : ops)
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
      loads.push_back(load);
    else
      elementwise.push_back(op);
  assert(llvm::all_of(loads, [&](tile::LoadViewOp load) {
    return llvm::all_of(load.getTile().getUsers(),
                        [&](auto *user) { return llvm::is_contained(elementwise, user); });
  }));
  Value thread = tiles.thread;
  moves.emitElements(elementwise, [&](int64_t slot) {
    if (loads.empty() || slot % plan.slotsOfPiece() != 0)
      return;
    tiles.beginAnew(thread);
    for (tile::LoadViewOp load : loads) {
      b.setPlace(load.getLoc());
      views.emitPiece(load, {slot, plan.slotsOfPiece()});
    }
  });
  if (!loads.empty())
    tiles.beginAnew(thread);
}

/// Accesses that a token orders before the next one are complete in all threads.
void BodyEmitter::waitForEarlier() {
  maps.waitForStores(/*untilWritten=*/true);
  b.barrier();
  rings.joinCtas();
}

void BodyEmitter::emit(mlir::Operation *op) {
  b.setPlace(op->getLoc());
  // The producer meets the consumers behind a store that copies follow (plan/Roles.h).
  if (plan.barriers.contains(op) && !runsSlice(role))
    waitForEarlier();
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<tile::IfOp, tile::ForOp, tile::LoopOp>([&](auto op) { control.emit(op); })
      .Case<tile::YieldOp, tile::ContinueOp, tile::BreakOp, tile::ReturnOp>(
          [&](auto op) { control.emitTerminator(op); })
      .Case<tile::MakeTensorViewOp, tile::MakePartitionViewOp, tile::MakeStridedViewOp,
            tile::MakeGatherScatterViewOp, tile::GetTensorShapeOp, tile::GetIndexSpaceShapeOp>(
          [&](auto op) { views.emitView(op); })
      .Case<tile::LoadViewOp>([&](auto op) { views.emit(op); })
      .Case<tile::StoreViewOp>([&](auto op) {
        if (plan.roles.stores.contains(op))
          maps.store(op);
        else
          views.emit(op);
      })
      .Case<tile::LoadPtrOp, tile::StorePtrOp>([&](auto op) { pointers.emit(op); })
      .Case<tile::AllocaOp>([&](auto op) {
        if (op.getGlobal())
          tiles.define(op.getResult(), pool.addressOf(op));
        else
          pointers.emit(op);
      })
      .Case<tile::MemoryAccessOpInterface>([&](auto op) { atomics.emit(op); })
      .Case<tile::ReduceOp, tile::ScanOp>([&](auto op) { aggregates.emit(op); })
      .Case<tile::MatmulOpInterface>([&](auto op) {
        if (role == Role::Producer)
          rings.fill(op);
        else if (role == Role::Multiplier)
          tensor.multiply(op);
        else if (plan.tensor.find(op))
          tensor.emit(op);
        else if (plan.delays.of(op))
          delayed.emit(op);
        else if (plan.matrices.contains(op))
          matrices.emit(op);
        else
          products.emit(op);
      })
      .Case<tile::ConstantOp, tile::CatOp, tile::InsertOp, tile::PackOp, tile::UnpackOp>(
          [&](auto op) { moves.emit(op); })
      .Case<tile::RearrangementOpInterface>([&](auto op) {
        if (!plan.copied.contains(op->getResult(0)))
          moves.emit(op);
      })
      .Case<tile::AssumeOp>([&](auto op) {
        if (!views.emitAssume(op))
          moves.emitElements(op.getOperation());
      })
      .Case<tile::ElementwiseOpInterface>([&](auto op) { moves.emitElements(op.getOperation()); })
      .Case<tile::PrintOp, tile::AssertOp>([&](auto op) { host.emit(op); })
      .Case<tile::MakeTokenOp, tile::JoinTokensOp>([](auto) {})
      .Case<tile::IotaOp>([]([[maybe_unused]] auto op) { assert(isRecomputed(op.getResult())); })
      .Case<tile::GdcLaunchDependentsOp, tile::GdcWaitOp, tile::MemoryFenceAliasOp>(
          [&](mlir::Operation *op) { emitFence(op); })
      .Case<tile::GetTileBlockIdOp>([&](auto op) { emitBlockId(op); })
      .Case<tile::GetNumTileBlocksOp>([&](auto op) { defineAll(op, &ThreadBuilder::blockCount); })
      .Case<tile::GetGlobalOp>([&](auto op) { emitGlobalAddress(op); })
      .Default([](auto) { llvm_unreachable("every operation of Tile IR is above"); });
}

/// Defines the three components of the id or the number of blocks.
void BodyEmitter::defineAll(mlir::Operation *op, PartOfGrid partOfGrid) {
  for (auto [result, part] : llvm::zip_equal(op->getResults(), llvm::StringRef("xyz")))
    tiles.define(result, (b.*partOfGrid)(llvm::StringRef(&part, 1)));
}

static Value difference(ThreadBuilder &b, Value from, Value what) {
  return b.createOrFold<arith::SubIOp>(from, what);
}

/// Panels consist of as many rows of CTAs as of blocks, so the CTAs of a panel run its blocks:
/// those with the same x follow each other.
void BodyEmitter::emitBlockId(tile::GetTileBlockIdOp op) {
  if (!plan.rasterization.hasPanels())
    return defineAll(op, &ThreadBuilder::blockId);
  Value x = b.blockId("x"), y = b.blockId("y"), columns = b.blockCount("x");
  Value above = b.modulo(y, plan.rasterization.panel), first = difference(b, y, above);
  Value left = difference(b, b.blockCount("y"), first);
  Value full = b.i32(plan.rasterization.panel);
  Value rows = b.select(b.isBelow(left, full), left, full);
  Value number = b.add(b.mul(above, columns), x);
  Value column = b.createOrFold<arith::DivUIOp>(number, rows);
  Value row = b.add(first, difference(b, number, b.mul(column, rows)));
  Value isNarrow = b.isBelow(columns, b.i32(mostColumnsInPanels + 1));
  tiles.define(op->getResult(0), b.select(isNarrow, column, x));
  tiles.define(op->getResult(1), b.select(isNarrow, row, y));
  tiles.define(op->getResult(2), b.blockId("z"));
}

/// All threads complete earlier accesses before the fence, and begin later ones after it.
void BodyEmitter::emitFence(mlir::Operation *op) {
  assert(plan.ctas == 1 && "a cluster runs no entry with a fence");
  b.barrier();
  if (llvm::isa<tile::MemoryFenceAliasOp>(op))
    b.instruction("fence.proxy.alias;");
  else if (plan.target.capability >= 90) // on others, launches do not depend on each other
    b.instruction(llvm::isa<tile::GdcWaitOp>(op) ? "griddepcontrol.wait;"
                                                 : "griddepcontrol.launch_dependents;");
  b.barrier();
}

void BodyEmitter::emitGlobalAddress(tile::GetGlobalOp op) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), GlobalSpace);
  Value address = LLVM::AddressOfOp::create(b, pointer, b.symbols.of(op.getNameAttr().getAttr()));
  tiles.define(op.getResult(), b.addressOf(address));
}
