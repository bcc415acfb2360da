// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reduce.h.

#include "tilewright/api/diff/Reduce.h"
#include "tilewright/api/diff/Excerpt.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;

namespace {

class Reducer {
public:
  Reducer(const DiffLaunch &launch, const DiffDevice &device, const Observations &observations,
          const Culprit &culprit)
      : context{launch, observations, culprit}, device(device) {}

  std::optional<ReducedCase> run();

private:
  bool differs(const Selection &selection);
  bool grow(Selection &selection, Operation *wrong);
  void shrink(Selection &selection, Operation *wrong);
  ReducedCase result() const;

  const ExcerptContext context;
  const DiffDevice &device;
  /// The last one that differs, and the tile blocks that it needs.
  std::unique_ptr<Excerpt> best;
  std::optional<runtime::Grid> bestGrid;
  int64_t attempts = 0;
};
} // namespace

//===-- Trying ------------------------------------------------------------------------------===//

/// Whether the device computes the operation wrongly in a kernel of these operations.
bool Reducer::differs(const Selection &selection) {
  constexpr int64_t mostAttempts = 300;
  if (++attempts > mostAttempts)
    return false;
  std::unique_ptr<Excerpt> excerpt = Excerpt::make(context, selection);
  if (!excerpt)
    return false;
  for (const runtime::Grid &grid : {*runtime::Grid::create(1), context.launch.grid}) {
    const DiffLaunch launch{excerpt->entry(), grid, excerpt->arguments(), context.launch.file};
    const auto reference = ReferenceResult::of(launch);
    if (!reference || (*reference)->outcome.outcome != Outcome::Succeeded)
      continue;
    const Comparison comparison = compareOn(device, launch, **reference);
    if (!comparison.culprit || comparison.observations.all.empty() ||
        comparison.culprit->op->getName() != context.culprit.op->getName())
      continue;
    best = std::move(excerpt);
    bestGrid = grid;
    return true;
  }
  return false;
}

//===-- Growing -----------------------------------------------------------------------------===//

/// The operation that contains this one in the same body as the other.
static Operation *inBodyOf(Operation *op, Operation *other) {
  return other->getBlock()->findAncestorOpInBlock(*op);
}

static Selection withUsers(const Selection &selection, Operation *body) {
  Selection more = selection;
  for (Operation *op : selection.kept)
    for (Operation *user : op->getUsers())
      if (Operation *inBody = inBodyOf(user, body);
          inBody && !inBody->hasTrait<mlir::OpTrait::IsTerminator>())
        more.kept.insert(inBody);
  return more;
}

static Selection withProducers(const Selection &selection) {
  Selection more = selection;
  for (Operation *op : selection.kept)
    op->walk([&](Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && !op->isAncestor(producer) && !llvm::isa<tile::ConstantOp>(producer))
          more.kept.insert(producer);
    });
  return more;
}

/// Adds users and producers, until it differs or there are no more.
bool Reducer::grow(Selection &selection, Operation *wrong) {
  while (!differs(selection)) {
    Selection more = withUsers(selection, wrong);
    if (more.kept.size() > selection.kept.size() && differs(more)) {
      selection = more;
      return true;
    }
    more = withProducers(more);
    if (more.kept.size() == selection.kept.size())
      return false;
    selection = more;
  }
  return true;
}

//===-- Shrinking ---------------------------------------------------------------------------===//

void Reducer::shrink(Selection &selection, Operation *wrong) {
  const Selection all = selection;
  for (mlir::Value result : all.shown) {
    Selection fewer = selection;
    llvm::erase(fewer.shown, result);
    if (differs(fewer))
      selection = fewer;
  }
  for (Operation *candidate : llvm::reverse(all.kept)) {
    Selection fewer = selection;
    fewer.kept.remove(candidate);
    if (candidate != wrong && differs(fewer))
      selection = fewer;
  }
  for (mlir::Value value : std::vector<mlir::Value>(best->loaded())) {
    Selection simpler = selection;
    simpler.splats.insert(value);
    if (differs(simpler))
      selection = simpler;
  }
}

ReducedCase Reducer::result() const {
  ReducedCase reduced{device.name(),
                      best->text(),
                      {bestGrid->x(), bestGrid->y(), bestGrid->z()},
                      {},
                      best->operationCount()};
  for (const Argument &argument : best->arguments()) {
    if (const auto *scalar = std::get_if<numerics::Element>(&argument)) {
      reduced.arguments.push_back({*scalar});
      continue;
    }
    const Array &array = std::get<Array>(argument);
    const std::span<const int64_t> shape = array.shape();
    const std::span<uint8_t> bytes = array.bytes();
    reduced.arguments.push_back({numerics::Element::zero(array.format()),
                                 /*isArray=*/true,
                                 {shape.begin(), shape.end()},
                                 {bytes.begin(), bytes.end()}});
  }
  return reduced;
}

/// Compilers may treat a memory operation differently if nothing reads its results.
static std::vector<Selection> selectionsOf(Operation *op) {
  Selection all, silent;
  all.kept.insert(op);
  silent.kept.insert(op);
  all.shown.assign(op->result_begin(), op->result_end());
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  if (access && !access.isLoad())
    return {silent, all};
  return {all};
}

std::optional<ReducedCase> Reducer::run() {
  // If the operation is right outside of its loop, the loop is part of the case.
  for (Operation *wrong = context.culprit.op; wrong && !llvm::isa<tile::EntryOp>(wrong);
       wrong = wrong->getParentOp())
    for (Selection selection : selectionsOf(wrong)) {
      if (!grow(selection, wrong))
        continue;
      shrink(selection, wrong);
      return result();
    }
  return std::nullopt;
}

std::optional<ReducedCase> api::reduceCase(const DiffLaunch &launch, const DiffDevice &device,
                                           const Observations &observations,
                                           const Culprit &culprit) {
  return Reducer(launch, device, observations, culprit).run();
}
