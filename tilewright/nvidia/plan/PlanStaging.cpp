// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the loads that are copied into shared memory, and the depth of software pipelining
// (Staging.h).

#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

/// At least two, so that one stage is filled while another one is read.
static constexpr int64_t leastStages = 2;
/// The smallest `cp.async`, in bytes.
static constexpr int64_t leastCopyBytes = 4;

/// The most bytes of prefetched and kept operands: all of shared memory, if the accumulators of a
/// product leave registers for only one CTA per multiprocessor. `reserve` subtracts the memory of
/// exchanges.
static int64_t mostStagedBytesOf(const Plan &plan) {
  if (plan.occupancy)
    return plan.sharedLimit();
  bool isAlone = llvm::any_of(plan.matrices, [&](auto &entry) {
    return plan.isAloneWith(entry.second.registersOfSums(plan.threads));
  });
  isAlone |= plan.isAloneWith(mostLiveAccumulators(plan.entry) / plan.threads);
  return isAlone ? plan.sharedLimit() : plan.target.tuning.mostStagedBytes;
}

//===-- Loads ---------------------------------------------------------------------------------===//

/// Whether a thread's contiguous elements lie along this dimension, counted from the last one.
static bool isAlong(const Plan &plan, Value operand, int64_t fromLast) {
  auto shape = tileTypeOf(operand).getShape();
  return !isRecomputed(operand) && plan.layoutOf(operand).width() > 1 &&
         plan.layoutOf(operand).step() == support::strideOf(shape, shape.size() - 1 - fromLast);
}

bool nvidia::isWeakLoad(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return access && access.isLoad() && access.isWeak();
}

/// Whether no operation between the load and `until` could change the loaded memory.
static bool isUndisturbed(tile::LoadViewOp load, Operation *until) {
  for (Operation *op = load->getNextNode(); op && op != until; op = op->getNextNode())
    if (!tile::onlyComputes(op) && !isWeakLoad(op))
      return false;
  return true;
}

/// Whether the result has each element of the source exactly once, in another order or shape.
static bool permutesElements(tile::RearrangementOpInterface op) {
  std::optional<SmallVector<int>> bits = sourceBitsOf(op);
  return bits && !llvm::is_contained(*bits, -1) &&
         elementCountOf(op.getMoved()) == elementCountOf(op->getResult(0));
}

SmallVector<Value> nvidia::wayTo(Value operand) {
  SmallVector<Value> way = {operand};
  while (auto moved = way.back().getDefiningOp<tile::RearrangementOpInterface>()) {
    if (!permutesElements(moved))
      break;
    way.push_back(moved.getMoved());
  }
  return way;
}

SmallVector<unsigned> nvidia::operandBitsOf(Value operand) {
  auto bits = llvm::to_vector(llvm::seq<unsigned>(0, llvm::Log2_64(elementCountOf(operand))));
  SmallVector<Value> way = wayTo(operand);
  for (Value tile : llvm::ArrayRef(way).drop_back()) {
    SmallVector<int> sources = *sourceBitsOf(tile.getDefiningOp<tile::RearrangementOpInterface>());
    SmallVector<unsigned> ofResult = bits;
    for (auto [bit, source] : llvm::enumerate(sources))
      bits[source] = ofResult[bit];
  }
  return bits;
}

/// Whether the elements that a thread loads at once are contiguous in a row of the operand in
/// shared memory. Rows lie along this dimension of the operand, counted from the last one.
static bool loadsPiecesOfRows(const Plan &plan, tile::LoadViewOp load, Value operand,
                              int64_t fromLast) {
  const TileLayout layout = plan.layoutOf(load.getTile());
  auto shape = tileTypeOf(operand).getShape();
  const unsigned row = llvm::Log2_64(support::strideOf(shape, shape.size() - 1 - fromLast));
  const unsigned first = llvm::Log2_64(layout.step());
  SmallVector<unsigned> bits = operandBitsOf(operand);
  for (unsigned bit = 0; bit < llvm::Log2_64(layout.width()); ++bit)
    if (bits[first + bit] != row + bit)
      return false;
  return layout.width() > 1;
}

