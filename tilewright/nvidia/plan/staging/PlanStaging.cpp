// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how operands of products get into shared memory, and the depth of software pipelining
// (Staging.h). CopiedLoads.cpp finds the loads that can be copied.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/nvidia/plan/staging/CopiedLoads.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

/// At least two, so that one stage is filled while another one is read.
static constexpr int64_t leastStages = 2;

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

//===-- Loops ---------------------------------------------------------------------------------===//

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
    if (!operand.isInShared())
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
  int64_t all =
      llvm::alignTo(staged.bytes + ofRings + plan.clusterBarrierBytes(), StagedOperand::alignment);
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

/// Whether a thread's contiguous elements lie along this dimension, counted from the last one.
static bool isAlong(const Plan &plan, Value operand, int64_t fromLast) {
  auto shape = tileTypeOf(operand).getShape();
  return !isRecomputed(operand) && plan.layoutOf(operand).width() > 1 &&
         plan.layoutOf(operand).step() == support::strideOf(shape, shape.size() - 1 - fromLast);
}

static int64_t bytesOf(const MatrixProduct &product, bool isLhs) {
  const int64_t lines = isLhs ? product.rowsOfCta() : product.columnsOfCta();
  return product.batches * lines * product.bytesOfRun(product.k);
}

/// Whether threads hold lhs in the register layout that `wgmma` takes, as they do if it is computed
/// from the accumulators of another product.
static bool isFromRegisters(const Plan &plan, tile::MatmulOpInterface product,
                            const MatrixProduct &matrices) {
  if (matrices.form.isOfTensorMemory())
    return false;
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
    else if (isLhs && placeLhs(plan, product))
      operand = {StagedOperand::InTensorMemory};
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
  const int64_t others =
      llvm::alignTo(plan.ahead.bytes + plan.clusterBarrierBytes(), StagedOperand::alignment);
  int64_t most = std::min(tuning.mostExchangeBytes, plan.sharedLimit() - others);
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
