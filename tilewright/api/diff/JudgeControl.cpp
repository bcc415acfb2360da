// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges loops and branches (Judge.h).

#include "tilewright/api/diff/Judge.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;

/// The number of iterations, by the bounds that the values.device computed.
static std::optional<int64_t> tripsOf(const DeviceValues &values, tile::ForOp loop,
                                      const Execution &execution) {
  const auto lower = values.scalar({loop.getLowerBound(), execution}),
             upper = values.scalar({loop.getUpperBound(), execution}),
             step = values.scalar({loop.getStep(), execution});
  if (!lower || !upper || !step || *step == 0 || loop.getUnsignedCmp())
    return std::nullopt;
  return *upper <= *lower ? 0 : (*upper - *lower + *step - 1) / *step;
}

static Execution inIteration(Execution execution, int64_t iteration) {
  execution.iterations.push_back(iteration);
  return execution;
}

static std::vector<Instance> passedBy(llvm::ArrayRef<Operation *> jumps, size_t index,
                                      const Execution &execution) {
  std::vector<Instance> instances;
  for (Operation *jump : jumps)
    instances.push_back({jump->getOperand(unsigned(index)), execution});
  return instances;
}

/// The values of which the value is a copy: at least one. None if that is not known.
static std::optional<std::vector<Instance>> sourcesOf(const DeviceValues &values,
                                                      const Instance &instance) {
  const auto &[value, execution] = instance;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    Operation *loop = argument.getOwner()->getParentOp();
    const size_t index = argument.getArgNumber() - (llvm::isa<tile::ForOp>(loop) ? 1 : 0);
    Execution before = execution;
    const int64_t iteration = before.iterations.pop_back_val();
    if (iteration == 0)
      return std::vector<Instance>{{tile::initValuesOf(loop)[index], before}};
    return passedBy(tile::continuesOf(loop), index, inIteration(before, iteration - 1));
  }
  const size_t index = llvm::cast<mlir::OpResult>(value).getResultNumber();
  Operation *op = value.getDefiningOp();
  if (auto branch = llvm::dyn_cast<tile::IfOp>(op)) {
    const auto condition = values.scalar({branch.getCondition(), execution});
    mlir::Block *taken = condition && *condition == 0 ? branch.elseBlock() : branch.thenBlock();
    if (!condition || !taken || !llvm::isa<tile::YieldOp>(taken->getTerminator()))
      return std::nullopt;
    return passedBy(taken->getTerminator(), index, execution);
  }
  auto loop = llvm::dyn_cast<tile::ForOp>(op);
  const auto trips = loop ? tripsOf(values, loop, execution) : std::nullopt;
  if (!trips)
    return std::nullopt;
  if (*trips == 0)
    return std::vector<Instance>{{loop.getInitValues()[index], execution}};
  return passedBy(tile::continuesOf(op), index, inIteration(execution, *trips - 1));
}

bool api::isMoved(Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return argument.getArgNumber() > 0 ||
           !llvm::isa<tile::ForOp>(argument.getOwner()->getParentOp());
  return value.getDefiningOp()->getNumRegions() != 0 && !tile::isAggregate(value.getDefiningOp());
}

MaybeCulprit api::judgeMoved(const DeviceValues &values, Value value) {
  const Observation *observation = values.observations.of(value);
  for (int64_t place : values.differingPlaces(value)) {
    const Probe &probe = *observation->layout().find(value);
    const Execution execution = observation->layout().executionAt(probe, place);
    const auto sources = sourcesOf(values, {value, execution});
    if (!sources)
      continue;
    MaybeCulprit wrong;
    for (int64_t i = 0; i < probe.size && !wrong; ++i) {
      const Element own = observation->found(probe, place, i);
      if (!observation->isSpecified(probe, place, i))
        continue;
      std::optional<Element> other;
      const bool isOne = llvm::any_of(*sources, [&](const Instance &source) {
        const std::optional<Element> element = values.found(source, i);
        if (element && !other)
          other = element;
        return !element || element->bits == own.bits;
      });
      Operation *op = value.getParentBlock()->getParentOp();
      if (Operation *definition = value.getDefiningOp())
        op = definition;
      if (!isOne)
        wrong = values.culprit({op, execution, probe.shape, i, own, *other});
    }
    if (wrong)
      return wrong;
  }
  return std::nullopt;
}

/// Whether each tile block executes the operation: nothing before it may leave the kernel.
static bool isInEachBlock(Operation *op) {
  return op && llvm::none_of(llvm::make_range(op->getBlock()->begin(), op->getIterator()),
                             [](Operation &before) { return before.getNumRegions() > 0; });
}

/// Finds tile blocks that the device does not execute.
static MaybeCulprit judgeBlocks(const DeviceValues &values, Value value) {
  if (!isInEachBlock(value.getDefiningOp()))
    return std::nullopt;
  const Observation &observation = *values.observations.of(value);
  const Probe &probe = *observation.layout().find(value);
  for (int64_t place = 0, end = observation.layout().placesOf(probe); place < end; ++place)
    if (observation.wasExecuted(probe, place) && !observation.wasExecutedOnDevice(probe, place))
      return Culprit{value.getParentBlock()->getParentOp(),
                     observation.layout().executionAt(probe, place),
                     values.device + " does not execute the tile block"};
  return std::nullopt;
}

MaybeCulprit api::judgeExecuted(const DeviceValues &values, Value value) {
  const Observation *observation = values.observations.of(value);
  Operation *owner = value.getParentBlock()->getParentOp();
  if (!observation)
    return std::nullopt;
  if (llvm::isa<tile::EntryOp>(owner))
    return judgeBlocks(values, value);
  const Probe &probe = *observation->layout().find(value);
  for (int64_t place = 0, end = observation->layout().placesOf(probe); place < end; ++place) {
    const bool isRequired = observation->wasExecuted(probe, place);
    if (isRequired == observation->wasExecutedOnDevice(probe, place))
      continue;
    const Execution execution = observation->layout().executionAt(probe, place);
    Execution outside = execution;
    if (tile::isLoop(owner))
      outside.iterations.pop_back();
    if (!values.operandsAgree(owner, outside))
      continue;
    const std::string body = tile::isLoop(owner)
                                 ? "iteration " + std::to_string(execution.iterations.back() + 1)
                                 : "the branch";
    return Culprit{owner, outside,
                   values.device +
                       (isRequired
                            ? " does not execute " + body + ", but the specification requires it"
                            : " executes " + body + ", but the specification forbids it")};
  }
  return std::nullopt;
}