/// Whether elements that are contiguous in memory, two in a byte, are a row of the operand, which
/// lies along this dimension, counted from the last one. Only a tensor map copies such rows.
static bool hasRowsAlong(tile::LoadViewOp load, Value operand, int64_t fromLast) {
  auto loaded = tileTypeOf(load.getTile()).getShape(), shape = tileTypeOf(operand).getShape();
  const std::optional<size_t> inRow =
      packedDimensionOf(llvm::cast<tile::TileView>(load.getView().getType()));
  const size_t along = shape.size() - 1 - fromLast;
  if (!inRow || loaded[*inRow] != shape[along])
    return false;
  const unsigned first = llvm::Log2_64(support::strideOf(loaded, *inRow));
  const unsigned row = llvm::Log2_64(support::strideOf(shape, along));
  SmallVector<unsigned> bits = operandBitsOf(operand);
  for (unsigned bit = 0; bit < llvm::Log2_64(shape[along]); ++bit)
    if (bits[first + bit] != row + bit)
      return false;
  return true;
}

/// Whether a thread's part of the load consists of pieces that one copy can transfer.
static bool hasPieces(const Plan &plan, tile::LoadViewOp load) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  auto view = llvm::cast<tile::TileView>(load.getView().getType());
  for (size_t dim = 0; dim < view.getTileShape().size(); ++dim)
    if (tile::ruleOf(view, dim).isSparse)
      return false;
  int64_t width = plan.widthOfAccess(access);
  mlir::Type element = tileTypeOf(load.getTile()).getElementType();
  return width > 1 && width * elementwise::wordBytes(element) >= leastCopyBytes &&
         plan.layoutOfAccess(access) == plan.layoutOf(load.getTile());
}

/// Whether the tile serves only, possibly permuted, as lhs or rhs of products by `wgmma` or
/// `tcgen05.mma`: each of these operands gets a copy of its own.
static bool isForSharedOperands(const Plan &plan, Value tile) {
  return llvm::all_of(tile.getUsers(), [&](Operation *user) {
    if (auto product = llvm::dyn_cast<tile::MatmulOpInterface>(user)) {
      auto found = plan.matrices.find(user);
      return found != plan.matrices.end() && found->second.form.readsSharedMemory() &&
             product.getAcc() != tile;
    }
    auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(user);
    return moved && permutesElements(moved) && isForSharedOperands(plan, user->getResult(0));
  });
}

/// The weak load at the end of the way, if its data can be copied at the operation `until` instead;
/// null otherwise.
static tile::LoadViewOp undisturbedLoad(const Plan &plan, llvm::ArrayRef<Value> way,
                                        Operation *until) {
  auto load = way.back().getDefiningOp<tile::LoadViewOp>();
  if (!load || !isWeakLoad(load))
    return nullptr;
  // Only products read the elements, and memory does not change before `until`.
  bool isOnlyForIt = llvm::all_of(way, [](Value tile) { return tile.hasOneUse(); });
  if (!(isOnlyForIt || isForSharedOperands(plan, way.back())) ||
      load->getBlock() != until->getBlock() || !isUndisturbed(load, until))
    return nullptr;
  // A load may read an alloca, whose memory is never copied from.
  if (!plan.globalAllocas.empty() || !plan.allocas.empty())
    return nullptr;
  return load;
}

/// The load whose data can be copied into shared memory at the operation `until`; null if there is
/// none.
static tile::LoadViewOp copiedLoad(const Plan &plan, tile::MatmulOpInterface product, bool isLhs,
                                   bool isAlongK, Operation *until) {
  SmallVector<Value> way = wayTo(isLhs ? product.getLhs() : product.getRhs());
  tile::LoadViewOp load = undisturbedLoad(plan, way, until);
  if (!load)
    return nullptr;
  if (plan.matrices.find(product)->second.form.isPacked)
    return hasRowsAlong(load, way.front(), isLhs ? 0 : 1) ? load : nullptr;
  bool isRow = loadsPiecesOfRows(plan, load, way.front(), isLhs == isAlongK ? 0 : 1);
  return isRow && hasPieces(plan, load) ? load : nullptr;
}

