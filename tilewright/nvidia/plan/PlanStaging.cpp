// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loads are copied into shared memory, and how far ahead (Staging.h)?

#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;

/// With more stages, copies have more time, and other CTAs less shared memory.
static constexpr int64_t leastStages = 2, mostStages = 3;
/// Two CTAs of a multiprocessor have as many each.
static constexpr int64_t mostAheadBytes = 96 << 10;
/// What `cp.async` copies at least.
static constexpr int64_t leastCopyBytes = 4;
/// What exchanges share has as many left.
static constexpr int64_t leastExchangeBytes = 16 << 10;

namespace {
class StagingChoice {
public:
  explicit StagingChoice(Plan &plan) : plan(plan) {}
  void run();

private:
  bool isAlong(Value operand, int64_t fromLast) const;
  tile::LoadViewOp copiedLoad(Value operand, Operation *until) const;
  void stage(tile::MatmulOpInterface product, const MatrixProduct &matrices);
  bool mayComeEarlier(const StagedOperand &operand, tile::ForOp loop,
                      llvm::SetVector<Operation *> &indices) const;
  void pipeline(tile::ForOp loop);

  Plan &plan;
  int64_t exchangedBytes = 0; ///< That exchanges of pipelined loops take.
};
} // namespace

//===-- Products ------------------------------------------------------------------------------===//

static mlir::Type elementTypeOf(Value tile) { return tileTypeOf(tile).getElementType(); }

/// Whether elements of a thread that follow each other do so along the last dimension, or along the
/// one before it.
bool StagingChoice::isAlong(Value operand, int64_t fromLast) const {
  auto shape = tileTypeOf(operand).getShape();
  return !isRecomputed(operand) && plan.layoutOf(operand).width() > 1 &&
         plan.layoutOf(operand).step() == support::strideOf(shape, shape.size() - 1 - fromLast);
}

/// Whether nothing between them could change what is loaded.
static bool isUndisturbed(tile::LoadViewOp load, Operation *until) {
  for (Operation *op = load->getNextNode(); op && op != until; op = op->getNextNode()) {
    auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
    if (!tile::onlyComputes(op) && !(access && access.isLoad() && access.isWeak()))
      return false;
  }
  return true;
}

/// An operand, and the tiles with the same elements that it is made of.
static llvm::SmallVector<Value> wayTo(Value operand) {
  llvm::SmallVector<Value> way = {operand};
  while (auto moved = way.back().getDefiningOp<tile::RearrangementOpInterface>()) {
    if (!keepsElements(moved))
      break;
    way.push_back(moved.getMoved());
  }
  return way;
}

/// The load whose elements nobody else reads, and which can be as late as this operation; null if
/// there is none.
tile::LoadViewOp StagingChoice::copiedLoad(Value operand, Operation *until) const {
  llvm::SmallVector<Value> way = wayTo(operand);
  auto load = way.back().getDefiningOp<tile::LoadViewOp>();
  // Addresses of other memory than global memory are no sources of copies.
  if (!load || !plan.globalAllocas.empty() || !plan.allocas.empty() ||
      load->getBlock() != until->getBlock() ||
      !llvm::all_of(way, [](Value tile) { return tile.hasOneUse(); }) ||
      !isUndisturbed(load, until))
    return nullptr;
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  auto view = llvm::cast<tile::TileView>(load.getView().getType());
  for (size_t dim = 0; dim < view.getTileShape().size(); ++dim)
    if (tile::ruleOf(view, dim).isSparse)
      return nullptr;
  bool isSame = plan.layoutOfAccess(access) == plan.layoutOf(load.getTile());
  int64_t width = plan.widthOfAccess(access);
  int64_t bytes = width * elementwise::wordBytes(elementTypeOf(load.getTile()));
  return access.isWeak() && isSame && width > 1 && bytes >= leastCopyBytes ? load : nullptr;
}

void StagingChoice::stage(tile::MatmulOpInterface product, const MatrixProduct &matrices) {
  // Elements of 16 bits are transposed on their way to registers; others are not.
  bool isAlongK = matrices.elementBytes != 2 || isAlong(product.getRhs(), 1);
  Staging staging{isAlongK, {}, {}};
  bool isWhole = matrices.bytesOf(matrices.k) <= Target::usualSharedBytes;
  for (bool isLhs : {true, false}) {
    StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
    Value tile = isLhs ? product.getLhs() : product.getRhs();
    operand.bytes =
        matrices.batches * (isLhs ? matrices.m : matrices.n) * matrices.k * matrices.elementBytes;
    operand.isRow = isLhs ? isAlong(tile, 0) : isAlong(tile, isAlongK ? 1 : 0);
    if (operand.isRow && isWhole)
      operand.load = copiedLoad(tile, product);
    if (operand.load)
      operand.way = StagedOperand::Copied;
  }
  plan.staged.insert({product, staging});
}

//===-- Loops ---------------------------------------------------------------------------------===//

