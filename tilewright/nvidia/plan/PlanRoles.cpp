// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a producer warp copies the operands of products (Roles.h).

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/SharedImage.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

const Ring *Roles::ringOf(Operation *product) const {
  auto found = rings.find(product);
  return found == rings.end() ? nullptr : &found->second;
}

bool Roles::fills(const Plan &plan, Operation *loop) const {
  auto pipeline = plan.pipelines.find(loop);
  return pipeline != plan.pipelines.end() && ringOf(pipeline->second.products.front());
}

//===-- Loops ---------------------------------------------------------------------------------===//

namespace {
/// What the producer needs for the loops so far.
struct Choice {
  Slice slice;
  SmallVector<TensorMap, 2> maps = {};
  llvm::DenseSet<Operation *> meetings = {};
  SmallVector<Question, 4> questions = {};
  llvm::DenseSet<Operation *> asked = {};

  const char *ask(tile::EntryOp entry, llvm::ArrayRef<Question> more);
};

class RolesChoice {
public:
  explicit RolesChoice(Plan &plan) : plan(plan), roles(plan.roles), choice{Slice(plan.entry)} {}
  void run();

private:
  std::string problemOfEntry();
  bool hasTensorProduct(const Pipeline &pipeline) const;
  std::string addRings(const Pipeline &pipeline, Operation *start);
  std::string addCopy(const MatrixProduct &matrices, const Staging &staging, bool isLhs,
                      bool isOfScales, Operation *start, Ring &ring, Choice &with) const;

  Plan &plan;
  Roles &roles;
  Choice choice;
};
} // namespace

/// Why no loop of the entry has a producer; empty if one may have. Both roles return early at the
/// same places, so they count the same stages.
std::string RolesChoice::problemOfEntry() {
  std::string problem;
  plan.entry.walk([&](Operation *op) {
    if (isFence(op))
      problem = "the entry has a fence";
    if (problem.empty() && llvm::isa<tile::ReturnOp>(op) && op->getParentOp() != plan.entry &&
        !choice.slice.addOperation(op))
      problem = "a return depends on what a producer cannot compute: " + choice.slice.problem;
  });
  return problem;
}