/// The load whose tile has the scales in the order of a pipeline stage, so that the producer can
/// copy them; null if there is none.
static tile::LoadViewOp copiedScales(const Plan &plan, tile::MmaFScaledOp op, bool isLhs) {
  Value scales = isLhs ? op.getLhsScale() : op.getRhsScale();
  SmallVector<Value> way = wayTo(scales);
  tile::LoadViewOp load = undisturbedLoad(plan, way, op);
  const TensorScales places(plan.matrices.find(op)->second);
  if (!load || plan.tensor.written.contains(op) || elementCountOf(scales) != places.bytesOf(isLhs))
    return nullptr;
  const int64_t columns = tileTypeOf(scales).getShape().back();
  for (auto [bit, ofOperand] : llvm::enumerate(operandBitsOf(scales))) {
    const int64_t row = (int64_t(1) << ofOperand) / columns,
                  column = (int64_t(1) << ofOperand) % columns;
    if ((isLhs ? places.placeOf(row, column) : places.placeOf(column, row)) != int64_t(1) << bit)
      return nullptr;
  }
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  return linearMapFor(access).reason ? nullptr : load;
}

//===-- Loops ---------------------------------------------------------------------------------===//

/// Whether the operation orders other accesses, or changes memory.
static bool isEffect(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return isFence(op) || (access && !isWeakLoad(op));
}

namespace {
/// A product in a loop, with those of its operands that can be staged earlier.
struct Candidate {
  tile::MatmulOpInterface product;
  SmallVector<StagedOperand *> ahead, kept, scales;
  int64_t exchanged = 0;                ///< Bytes of its other operands.
  llvm::SetVector<Operation *> indices; ///< Operations that prefetched loads depend on.
};

/// Where a candidate's operand lies if all candidates fit.
struct Placed {
  StagedOperand *operand;
  int64_t offset;
  StagedOperand::Way way;
};

/// A loop whose loads may be prefetched.
struct LoopLoads {
  LoopLoads(const Plan &plan, tile::ForOp loop)
      : plan(plan), loop(loop), hasEffects(loop->walk([](Operation *op) {
                                                 return isEffect(op) ? mlir::WalkResult::interrupt()
                                                                     : mlir::WalkResult::advance();
                                               })
                                               .wasInterrupted()) {}

  bool isOutside(Value value) const {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  }
  bool isIndexOperation(Operation *op) const;
  bool takeIndices(tile::LoadViewOp load, llvm::SetVector<Operation *> &indices) const;

  const Plan &plan;
  tile::ForOp loop;
  bool hasEffects;
};

class StagingChoice {
public:
  explicit StagingChoice(Plan &plan)
      : plan(plan), tuning(plan.target.tuning), mostStagedBytes(mostStagedBytesOf(plan)),
        exchangedBytes(std::max(tuning.reservedExchangeBytes / plan.occupancy.value_or(1),
                                leastExchangeBytes)) {}
  void run();

private:
  void stage(tile::MatmulOpInterface product, const MatrixProduct &matrices);
  std::optional<Candidate> candidate(tile::MatmulOpInterface product, const LoopLoads &loads);
  int64_t mostStagesOf(llvm::ArrayRef<Candidate> candidates) const;
  void pipeline(tile::ForOp loop);
  bool reserve(llvm::ArrayRef<Candidate> candidates, int64_t stages, bool isKept);
  void keep(StagedOperand &operand, tile::MatmulOpInterface product, const LoopLoads &loads);
  void finish();
  bool isOnlyCopied(Value tile);

  Plan &plan;
  const Tuning &tuning;
  const int64_t mostStagedBytes;
  int64_t scaleBytes = 0; ///< Of all stages so far, beside those of operands.
  int64_t ringBytes = 0; ///< For barriers and tensor maps, if the loops so far get rings (Roles.h).
  int64_t exchangedBytes; ///< Shared memory for exchanges, which stages cannot take.
};
} // namespace

/// Whether the operation computes or loads single elements, so that it can run iterations ahead. An
/// example is the load of an index from a page table.
bool LoopLoads::isIndexOperation(Operation *op) const {
  auto hasOneElement = [](Value value) { return !tileTypeOf(value) || elementCountOf(value) == 1; };
  if (op->getNumRegions() || !llvm::all_of(op->getResults(), hasOneElement) ||
      !llvm::all_of(op->getOperands(), hasOneElement))
    return false;
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return isWeakLoad(op) && !plan.barriers.contains(op) &&
           !(access.isThroughView() && llvm::any_of(op->getOperands(), tileTypeOf));
  return tile::onlyComputes(op);
}

