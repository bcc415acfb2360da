// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the function of a thread by walking the function over whole vectors from the first
// operation to the last. Most operations are cloned with the thread's part of each operand; the
// others have a rule (DistributionRules.h). The new body replaces the old one when it is complete.

#include "tilewright/layout/distribute/DistributionRules.h"
#include "tilewright/layout/propagate/PropagateLayouts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

namespace tilewright::layout {

class ThreadEmitter {
public:
  ThreadEmitter(func::FuncOp whole, const LayoutMap &layouts, const WorkgroupShape &shape)
      : whole(whole), thread(whole, layouts, shape) {}

  LogicalResult write();

private:
  LogicalResult write(Block &block);
  LogicalResult write(Operation *op);
  LogicalResult checkLayouts(Operation *op);
  bool hasRequiredLayouts(Operation *op);
  LogicalResult distributeByRule(Operation *op);
  LogicalResult copy(Operation *op);
  LogicalResult copyRegions(Operation *op, Operation *copied);
  LogicalResult copyForOneThread(Operation *op);

  func::FuncOp whole;
  ThreadFunction thread;
  Region body;
};

} // namespace tilewright::layout

// --- Checks ---------------------------------------------------------------------------

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

static LogicalResult noLayout(Operation *op, const Twine &what, Type type) {
  return op->emitOpError(what) << ", a " << type
                               << ", has no layout: no to_layout of it or of what it is connected "
                                  "with says how it is held";
}

LogicalResult ThreadEmitter::checkLayouts(Operation *op) {
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if (isVector(operand) && !thread.attrOf(operand))
      return noLayout(op, "operand #" + Twine(index), operand.getType());
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    if (isVector(result) && !thread.attrOf(result))
      return noLayout(op, "result #" + Twine(index), result.getType());
  assert(hasRequiredLayouts(op) &&
         "propagation inserts conversions to the layouts that operations require");
  return success();
}

/// Whether the operands have the layouts that the operation requires.
bool ThreadEmitter::hasRequiredLayouts(Operation *op) {
  if (isa<ToLayoutOp>(op))
    return true; // the only operation that may change the layout
  auto layoutOf = [&](Value value) -> VectorLayoutInterface {
    return isVector(value) ? thread.attrOf(value) : NestedLayoutAttr();
  };
  auto alike = [&](ValueRange some, ValueRange others) {
    return llvm::all_of(llvm::zip(some, others), [&](auto pair) {
      return layoutOf(std::get<0>(pair)) == layoutOf(std::get<1>(pair));
    });
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return alike(loop.getInitArgs(), loop.getRegionIterArgs()) &&
           alike(loop.getResults(), loop.getRegionIterArgs());
  if (isa<scf::YieldOp>(op))
    return alike(op->getOperands(), op->getParentOp()->getResults());
  return llvm::all_of(requiredLayouts(op, layoutOf), [&](const RequiredLayout &required) {
    Value operand = required.operand->get();
    return !isVector(operand) || required.layout == layoutOf(operand);
  });
}

// --- Operations -----------------------------------------------------------------------

/// Whether the operation can be applied to a thread's part as it is.
static bool isCopied(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) ||
         isa<ub::PoisonOp, vector::GatherOp, scf::ForOp, scf::IfOp, scf::YieldOp>(op);
}

LogicalResult ThreadEmitter::distributeByRule(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp, vector::StepOp, vector::BroadcastOp, vector::TransposeOp,
            vector::ShapeCastOp, vector::ExtractOp, ToLayoutOp, vector::CreateMaskOp,
            vector::ConstantMaskOp, vector::TransferReadOp, vector::TransferWriteOp,
            TransferGatherOp, vector::MultiDimReductionOp, vector::ScanOp>(
          [&](auto found) { return layout::distribute(found, thread); })
      .Case([&](vector::ContractionOp contraction) {
        Attribute kind = contraction->getDiscardableAttr(mmaKindName);
        return kind ? distributeToMma(contraction, kind, thread)
                    : layout::distribute(contraction, thread);
      })
      .Default([](Operation *other) {
        return other->emitOpError("over vectors has no rule by which it could be distributed");
      });
}

LogicalResult ThreadEmitter::copy(Operation *op) {
  Operation *copied = op->cloneWithoutRegions();
  for (auto [operand, whole] : llvm::zip_equal(copied->getOpOperands(), op->getOperands()))
    operand.set(thread.distributed(whole));
  for (auto [result, whole] : llvm::zip_equal(copied->getResults(), op->getResults())) {
    result.setType(thread.typeOf(whole));
    thread.setDistributed(whole, result);
  }
  thread.builder.insert(copied);
  return copyRegions(op, copied);
}

