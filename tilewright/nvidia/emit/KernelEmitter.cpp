// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KernelEmitter.h.

#include "tilewright/nvidia/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
namespace LLVM = mlir::LLVM;

KernelEmitter::KernelEmitter(mlir::ModuleOp into, const Plan &plan, Symbols &symbols)
    : into(into), plan(plan), b(into, symbols), tiles(b, plan, Role::Everyone), shared(b, tiles),
      pool(b, plan, tiles, shared) {
  b.areBlocksClusters = plan.ctas > 1;
}

void KernelEmitter::emitEntry() {
  tile::EntryOp entry = plan.entry;
  b.setPlace(entry.getLoc());
  shared.declare(into, plan.shared, plan.sharedForm());
  pool.declare(into);
  declarePanels();
  LLVM::LLVMFuncOp function = beginFunction();
  mlir::Block *exit = b.newBlock(), *start = b.newBlock();
  tiles.begin(b.special("tid.x"));
  pool.take();
  b.jump(start);
  emitExit(exit, plan);
  b.setInsertionPointToStart(start);
  if (plan.otherwise)
    emitQuestions(function, exit);
  beginShared(plan);
  if (plan.roles.areSpecialised())
    emitRoles(function, exit);
  else
    emitRole(plan, Role::Everyone, function, exit);
  // Code after an `if` whose branches both leave is unreachable.
  mlir::IRRewriter rewriter(b);
  (void)mlir::eraseUnreachableBlocks(rewriter, function->getRegions());
}

/// For those who know the ids of CTAs and want those of blocks.
void KernelEmitter::declarePanels() {
  if (!plan.rasterization.hasPanels())
    return;
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  LLVM::GlobalOp::create(b, b.getI32Type(), /*isConstant=*/true, LLVM::Linkage::External,
                         (panelSymbol + tile::EntryOp(plan.entry).getSymName()).str(),
                         b.getI32IntegerAttr(int32_t(plan.rasterization.panel)), /*alignment=*/4,
                         ConstantSpace);
}

/// The end of the kernel for what runs by this plan. Behind a barrier, what the CTA shares is no
/// longer used, also by the other CTA of a cluster.
void KernelEmitter::emitExit(mlir::Block *exit, const Plan &ofRole) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(exit);
  // The memory that bulk copies of stores read, and the maps in the pool, are given back when these
  // are complete: no manual says that a copy that has read its source no longer needs its map.
  if (!plan.roles.stores.empty())
    b.instruction("cp.async.bulk.wait_group 0;");
  if (plan.pool.bytes || plan.tensor.isUsed())
    b.barrierOfBlock();
  pool.giveBack();
  if (ofRole.tensor.isUsed())
    TensorProducts::free(b, plan, shared, tiles.thread);
  LLVM::ReturnOp::create(b, mlir::ValueRange());
}

/// Takes the parameters of the entry, flattened and in order.
LLVM::LLVMFuncOp KernelEmitter::beginFunction() {
  tile::EntryOp entry = plan.entry;
  SmallVector<mlir::Type> types;
  for (mlir::Type type : entry.getArgumentTypes())
    types.push_back(elementwise::wordType(llvm::cast<tile::TileType>(type).getElementType()));
  b.setInsertionPointToEnd(into.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, entry.getSymName(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), types),
      LLVM::Linkage::External, /*dsoLocal=*/false, LLVM::CConv::PTX_Kernel);
  SmallVector<mlir::Attribute> attributes = {
      b.getStrArrayAttr({"nvvm.reqntid", std::to_string(plan.launchedThreads())})};
  if (plan.ctas > 1) {
    attributes.push_back(b.getStrArrayAttr({"nvvm.cluster_dim", std::to_string(plan.ctas)}));
    attributes.push_back(b.getStringAttr("nvvm.blocksareclusters"));
  }
  if (std::optional<int64_t> most = plan.registerLimit())
    attributes.push_back(b.getStrArrayAttr({"nvvm.maxnreg", std::to_string(*most)}));
  function.setPassthroughAttr(b.getArrayAttr(attributes));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  return function;
}