/// Adds the operations in the body that compute the load's operands. False if one of them has
/// effects, or depends on another iteration. In a loop with effects, the load must not take a token
/// from inside the loop, because it must not move before the accesses that the token orders.
bool LoopLoads::takeIndices(tile::LoadViewOp load, llvm::SetVector<Operation *> &indices) const {
  SmallVector<Operation *> found;
  SmallVector<Value> wanted(load->getOperands());
  while (!wanted.empty()) {
    Value value = wanted.pop_back_val();
    if (isOutside(value) || value == tile::ForOp(loop).inductionVar())
      continue;
    if (llvm::isa<tile::TokenType>(value.getType())) {
      if (hasEffects)
        return false;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !isIndexOperation(op))
      return false;
    found.push_back(op);
    llvm::append_range(wanted, op->getOperands());
  }
  // These operations run again for a later iteration. That must not overwrite elements that other
  // operations of this iteration still read.
  for (Operation *op : found)
    for (Value result : op->getResults())
      if (tileTypeOf(result) && llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(found, user);
          }))
        return false;
  indices.insert_range(found);
  return true;
}

/// None if no operand of the product can be prefetched.
std::optional<Candidate> StagingChoice::candidate(tile::MatmulOpInterface product,
                                                  const LoopLoads &loads) {
  Candidate candidate;
  candidate.product = product;
  Staging &staging = plan.staged.find(product)->second;
  candidate.exchanged = staging.scaleBytes;
  for (StagedOperand *scales : {&staging.lhsScales, &staging.rhsScales}) {
    if (scales->load && (stagesFor(scales->load, plan.target) == 1 ||
                         !loads.takeIndices(scales->load, candidate.indices)))
      scales->load = nullptr;
    if (scales->bytes)
      candidate.scales.push_back(scales);
  }
  for (bool isLhs : {true, false}) {
    StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
    if (operand.way == StagedOperand::InRegisters)
      continue;
    const bool mayBeAhead = operand.load && stagesFor(operand.load, plan.target) != 1;
    if (mayBeAhead && loads.takeIndices(operand.load, candidate.indices))
      candidate.ahead.push_back(&operand);
    else if (!operand.load && loads.isOutside(isLhs ? product.getLhs() : product.getRhs()))
      candidate.kept.push_back(&operand);
    else
      candidate.exchanged += operand.bytes;
  }
  return candidate.ahead.empty() ? std::nullopt : std::optional(candidate);
}

/// As many as the hint for the highest latency asks for, if there is one: all operands of a loop
/// have as many stages.
int64_t StagingChoice::mostStagesOf(llvm::ArrayRef<Candidate> candidates) const {
  std::optional<int64_t> hinted;
  for (const Candidate &candidate : candidates)
    for (const StagedOperand *operand : candidate.ahead)
      hinted = std::max(hinted, stagesFor(operand->load, plan.target));
  return hinted.value_or(tuning.mostStages);
}

/// Pipelines the products of a loop without early exits. If shared memory does not suffice for all
/// products, pipelines only the first ones.
void StagingChoice::pipeline(tile::ForOp loop) {
  auto isReturn = [](tile::ReturnOp) { return mlir::WalkResult::interrupt(); };
  if (plan.target.capability < 80 || tile::hasInnerJumps(loop) ||
      loop->walk(isReturn).wasInterrupted())
    return;
  const LoopLoads loads(plan, loop);
  SmallVector<Candidate> candidates;
  for (Operation &op : *loop.body())
    if (plan.staged.contains(&op))
      if (auto found = candidate(llvm::cast<tile::MatmulOpInterface>(op), loads))
        candidates.push_back(*found);
  for (; !candidates.empty(); candidates.pop_back())
    for (bool isKept : {true, false})
      for (int64_t stages = mostStagesOf(candidates); stages >= leastStages; --stages) {
        if (!reserve(candidates, stages, isKept))
          continue;
        Pipeline pipeline{stages, {}, {}};
        for (const Candidate &candidate : candidates) {
          pipeline.products.push_back(candidate.product);
          if (isKept)
            for (StagedOperand *operand : candidate.kept)
              keep(*operand, candidate.product, loads);
        }
        for (Operation &op : *loop.body())
          if (llvm::any_of(candidates, [&](auto &some) { return some.indices.contains(&op); }))
            pipeline.indices.push_back(&op);
        plan.pipelines.insert({loop, pipeline});
        return;
      }
}

