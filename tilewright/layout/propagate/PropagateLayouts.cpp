// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagates layouts from `to_layout` in two passes. The forward pass changes nothing: layouts flow
// along uses, each value keeps the first few that reach it as candidates, and the very first one
// becomes its layout. The backward pass visits the operations from last to first: each requires
// layouts for its operands, and an operand with another layout is recomputed or converted. A value
// has at most four candidates and an operation is visited once, so both passes are linear.

#include "tilewright/layout/propagate/PropagateLayouts.h"
#include "tilewright/layout/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <deque>

namespace tilewright::layout {
#define GEN_PASS_DEF_PROPAGATELAYOUTS
#include "tilewright/layout/Passes.h.inc"
} // namespace tilewright::layout

using namespace mlir;
using namespace tilewright::layout;

namespace {

class Propagation {
public:
  explicit Propagation(Operation *root) : root(root) {}

  LayoutMap run() {
    forward();
    for (auto &[value, list] : candidates)
      layouts[value] = list.front();
    for (Region &region : root->getRegions())
      visit(region);
    return std::move(layouts);
  }

private:
  // Forward
  void forward();
  void addCandidate(const LaidOut &found);

  // Backward
  void visit(Region &region);
  void visit(Operation *op);
  void visitLoop(scf::ForOp loop);
  void visitBranches(scf::IfOp branches);
  void visitMask(vector::MaskOp mask);
  void applyRequiredLayouts(Operation *op);

  void want(OpOperand &operand, VectorLayoutInterface layout);
  bool recompute(OpOperand &operand, VectorLayoutInterface layout);
  void convert(OpOperand &operand, VectorLayoutInterface layout);

  VectorLayoutInterface layoutOf(Value value) const { return layouts.lookup(value); }

  Operation *root;
  llvm::MapVector<Value, SmallVector<VectorLayoutInterface, 1>> candidates;
  std::deque<LaidOut> fresh; ///< candidates whose uses have not been visited
  LayoutMap layouts;
};

} // namespace

/// Whether a value can have this layout. Tensors count, because they will become vectors.
static bool fits(Value value, VectorLayoutInterface layout) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return layout && type && isa<VectorType, RankedTensorType>(type) &&
         type.getRank() == layout.getRank();
}

// --- Forward --------------------------------------------------------------------------

void Propagation::addCandidate(const LaidOut &found) {
  constexpr size_t most = 4;
  if (!fits(found.value, found.layout))
    return;
  auto &list = candidates[found.value];
  if (list.size() == most || llvm::is_contained(list, found.layout))
    return;
  list.push_back(found.layout);
  fresh.push_back(found);
}

void Propagation::forward() {
  root->walk([&](ToLayoutOp to) { addCandidate({to.getOutput(), to.getLayout()}); });
  auto known = [&](Value value) {
    auto found = candidates.find(value);
    return found == candidates.end() ? VectorLayoutInterface() : found->second.front();
  };
  while (!fresh.empty()) {
    LaidOut next = fresh.front();
    fresh.pop_front();
    for (OpOperand &use : next.value.getUses())
      for (const LaidOut &found : layoutsFrom(use, next.layout, known))
        addCandidate(found);
  }
}

// --- Backward -------------------------------------------------------------------------

void Propagation::visit(Region &region) {
  for (Block &block : llvm::reverse(region.getBlocks())) {
    // Operations that are inserted on the way already have their layouts.
    auto ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
    for (Operation *op : llvm::reverse(ops))
      visit(op);
  }
}

void Propagation::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  if (auto branches = dyn_cast<scf::IfOp>(op))
    return visitBranches(branches);
  if (auto mask = dyn_cast<vector::MaskOp>(op))
    return visitMask(mask);
  for (Region &region : op->getRegions())
    visit(region);
  applyRequiredLayouts(op);
}

void Propagation::applyRequiredLayouts(Operation *op) {
  for (const RequiredLayout &required :
       requiredLayouts(op, [&](Value value) { return layoutOf(value); }))
    want(*required.operand, required.layout);
}

/// A loop-carried value has the same layout before, in and after the loop. If the layout comes from
/// the body, the body is visited again, because the yielded value must have it, too.
void Propagation::visitLoop(scf::ForOp loop) {
  auto agree = [&](unsigned number, VectorLayoutInterface layout) {
    layouts[loop.getResult(number)] = layout;
    layouts[loop.getRegionIterArg(number)] = layout;
    want(loop.getBody()->getTerminator()->getOpOperand(number), layout);
    want(loop.getInitArgsMutable()[number], layout);
  };
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (VectorLayoutInterface layout = layoutOf(loop.getResult(number)))
      agree(number, layout);
  bool again = true;
  while (again) {
    visit(loop.getRegion());
    again = false;
    for (unsigned number = 0; number < loop.getNumResults(); ++number) {
      VectorLayoutInterface layout = layoutOf(loop.getRegionIterArg(number));
      if (!layout || layoutOf(loop.getResult(number)))
        continue;
      agree(number, layout);
      again = true;
    }
  }
}