void KernelEmitter::emitRole(const Plan &ofRole, Role role, LLVM::LLVMFuncOp function,
                             mlir::Block *exit) {
  BodyEmitter body(into, ofRole, b, role, shared, pool);
  body.emitBody(function, numberFor(ofRole, role), exit);
  bytesOfLocals += body.localBytes();
}

/// Threads that hold tiles are numbered through all CTAs of the block.
Value KernelEmitter::numberFor(const Plan &ofRole, Role role) {
  if (ofRole.ctas == 1 || runsSlice(role))
    return tiles.thread;
  return b.add(tiles.thread, b.mul(b.rank(), b.i32(ofRole.threadsOfCta())));
}

/// If an answer is no, the threads that hold tiles run the entry by the other plan, those of the
/// first CTA or of all; the remaining ones have nothing to do. Otherwise, execution goes on behind
/// this.
void KernelEmitter::emitQuestions(LLVM::LLVMFuncOp function, mlir::Block *exit) {
  BodyEmitter questions(into, plan, b, Role::Everyone, shared, pool);
  Value holds = questions.emitQuestions(function, tiles.thread);
  mlir::Block *specialised = b.newBlock(), *others = b.newBlock(), *all = b.newBlock();
  b.jumpIf(holds, specialised, {}, others, {});
  b.setInsertionPointToStart(others);
  if (plan.tensor.isUsed()) // which the other plan does not allocate
    emitExit(exit = b.newBlock(), *plan.otherwise);
  b.barrier(); // All have read where the pool is, before the other plan writes there.
  beginShared(*plan.otherwise);
  Value runsOther = b.isBelow(tiles.thread, b.i32(plan.threadsOfCta()));
  if (plan.otherwise->ctas < plan.ctas)
    runsOther = b.conjunction(runsOther, b.isEqual(b.rank(), b.i32(0)));
  b.jumpIf(runsOther, all, {}, exit, {});
  b.setInsertionPointToStart(all);
  b.participants = plan.threadsOfCta();
  emitRole(*plan.otherwise, Role::Everyone, function, exit);
  b.participants = 0;
  b.setInsertionPointToStart(specialised);
}

/// Initialises what roles, or the CTAs of a cluster, share.
void KernelEmitter::beginShared(const Plan &ofAll) {
  if (!ofAll.roles.areSpecialised() && !ofAll.hasClusterBarrier())
    return;
  Mbarriers barriers(b, tiles, shared);
  b.branch(b.isEqual(tiles.thread, b.i32(0)), [&] {
    Rings::initialize(ofAll, barriers);
    TensorProducts::initialize(ofAll, barriers);
    b.instruction("fence.mbarrier_init.release.cluster;");
  });
  if (ofAll.tensor.isUsed())
    TensorProducts::allocate(b, ofAll, shared, tiles.thread);
  b.barrierOfBlock();
}

/// The warp after those of the consumers is the producer, the next one the multiplier. The first
/// thread of these executes the slice; the others wait for it at the end, so that the warp is
/// complete when the kernel ends.
void KernelEmitter::emitRoles(LLVM::LLVMFuncOp function, mlir::Block *exit) {
  mlir::Block *consumers = b.newBlock(), *producer = b.newBlock(), *complete = b.newBlock();
  b.jumpIf(b.isBelow(tiles.thread, b.i32(plan.threadsOfCta())), consumers, {}, producer, {});
  b.setInsertionPointToStart(producer);
  if (plan.tensor.isUsed()) {
    mlir::Block *multiplier = b.newBlock(), *other = b.newBlock();
    b.jumpIf(b.isBelow(tiles.thread, b.i32(plan.threadsOfCta() + producerThreads)), other, {},
             multiplier, {});
    b.setInsertionPointToStart(multiplier);
    emitRole(plan, Role::Multiplier, function, complete);
    b.setInsertionPointToStart(other);
  }
  emitRole(plan, Role::Producer, function, complete);
  b.setInsertionPointToStart(complete);
  b.instruction("bar.warp.sync -1;");
  b.jump(exit);
  b.setInsertionPointToStart(consumers);
  b.participants = plan.threadsOfCta();
  emitRole(plan, Role::Consumers, function, exit);
  b.participants = 0;
}