/// The operations in the body that compute what the load needs; none if one of them does more, or
/// needs what an iteration leaves to the next one.
static std::optional<llvm::SmallVector<Operation *>> indicesOf(tile::LoadViewOp load,
                                                               tile::ForOp loop) {
  llvm::SmallVector<Operation *> indices;
  llvm::SmallVector<Value> wanted(load->getOperands());
  while (!wanted.empty()) {
    Value value = wanted.pop_back_val();
    bool isOutside = value.getParentBlock() != loop.body();
    if (isOutside || value == loop.inductionVar() || llvm::isa<tile::TokenType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || !tile::onlyComputes(op) || op->getNumRegions() ||
        llvm::any_of(op->getResults(), tileTypeOf))
      return std::nullopt;
    indices.push_back(op);
    llvm::append_range(wanted, op->getOperands());
  }
  return indices;
}

/// Of a load that no token orders after a store of the loop. It may come before it.
bool StagingChoice::mayComeEarlier(const StagedOperand &operand, tile::ForOp loop,
                                   llvm::SetVector<Operation *> &indices) const {
  if (!operand.load || plan.barriers.contains(operand.load))
    return false;
  auto own = indicesOf(operand.load, loop);
  if (own)
    indices.insert_range(*own);
  return own.has_value();
}

void StagingChoice::pipeline(tile::ForOp loop) {
  auto isReturn = [](tile::ReturnOp) { return mlir::WalkResult::interrupt(); };
  if (plan.target.capability < 80 || tile::hasInnerJumps(loop) ||
      loop->walk(isReturn).wasInterrupted())
    return;
  Pipeline pipeline{mostStages, {}, {}};
  llvm::SetVector<Operation *> indices;
  llvm::SmallVector<StagedOperand *> ahead;
  llvm::SmallVector<std::pair<StagedOperand *, tile::LoadViewOp>> kept;
  int64_t aheadBytes = 0, keptBytes = 0, writtenBytes = 0;
  for (Operation &op : *loop.body()) {
    auto found = plan.staged.find(&op);
    if (found == plan.staged.end())
      continue;
    auto product = llvm::cast<tile::MatmulOpInterface>(op);
    std::pair<StagedOperand &, Value> operands[] = {{found->second.lhs, product.getLhs()},
                                                    {found->second.rhs, product.getRhs()}};
    size_t before = ahead.size();
    for (auto &[operand, tile] : operands)
      if (mayComeEarlier(operand, loop, indices)) {
        ahead.push_back(&operand);
        aheadBytes += operand.bytes;
      }
    if (ahead.size() == before)
      continue;
    pipeline.products.push_back(product);
    int64_t written = 0;
    for (auto &[operand, tile] : operands) {
      if (llvm::is_contained(ahead, &operand))
        continue;
      written += operand.bytes;
      if (!operand.load && !loop->isAncestor(tile.getParentBlock()->getParentOp())) {
        kept.push_back({&operand, operand.isRow ? copiedLoad(tile, loop) : nullptr});
        keptBytes += operand.bytes;
      }
    }
    writtenBytes = std::max(writtenBytes, written);
  }
  int64_t shared = std::max({leastExchangeBytes, exchangedBytes, writtenBytes});
  int64_t left = std::min(mostAheadBytes, plan.target.sharedBytes - shared) - plan.ahead.bytes;
  if (keptBytes + leastStages * aheadBytes > left) {
    kept.clear();
    keptBytes = 0;
  }
  if (ahead.empty() || leastStages * aheadBytes > left)
    return;
  pipeline.stages = std::min(mostStages, (left - keptBytes) / aheadBytes);
  auto reserve = [&](StagedOperand &operand, StagedOperand::Way way, int64_t stages) {
    operand.way = way;
    operand.offset = plan.ahead.add(operand.bytes * stages, StagedOperand::alignment);
  };
  for (StagedOperand *operand : ahead)
    reserve(*operand, StagedOperand::CopiedAhead, pipeline.stages);
  for (auto [operand, load] : kept) {
    reserve(*operand, StagedOperand::Kept, 1);
    operand->load = load;
  }
  for (Operation &op : *loop.body())
    if (indices.contains(&op))
      pipeline.indices.push_back(&op);
  exchangedBytes = shared;
  plan.pipelines.insert({loop, pipeline});
}

void StagingChoice::run() {
  for (auto &[op, matrices] : plan.matrices)
    stage(llvm::cast<tile::MatmulOpInterface>(op), matrices);
  plan.entry.walk([&](tile::ForOp loop) { pipeline(loop); });
  // What is copied is there as a whole.
  int64_t most = std::min(Target::usualSharedBytes, plan.target.sharedBytes - plan.ahead.bytes);
  for (auto &[op, staging] : plan.staged)
    if (staging.exchangedBytes() > most)
      for (StagedOperand *operand : {&staging.lhs, &staging.rhs})
        if (operand->way == StagedOperand::Copied)
          operand->way = StagedOperand::Written;
  for (auto &[op, staging] : plan.staged) {
    auto product = llvm::cast<tile::MatmulOpInterface>(op);
    if (staging.lhs.isCopied())
      llvm::for_each(wayTo(product.getLhs()), [&](Value tile) { plan.copied.insert(tile); });
    if (staging.rhs.isCopied())
      llvm::for_each(wayTo(product.getRhs()), [&](Value tile) { plan.copied.insert(tile); });
  }
}

void nvidia::chooseStaging(Plan &plan) { StagingChoice(plan).run(); }
