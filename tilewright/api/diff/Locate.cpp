// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Locate.h. Each operation is judged by what the device itself computed:
//
//     arithmetic          the reference machine evaluates it on the device's operands (Unit.h)
//     loops and branches  a carried value or result is one that the device passed on
//     loads               an element is what the device stored there, or was there from the start
//     stores              memory finally holds what the device stored
//
// Anything else, such as the number of a tile block, is right if it is what the reference machine
// has for equal operands.

#include "tilewright/api/diff/Locate.h"
#include "tilewright/api/diff/Judge.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;
using support::Result;

static MaybeCulprit judgeByOperands(const DeviceValues &values, Value value) {
  const Observation *observation = values.observations.of(value);
  Operation *op = value.getDefiningOp();
  // What atomics return depends on the order of the tile blocks.
  auto access = llvm::dyn_cast_if_present<tile::MemoryAccessOpInterface>(op);
  if (access && access.isAtomic() && values.launch.grid.blockCount() > 1)
    return std::nullopt;
  for (int64_t place : values.differingPlaces(value)) {
    const Probe &probe = *observation->layout().find(value);
    const Execution execution = observation->layout().executionAt(probe, place);
    Operation *definition = op ? op : value.getParentBlock()->getParentOp();
    if (!values.operandsAgree(definition, execution))
      continue;
    for (int64_t i = 0; i < probe.size; ++i) {
      const Element own = observation->found(probe, place, i),
                    required = observation->required(probe, place, i);
      if (own.bits != required.bits && observation->isSpecified(probe, place, i))
        return values.culprit({definition, execution, probe.shape, i, own, required});
    }
  }
  return std::nullopt;
}

static MaybeCulprit judgeValue(const DeviceValues &values, Value value) {
  return isMoved(value) ? judgeMoved(values, value) : judgeByOperands(values, value);
}

/// Judges what the operation defines.
static Result<MaybeCulprit> judgeResults(const DeviceValues &values, Operation *op) {
  if (const std::optional<Unit> unit = Unit::of(op))
    return judgeUnit(values, op, *unit);
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  if (access && access.isLoad() && access.getLoaded())
    return judgeLoaded(values, op);
  for (Value result : op->getResults())
    if (MaybeCulprit wrong = judgeValue(values, result))
      return wrong;
  return MaybeCulprit();
}

static Result<MaybeCulprit> judgeBody(const DeviceValues &values, mlir::Block &body);

/// The results of control flow follow the values of its bodies, of which they are copies.
static Result<MaybeCulprit> judge(const DeviceValues &values, Operation &op) {
  if (!tile::isAggregate(&op))
    for (mlir::Region &region : op.getRegions()) {
      if (region.empty())
        continue;
      Result<MaybeCulprit> inside = judgeBody(values, region.front());
      if (!inside || *inside)
        return inside;
    }
  Result<MaybeCulprit> wrong = judgeResults(values, &op);
  if (!wrong || *wrong)
    return wrong;
  for (Value result : op.getResults())
    if (MaybeCulprit skipped = judgeExecuted(values, result))
      return skipped;
  return MaybeCulprit();
}

static Result<MaybeCulprit> judgeBody(const DeviceValues &values, mlir::Block &body) {
  for (Value argument : body.getArguments()) {
    if (MaybeCulprit skipped = judgeExecuted(values, argument))
      return skipped;
    if (MaybeCulprit wrong = judgeValue(values, argument))
      return wrong;
  }
  for (Operation &op : body) {
    Result<MaybeCulprit> wrong = judge(values, op);
    if (!wrong || *wrong)
      return wrong;
  }
  return MaybeCulprit();
}

Result<MaybeCulprit> api::findCulprit(const DiffLaunch &launch, const std::string &device,
                                      const Observations &observations, Unjudged &unjudged) {
  unjudged.clear();
  const DeviceValues values{launch, device, observations, unjudged};
  Result<MaybeCulprit> wrong = judgeBody(values, tile::EntryOp(launch.entry).getBody().front());
  if (!wrong || *wrong)
    return wrong;
  return judgeMemory(values);
}