LogicalResult ThreadEmitter::copyRegions(Operation *op, Operation *copied) {
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copied->getRegions())) {
    for (Block &block : from) {
      OpBuilder::InsertionGuard guard(thread.builder);
      Block *written = thread.builder.createBlock(&to, to.end());
      for (BlockArgument argument : block.getArguments()) {
        if (isVector(argument) && !thread.attrOf(argument))
          return noLayout(op, "argument #" + Twine(argument.getArgNumber()) + " of a region",
                          argument.getType());
        thread.setDistributed(argument,
                              written->addArgument(thread.typeOf(argument), argument.getLoc()));
      }
      if (failed(write(block)))
        return failure();
    }
  }
  return success();
}

/// Whether the operation itself writes to, or frees, memory that is an operand.
static bool changesMemory(Operation *op) {
  if (isa<memref::GenericAtomicRMWOp>(op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && llvm::any_of(op->getOperands(), [&](Value operand) {
           return isa<BaseMemRefType>(operand.getType()) &&
                  (effects.getEffectOnValue<MemoryEffects::Write>(operand) ||
                   effects.getEffectOnValue<MemoryEffects::Free>(operand));
         });
}

/// A store of a scalar, or an atomic, is executed by one thread instead of by each.
LogicalResult ThreadEmitter::copyForOneThread(Operation *op) {
  Value first = thread.isFirstOwner(NestedLayoutAttr::get(op->getContext(), Layout()));
  if (!first)
    return copy(op);
  auto choice = scf::IfOp::create(thread.builder, op->getLoc(), op->getResultTypes(), first,
                                  /*withElseRegion=*/op->getNumResults() > 0);
  OpBuilder::InsertionGuard guard(thread.builder);
  thread.builder.setInsertionPointToStart(&choice.getThenRegion().front());
  Operation *copied = thread.builder.clone(*op, thread.values);
  for (auto [whole, result] : llvm::zip_equal(op->getResults(), choice.getResults()))
    thread.setDistributed(whole, result);
  if (op->getNumResults() == 0)
    return success();
  // The other threads get the result through memory.
  scf::YieldOp::create(thread.builder, op->getLoc(), copied->getResults());
  thread.builder.setInsertionPointToStart(&choice.getElseRegion().front());
  Value unknown = ub::PoisonOp::create(thread.builder, op->getLoc(), op->getResult(0).getType());
  scf::YieldOp::create(thread.builder, op->getLoc(), unknown);
  return success();
}

LogicalResult ThreadEmitter::write(Operation *op) {
  bool hasVectors =
      llvm::any_of(op->getOperands(), isVector) || llvm::any_of(op->getResults(), isVector);
  if (!hasVectors) {
    return changesMemory(op) && thread.isUniform(op) ? copyForOneThread(op) : copy(op);
  }
  if (isOpTriviallyDead(op))
    return success();
  if (failed(checkLayouts(op)))
    return failure();
  return isCopied(op) ? copy(op) : distributeByRule(op);
}

LogicalResult ThreadEmitter::write(Block &block) {
  for (Operation &op : block)
    if (failed(write(&op)))
      return failure();
  return success();
}

LogicalResult ThreadEmitter::write() {
  for (BlockArgument argument : whole.getArguments())
    if (isVector(argument))
      return whole.emitOpError("argument #")
             << argument.getArgNumber() << " is a " << argument.getType()
             << ": vectors have to come from memory and go there, for a call has no layout";
  Block &old = whole.getBody().front();
  Block &written = body.emplaceBlock();
  for (BlockArgument argument : old.getArguments())
    thread.setDistributed(argument, written.addArgument(argument.getType(), argument.getLoc()));
  thread.builder.setInsertionPointToEnd(&written);
  // Thread ids come first, in the order in which they are requested.
  auto anchor = ub::PoisonOp::create(thread.builder, whole.getLoc(), thread.builder.getIndexType());
  thread.atEntry.setInsertionPoint(anchor);
  if (failed(write(old)))
    return failure();
  anchor.erase();
  whole.getBody().takeBody(body);
  return success();
}

LogicalResult layout::emitThreadFunction(func::FuncOp function, const LayoutMap &layouts,
                                         const WorkgroupShape &shape) {
  return ThreadEmitter(function, layouts, shape).write();
}
