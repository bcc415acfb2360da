// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass `tw-distribute-vectors`, which runs the steps of Distribute.h.

#include "tilewright/layout/Passes.h"
#include "tilewright/layout/algebra/Rearrange.h"
#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/layout/propagate/PropagateLayouts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilewright::layout {
#define GEN_PASS_DEF_DISTRIBUTEVECTORS
#include "tilewright/layout/Passes.h.inc"
} // namespace tilewright::layout

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

// --- The steps ------------------------------------------------------------------------

static bool isScalable(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.isScalable();
}

/// Reductions that are shared by threads start with the identity, so there must be one.
static LogicalResult checkReduced(Operation *op) {
  if (!isa<vector::ReductionOp, vector::MultiDimReductionOp, vector::ContractionOp>(op))
    return success();
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isa<Float8E8M0FNUType>(element))
    return success();
  return op->emitOpError("cannot be distributed: ") << element << " has no zero to start from";
}

/// Rejects operations that no step supports.
static LogicalResult checkOperation(Operation *op) {
  if (isa<CallOpInterface>(op))
    return op->emitOpError("cannot be distributed: what it calls has to be inlined first");
  if (isa<memref::AllocaOp>(op))
    return op->emitOpError("would be memory of each thread, but what is distributed is of all: it "
                           "has to be a memref.alloc");
  if (llvm::any_of(op->getResultTypes(), isScalable))
    return op->emitOpError("cannot be distributed: a scalable vector has no fixed layout");
  return checkReduced(op);
}

static LogicalResult checkOperations(func::FuncOp function) {
  WalkResult checked = function.walk([](Operation *op) {
    return failed(checkOperation(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(checked.wasInterrupted());
}

static void eraseDead(func::FuncOp function) {
  function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// Replaces thread tiles that span the whole workgroup by the equivalent subgroup and thread tiles
/// (layouts, 1.8).
static void splitThreadTiles(func::FuncOp function, Workgroup workgroup) {
  llvm::DenseMap<Attribute, NestedLayoutAttr> known;
  function.walk([&](ToLayoutOp to) {
    auto [found, fresh] = known.try_emplace(to.getLayout());
    if (fresh) {
      found->second = cast<NestedLayoutAttr>(to.getLayout());
      Layout layout = found->second.getLayout();
      if (std::optional<Layout> split = splitThreads(layout, workgroup))
        found->second = NestedLayoutAttr::get(to.getContext(), *split);
    }
    to.setLayoutAttr(found->second);
  });
}

/// The thread function is emitted tile by tile; no thread has that many registers.
static constexpr int64_t mostRegisters = 1 << 20;

static Result<void> checkLayout(const Layout &layout, Workgroup workgroup) {
  if (Result<void> fits = checkFor(layout, workgroup); !fits)
    return fits;
  if (layout.registers() <= mostRegisters)
    return {};
  return Failure{llvm::formatv("a thread would hold {0} elements; expected at most {1}",
                               layout.registers(), mostRegisters)};
}

/// Checks that every requested layout fits the workgroup: each element must have an owner.
static LogicalResult checkLayouts(func::FuncOp function, Workgroup workgroup) {
  llvm::DenseSet<Attribute> fitting;
  WalkResult checked = function.walk([&](ToLayoutOp to) {
    if (!fitting.insert(to.getLayout()).second)
      return WalkResult::advance();
    auto nested = cast<NestedLayoutAttr>(to.getLayout()); // there is no other kind
    Result<void> fits = checkLayout(nested.getLayout(), workgroup);
    if (fits)
      return WalkResult::advance();
    to.emitOpError("the layout does not fit ") << workgroup.threads << " threads in subgroups of "
                                               << workgroup.lanes << ": " << fits.failure().message;
    return WalkResult::interrupt();
  });
  return failure(checked.wasInterrupted());
}

static LogicalResult distribute(func::FuncOp function, const WorkgroupShape &shape) {
  Workgroup workgroup = shape.workgroup();
  eraseDead(function);
  splitThreadTiles(function, workgroup);
  if (failed(checkOperations(function)) || failed(checkLayouts(function, workgroup)) ||
      failed(lowerMasks(function)))
    return failure();
  LayoutMap layouts = propagateLayouts(function);
  return success(succeeded(materializeConversions(function, layouts, workgroup)) &&
                 succeeded(insertBarriers(function, layouts, workgroup)) &&
                 succeeded(emitThreadFunction(function, layouts, shape)));
}

LogicalResult layout::distributeVectors(ModuleOp module, const WorkgroupShape &shape) {
  WalkResult distributed = module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return WalkResult::skip();
    auto func = dyn_cast<func::FuncOp>(function.getOperation());
    if (!func)
      function.emitOpError("cannot be distributed: functions have to be func.func");
    bool ok = func && succeeded(distribute(func, shape));
    return ok ? WalkResult::skip() : WalkResult::interrupt();
  });
  return failure(distributed.wasInterrupted());
}

namespace {
struct DistributeVectorsPass
    : tilewright::layout::impl::DistributeVectorsBase<DistributeVectorsPass> {
  using DistributeVectorsBase::DistributeVectorsBase;

  void runOnOperation() override {
    WorkgroupShape shape;
    shape.lanes = lanes;
    if (threads.size() > shape.threads.size()) {
      getOperation().emitError("a workgroup has at most 3 dimensions, not ") << threads.size();
      return signalPassFailure();
    }
    llvm::copy(threads, shape.threads.begin());
    if (failed(distributeVectors(getOperation(), shape)))
      signalPassFailure();
  }
};
} // namespace