void Propagation::visitBranches(scf::IfOp branches) {
  for (OpResult result : branches->getResults())
    for (Region &region : branches->getRegions())
      if (VectorLayoutInterface layout = layoutOf(result))
        want(region.front().getTerminator()->getOpOperand(result.getResultNumber()), layout);
  for (Region &region : branches->getRegions())
    visit(region);
}

/// The result of a mask is that of the operation inside, or, without one, the yielded value.
void Propagation::visitMask(vector::MaskOp mask) {
  Operation *yield = mask.getMaskBlock()->getTerminator();
  for (OpResult result : mask->getResults())
    if (VectorLayoutInterface layout = layoutOf(result))
      want(yield->getOpOperand(result.getResultNumber()), layout);
  for (Region &region : mask->getRegions())
    visit(region);
  applyRequiredLayouts(mask);
}

// --- Conflicts ------------------------------------------------------------------------

void Propagation::want(OpOperand &operand, VectorLayoutInterface layout) {
  if (!fits(operand.get(), layout))
    return;
  auto [known, fresh] = layouts.try_emplace(operand.get(), layout);
  if (fresh || known->second == layout || recompute(operand, layout))
    return;
  // A `to_layout` is itself a conversion.
  if (!isa<ToLayoutOp>(operand.getOwner()))
    convert(operand, layout);
}

/// A mask may contain only one operation.
static Operation *outsideOfMasks(Operation *op) {
  while (auto mask = dyn_cast<vector::MaskOp>(op->getParentOp()))
    op = mask;
  return op;
}

void Propagation::convert(OpOperand &operand, VectorLayoutInterface layout) {
  OpBuilder builder(outsideOfMasks(operand.getOwner()));
  auto converted = ToLayoutOp::create(builder, operand.getOwner()->getLoc(), operand.get(), layout);
  layouts[converted.getOutput()] = layout;
  operand.set(converted.getOutput());
}

static bool isSingle(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return !type || (!type.isScalable() && type.getNumElements() == 1);
}

/// Whether recomputing an operation is cheaper than moving its result: its elements are known, or
/// it only rearranges or combines others.
static bool isCheap(Operation *op) {
  if (!isPure(op) || op->getNumRegions() != 0)
    return false;
  return op->hasTrait<OpTrait::ConstantLike>() || OpTrait::hasElementwiseMappableTraits(op) ||
         isa<vector::StepOp, vector::CreateMaskOp, vector::ConstantMaskOp, vector::BroadcastOp,
             vector::TransposeOp, vector::ShapeCastOp>(op);
}

/// The operations that compute a value, in order, if they are few and cheap; otherwise none.
static SmallVector<Operation *> cheapChain(Value value) {
  constexpr size_t most = 8;
  Operation *last = value.getDefiningOp();
  llvm::SetVector<Operation *> chain;
  SmallVector<Operation *> waiting{last};
  while (!waiting.empty()) {
    Operation *op = waiting.pop_back_val();
    if (!op || op->getBlock() != last->getBlock() || !isCheap(op))
      return {};
    if (!chain.insert(op))
      continue;
    if (chain.size() > most)
      return {};
    for (Value operand : op->getOperands())
      if (!isSingle(operand))
        waiting.push_back(operand.getDefiningOp());
  }
  SmallVector<Operation *> ops = chain.takeVector();
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

bool Propagation::recompute(OpOperand &operand, VectorLayoutInterface layout) {
  SmallVector<Operation *> chain = cheapChain(operand.get());
  if (chain.empty())
    return false;
  OpBuilder builder(outsideOfMasks(operand.getOwner()));
  IRMapping copies;
  SmallVector<Operation *> copied;
  for (Operation *op : chain)
    copied.push_back(builder.clone(*op, copies));
  operand.set(copies.lookup(operand.get()));
  layouts[operand.get()] = layout;
  for (Operation *op : llvm::reverse(copied))
    applyRequiredLayouts(op);
  return true;
}

LayoutMap tilewright::layout::propagateLayouts(Operation *root) { return Propagation(root).run(); }

// --- The pass -------------------------------------------------------------------------

/// Writes the layouts that were found as attributes, for readers of the program.
static void writeDown(Operation *root, const LayoutMap &layouts) {
  auto unit = UnitAttr::get(root->getContext());
  root->walk([&](Operation *op) {
    auto list = llvm::map_to_vector(op->getResults(), [&](Value result) -> Attribute {
      VectorLayoutInterface layout = layouts.lookup(result);
      return layout ? Attribute(layout) : unit;
    });
    if (llvm::any_of(list, [&](Attribute layout) { return layout != unit; }))
      op->setAttr("iree_vector_ext.layouts", ArrayAttr::get(root->getContext(), list));
  });
}

namespace {
struct PropagateLayoutsPass : tilewright::layout::impl::PropagateLayoutsBase<PropagateLayoutsPass> {
  using PropagateLayoutsBase::PropagateLayoutsBase;

  void runOnOperation() override {
    LayoutMap layouts = propagateLayouts(getOperation());
    if (annotate)
      writeDown(getOperation(), layouts);
  }
};
} // namespace