/// Reserves shared memory for the candidates, if there is enough.
bool StagingChoice::reserve(llvm::ArrayRef<Candidate> candidates, int64_t stages, bool isKept) {
  Reserved staged = plan.ahead;
  int64_t exchanged = exchangedBytes, ofScales = scaleBytes;
  SmallVector<Placed> offsets;
  auto place = [&](StagedOperand *operand, int64_t count, StagedOperand::Way way) {
    offsets.push_back({operand, staged.add(operand->bytes * count, StagedOperand::alignment), way});
  };
  for (const Candidate &candidate : candidates) {
    int64_t others = candidate.exchanged;
    for (StagedOperand *operand : candidate.ahead)
      place(operand, stages, StagedOperand::CopiedAhead);
    for (StagedOperand *scales : candidate.scales) {
      const int64_t before = staged.bytes;
      place(scales, stages,
            scales->load ? StagedOperand::CopiedAhead : StagedOperand::WrittenAhead);
      ofScales += staged.bytes - before;
    }
    for (StagedOperand *operand : candidate.kept) {
      if (isKept)
        place(operand, 1, StagedOperand::Kept);
      else
        others += operand->bytes;
    }
    exchanged = std::max(exchanged, others);
  }
  staged.bytes = llvm::alignTo(staged.bytes, StagedOperand::alignment);
  const bool mayHaveRings = llvm::any_of(candidates, [&](const Candidate &candidate) {
    return plan.matrices.find(candidate.product)->second.hasPanels;
  });
  const int64_t ofRing =
      mostRingBytes(stages, plan.ctas) + (plan.tensor.isUsed() ? TensorMemory::mostBytes : 0);
  int64_t ofRings = ringBytes + (mayHaveRings ? int64_t(candidates.size()) * ofRing : 0);
  for (const Candidate &candidate : candidates)
    ofRings += int64_t(candidate.scales.size()) * TensorMap::bytes;
  int64_t all = llvm::alignTo(staged.bytes + ofRings, StagedOperand::alignment);
  if (staged.bytes - ofScales > mostStagedBytes || all > plan.sharedLimit() - exchanged)
    return false;
  plan.ahead = staged;
  scaleBytes = ofScales;
  ringBytes = ofRings;
  exchangedBytes = exchanged;
  for (const Placed &placed : offsets) {
    placed.operand->way = placed.way;
    placed.operand->offset = placed.offset;
  }
  return true;
}

/// Lets a loop-invariant operand be copied asynchronously before the loop. The copy is complete
/// when the first product has waited for it. Until then, no operation may change the copied memory,
/// or signal that it has been read, so the loop must have no effects.
void StagingChoice::keep(StagedOperand &operand, tile::MatmulOpInterface product,
                         const LoopLoads &loads) {
  const Staging &staging = plan.staged.find(product)->second;
  const bool isLhs = &operand == &staging.lhs;
  if (!loads.hasEffects)
    operand.load = copiedLoad(plan, product, isLhs, staging.isAlongK(isLhs), loads.loop);
}

//===-- Products ------------------------------------------------------------------------------===//

SharedImage nvidia::imageOf(const MatrixProduct &product, bool isLhs, bool isAlongK,
                            int64_t steps) {
  int64_t lines = isLhs ? product.rowsOfCta() : product.columnsOfCta();
  int64_t rows = isAlongK ? lines : steps;
  int64_t rowBytes = product.bytesOfRun(isAlongK ? steps : lines);
  return product.hasPanels ? SharedImage::inPanels(rows, rowBytes)
                           : SharedImage{rows, rowBytes, rowBytes};
}

static int64_t bytesOf(const MatrixProduct &product, bool isLhs) {
  const int64_t lines = isLhs ? product.rowsOfCta() : product.columnsOfCta();
  return product.batches * lines * product.bytesOfRun(product.k);
}

/// Whether threads hold lhs in the register layout that `wgmma` takes, as they do if it is computed
/// from the accumulators of another product.
static bool isFromRegisters(const Plan &plan, tile::MatmulOpInterface product,
                            const MatrixProduct &matrices) {
  std::optional<TileLayout> wanted = matrices.lhsLayout(plan.threads);
  return wanted && !isRecomputed(product.getLhs()) && plan.layoutOf(product.getLhs()) == *wanted &&
         plan.layoutOf(product.getLhs()).isInRegisters();
}