/// The first operation of the entry's block that may end the kernel.
static Operation *firstReturnOf(tile::EntryOp entry) {
  for (Operation &op : entry.getBody().front())
    if (op.walk([](tile::ReturnOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted())
      return &op;
  llvm_unreachable("an entry ends with a return");
}

/// Whether the kernel can compute it at its beginning: nothing there depends on memory or control
/// flow, and the kernel has not returned before.
static bool isAtBeginning(Operation *op, tile::EntryOp entry) {
  return op->getParentOp() == entry && !op->getNumRegions() &&
         !llvm::isa<tile::MemoryAccessOpInterface>(op) && op->isBeforeInBlock(firstReturnOf(entry));
}

/// Adds questions, or returns why one of them cannot be asked.
const char *Choice::ask(tile::EntryOp entry, llvm::ArrayRef<Question> more) {
  for (const Question &question : more) {
    Slice needed(entry);
    if (!needed.addValues(question.view) ||
        !llvm::all_of(needed.operations, [&](Operation *op) { return isAtBeginning(op, entry); }))
      return reasonOf(question);
    asked.insert_range(needed.operations);
    if (!llvm::is_contained(questions, question))
      questions.push_back(question);
  }
  return nullptr;
}

/// Whether accumulators take half of the registers, and pairs of 8-bit columns much of the rest:
/// with two plans in a kernel, ptxas spilled 28 bytes of f8E4M3FN with tiles of 128x128x64
/// (sm_90a).
static bool isTight(const Plan &plan, const MatrixProduct &product) {
  return product.isPaired && product.layout(plan.threads).isInRegisters() &&
         2 * product.registersOfSums(plan.threads) > plan.registersOfThread();
}

/// Adds an operand to the ring of its product. Returns why it cannot be copied by the producer.
std::string RolesChoice::addCopy(const MatrixProduct &matrices, const Staging &staging, bool isLhs,
                                 bool isOfScales, Operation *start, Ring &ring,
                                 Choice &with) const {
  const StagedOperand &operand = isOfScales ? staging.scales(isLhs)
                                 : isLhs    ? staging.lhs
                                            : staging.rhs;
  if (operand.way != StagedOperand::CopiedAhead)
    return {};
  tile::LoadViewOp load = operand.load;
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  const CopiedPart ofOperand = partOfOperand(matrices, isLhs, staging.isAlongK(isLhs));
  const int64_t parts = TensorScales(matrices).parts(isLhs);
  MapOrReason made = isOfScales ? linearMapFor(access, parts) : mapFor(plan, access, ofOperand);
  const std::string name =
      std::string(isOfScales ? "the scales of " : "") + (isLhs ? "lhs: " : "rhs: ");
  if (made.reason)
    return name + made.reason;
  if (!isMadeBefore(made.map, start))
    return name + "the array is not made before the first loop with products";
  if (isMapForbidden(access, plan.target))
    return name + "the hint allow_tma forbids it";
  if (isTight(plan, matrices) && !made.questions.empty())
    return name + reasonOf(made.questions.front());
  if (const char *reason = with.ask(plan.entry, made.questions))
    return name + reason;
  for (Operation *write : writesBefore(access)) {
    if (!llvm::isa<tile::MemoryAccessOpInterface>(write) || !with.slice.addPlace(write))
      return name + "a token orders the load after what a producer cannot wait for";
    with.meetings.insert(write);
  }
  if (!with.slice.addValues(load->getOperands())) // the copy takes the place of the load
    return name + "the load depends on what a producer cannot compute: " + with.slice.problem;
  const auto *found = llvm::find(with.maps, made.map);
  const size_t number = found - with.maps.begin();
  if (found == with.maps.end())
    with.maps.push_back(made.map);
  // Scales are one box.
  const CopiedPart part =
      isOfScales ? CopiedPart{{made.map.box[made.rowDim], made.map.span(), made.map.span()},
                              parts > 1 ? CopiedPart::Rows : CopiedPart::Nothing}
                 : ofOperand;
  ring.copies.push_back({isLhs, load, number, made.rowDim, part, isOfScales});
  ring.bytes += operand.bytes;
  return {};
}

/// Adds the rings of all products of a loop, or returns why it has none.
std::string RolesChoice::addRings(const Pipeline &pipeline, Operation *start) {
  Choice with = choice;
  SmallVector<std::pair<Operation *, Ring>> rings;
  for (tile::MatmulOpInterface product : pipeline.products) {
    const MatrixProduct &matrices = plan.matrices.find(product)->second;
    if (plan.tensor.isUsed() && !matrices.form.isOfTensorMemory())
      return "another product of the loop is not computed by tcgen05.mma";
    if (!matrices.hasPanels)
      return "operands are batches of matrices";
    Ring ring{pipeline.stages, {}};
    const Staging &staging = plan.staged.find(product)->second;
    for (bool isOfScales : {false, true})
      for (bool isLhs : {true, false})
        if (std::string why = addCopy(matrices, staging, isLhs, isOfScales, start, ring, with);
            !why.empty())
          return why;
    if (!with.slice.addPlace(product))
      return "the product depends on what a producer cannot compute: " + with.slice.problem;
    rings.push_back({product, ring});
  }
  choice = with;
  for (auto &[product, ring] : rings) {
    ring.barriers = plan.ahead.add(2 * Ring::barrierBytes * ring.stages, Reserved::leastAlignment);
    roles.rings.insert({product, ring});
  }
  return {};
}

/// Whether accumulators of a product in the loop are in tensor memory.
bool RolesChoice::hasTensorProduct(const Pipeline &pipeline) const {
  return llvm::any_of(pipeline.products,
                      [&](Operation *product) { return plan.tensor.find(product); });
}

/// The operation of the entry's block that has the first product.
static Operation *startOf(tile::EntryOp entry, const Pipeline &pipeline) {
  return entry.getBody().front().findAncestorOpInBlock(*pipeline.products.front());
}

/// `mma.sync` takes operands from rings on sm_90a only; `tcgen05.mma` always does.
void RolesChoice::run() {
  if (plan.target.capability != 90 && !plan.tensor.isUsed())
    return;
  const std::string problem = problemOfEntry();
  const int64_t stagedBytes = plan.ahead.bytes;
  for (auto &[loop, pipeline] : plan.pipelines) {
    if (plan.tensor.isUsed() && !hasTensorProduct(pipeline))
      continue;
    Operation *start = roles.start ? roles.start : startOf(plan.entry, pipeline);
    std::string reason = problem.empty() ? addRings(pipeline, start) : problem;
    if (reason.empty())
      roles.start = start;
    else
      roles.reasons.insert({loop, reason});
  }
  if (!roles.areSpecialised())
    return;
  roles.slice = choice.slice.operations;
  roles.maps = choice.maps;
  roles.questions = choice.questions;
  roles.asked = choice.asked;
  roles.mapsOfLoads = roles.maps.size();
  chooseTensorStores(plan, stagedBytes);
  roles.meetings = choice.meetings;
  if (!roles.meetings.empty())
    roles.meetingBarrier = plan.ahead.add(Ring::barrierBytes, Reserved::leastAlignment);
  const int64_t bytes = int64_t(roles.maps.size()) * TensorMap::bytes;
  roles.mapsInPool = plan.pool.add(bytes, TensorMap::bytes);
  roles.mapsInShared = plan.ahead.add(bytes, TensorMap::bytes);
}

void nvidia::chooseRoles(Plan &plan) { RolesChoice(plan).run(); }
