// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DeviceValues.h.

#include "tilewright/api/diff/DeviceValues.h"
#include "tilewright/lower/ConstantTile.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Constants.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;

const Observation *Observations::of(Value value) const {
  for (const auto &observation : all)
    if (observation->layout().find(value))
      return observation.get();
  return nullptr;
}

std::optional<Element> DeviceValues::found(const Instance &instance, int64_t element) const {
  if (mlir::DenseElementsAttr constant = tile::constantElements(instance.value))
    return lower::ConstantTile::of(constant)[element];
  const Observation *observation = observations.of(instance.value);
  if (!observation)
    return std::nullopt;
  const Probe &probe = *observation->layout().find(instance.value);
  const auto place = observation->layout().placeOf(probe, instance.execution);
  if (!place || !observation->wasExecutedOnDevice(probe, *place))
    return std::nullopt;
  return observation->found(probe, *place, element);
}

std::optional<std::vector<Element>> DeviceValues::found(const Instance &instance) const {
  std::vector<Element> elements;
  const int64_t size = llvm::cast<tile::TileType>(instance.value.getType()).getNumElements();
  for (int64_t i = 0; i < size; ++i) {
    const std::optional<Element> element = found(instance, i);
    if (!element)
      return std::nullopt;
    elements.push_back(*element);
  }
  return elements;
}

std::optional<int64_t> DeviceValues::scalar(const Instance &instance) const {
  const std::optional<Element> element = found(instance, 0);
  return element ? std::optional(element->asSigned()) : std::nullopt;
}

bool DeviceValues::agrees(const Instance &instance) const {
  if (const Observation *observation = observations.of(instance.value)) {
    const Probe &probe = *observation->layout().find(instance.value);
    const auto place = observation->layout().placeOf(probe, instance.execution);
    return place && observation->agrees(probe, *place);
  }
  if (Operation *op = instance.value.getDefiningOp())
    return op->getNumRegions() == 0 && operandsAgree(op, instance.execution);
  return llvm::isa<tile::EntryOp>(mlir::Value(instance.value).getParentBlock()->getParentOp());
}

bool DeviceValues::operandsAgree(Operation *op, const Execution &execution, Value other) const {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return operand == other || llvm::isa<tile::TokenType>(operand.getType()) ||
           agrees({operand, execution});
  });
}

std::vector<int64_t> DeviceValues::differingPlaces(Value value) const {
  std::vector<int64_t> differing;
  const Observation *observation = observations.of(value);
  if (!observation)
    return differing;
  const Probe &probe = *observation->layout().find(value);
  for (int64_t place = 0, end = observation->layout().placesOf(probe); place < end; ++place)
    if (observation->wasExecuted(probe, place) && observation->wasExecutedOnDevice(probe, place) &&
        !observation->agrees(probe, place))
      differing.push_back(place);
  return differing;
}

Culprit DeviceValues::culprit(const Mismatch &mismatch) const {
  const std::string where = support::coordinateText(mismatch.shape, mismatch.element);
  std::string inputs;
  if (llvm::isa<tile::ElementwiseOpInterface>(mismatch.op))
    for (Value operand : mismatch.op->getOperands())
      if (auto input = found({operand, mismatch.execution}, mismatch.element))
        inputs += (inputs.empty() ? " for " : ", ") + toString(*input);
  return {mismatch.op, mismatch.execution,
          (where.empty() ? "" : "element " + where + ": ") + device + " computes " +
              toString(mismatch.found) + inputs + ", but the specification requires " +
              mismatch.allowed + " " + toString(mismatch.required),
          where};
}