/// Chooses the staging of both operands; copied operands are copied as a whole.
void StagingChoice::stage(tile::MatmulOpInterface product, const MatrixProduct &matrices) {
  // Fragment loads can transpose 16-bit elements, and pairs of 8-bit elements of rhs, but no
  // others. `wgmma` transposes both operands if they have 16 bits, `tcgen05.mma` also if they have
  // 8.
  const bool canTranspose =
      matrices.elementBytes == 2 ||
      (matrices.elementBytes == 1 && matrices.form.isOfTensorMemory() && !matrices.form.isPacked);
  const bool isRhsAlongK = canTranspose ? isAlong(plan, product.getRhs(), 1) : !matrices.isPaired;
  const bool isLhsAlongK =
      !canTranspose || !matrices.form.readsSharedMemory() || !isAlong(plan, product.getLhs(), 1);
  Staging staging{isLhsAlongK, isRhsAlongK, {}, {}, {}, {}, matrices.scaleBytes()};
  int64_t most = std::max(tuning.mostExchangeBytes, plan.sharedLimit() / leastStages);
  bool isWhole = matrices.bytesOf(matrices.k) + matrices.scaleBytes() <= most;
  for (bool isLhs : {true, false}) {
    StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
    operand.bytes = bytesOf(matrices, isLhs);
    if (isWhole)
      operand.load = copiedLoad(plan, product, isLhs, staging.isAlongK(isLhs), product);
    if (operand.load)
      operand.way = StagedOperand::Copied;
    else if (isLhs && isFromRegisters(plan, product, matrices))
      operand = {StagedOperand::InRegisters};
  }
  auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(product.getOperation());
  if (scaled && matrices.form.isOfTensorMemory())
    for (bool isLhs : {true, false}) {
      StagedOperand &scales = isLhs ? staging.lhsScales : staging.rhsScales;
      scales.bytes = TensorScales(matrices).bytesOf(isLhs);
      scales.load = copiedScales(plan, scaled, isLhs);
    }
  plan.staged.insert({product, staging});
}

/// If the operands of a product do not fit in the memory of exchanges, threads write them there in
/// chunks instead of copying them. Then determines the tiles that exist only in shared memory.
void StagingChoice::finish() {
  int64_t most = std::min(tuning.mostExchangeBytes, plan.sharedLimit() - plan.ahead.bytes);
  for (auto &[op, staging] : plan.staged) {
    const MatrixProduct &matrices = plan.matrices.find(op)->second;
    for (StagedOperand *operand : {&staging.lhs, &staging.rhs}) {
      const bool isWhole =
          operand->way == StagedOperand::Copied || operand->way == StagedOperand::InRegisters;
      if (isWhole && staging.exchangedBytes() > most)
        *operand = {StagedOperand::Written, nullptr, bytesOf(matrices, operand == &staging.lhs)};
    }
  }
  plan.entry.walk([&](tile::LoadViewOp load) { isOnlyCopied(load.getTile()); });
}

/// Whether all users of a tile, possibly through permutations, are products that copy it. Records
/// such tiles, which exist only in shared memory, in `plan.copied`.
bool StagingChoice::isOnlyCopied(Value tile) {
  bool isOnly = !tile.use_empty();
  for (mlir::OpOperand &use : tile.getUses()) {
    auto staging = plan.staged.find(use.getOwner());
    auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(use.getOwner());
    if (staging != plan.staged.end())
      isOnly &= use.getOperandNumber() != Staging::accumulator &&
                staging->second.operandOf(use.getOperandNumber()).load;
    else
      isOnly &= moved && permutesElements(moved) && isOnlyCopied(moved->getResult(0));
  }
  if (isOnly)
    plan.copied.insert(tile);
  return isOnly;
}

void StagingChoice::run() {
  for (auto &[op, matrices] : plan.matrices)
    stage(llvm::cast<tile::MatmulOpInterface>(op), matrices);
  plan.entry.walk([&](tile::MatmulOpInterface product) {
    exchangedBytes = std::max(exchangedBytes, leastExchangeOf(plan, product));
  });
  plan.entry.walk([&](tile::ForOp loop) { pipeline(loop); });
  finish();
}

void nvidia::chooseStaging(Plan &plan) { StagingChoice(plan).run(); }
