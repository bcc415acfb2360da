// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges loads and stores (Judge.h).

#include "tilewright/api/diff/Allowed.h"
#include "tilewright/api/diff/Judge.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/reference/machine/TileBlock.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;

static std::string writtenText(const Observation &observation, const MemoryHistory::Run &run) {
  return (", which " + reference::nameOf(observation.originalOf(run.op)) + " wrote").str();
}

/// The value that the values.device stored in this write; none if it was not observed.
static std::optional<Instance> storedIn(const Observation &observation,
                                        const MemoryHistory::Run &run) {
  auto access =
      llvm::dyn_cast_if_present<tile::MemoryAccessOpInterface>(observation.originalOf(run.op));
  if (!access || run.isAtomic || !access.getStored())
    return std::nullopt;
  return Instance{access.getStored(), run.execution};
}

MaybeCulprit api::judgeLoaded(const DeviceValues &values, Operation *load) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load);
  const Observation *observation = values.observations.of(access.getLoaded());
  for (int64_t place : values.differingPlaces(access.getLoaded())) {
    const Probe &probe = *observation->layout().find(access.getLoaded());
    const Execution execution = observation->layout().executionAt(probe, place);
    if (!values.operandsAgree(load, execution))
      continue;
    const MemoryHistory::Sources *sources =
        observation->history().sourcesOf(observation->copyOf(load), execution);
    for (int64_t i = 0; i < probe.size; ++i) {
      const Element own = observation->found(probe, place, i);
      std::optional<Element> required = observation->required(probe, place, i);
      if (!observation->isSpecified(probe, place, i) || own.bits == required->bits)
        continue;
      Culprit wrong = values.culprit({load, execution, probe.shape, i, own, *required});
      if (!sources || !sources->contains(i))
        return wrong;
      const MemoryHistory::Run &run = observation->history().run(sources->at(i));
      const auto stored = storedIn(*observation, run);
      required = stored ? values.found(*stored, sources->at(i).element) : std::nullopt;
      if (!required || required->bits == own.bits)
        continue;
      wrong = values.culprit({load, execution, probe.shape, i, own, *required});
      wrong.message += writtenText(*observation, run);
      wrong.orElse = observation->originalOf(run.op);
      return wrong;
    }
  }
  return std::nullopt;
}

/// The operation that wrote the nearest element of the array; null if nothing was written.
static Operation *nearestWriter(const Observation &observation, const Array &array,
                                int64_t element) {
  const int64_t bits = numerics::info(array.format()).storageBits;
  const auto count = int64_t(array.bytes().size()) * 8 / bits;
  for (int64_t distance = 1; distance < count; ++distance)
    for (int64_t at : {element - distance, element + distance})
      if (at >= 0 && at < count)
        if (const Write *write =
                observation.history().lastWrite(array.bytes().data() + at * bits / 8))
          return observation.originalOf(observation.history().run(*write).op);
  return nullptr;
}

/// An element that only the device writes.
static MaybeCulprit strayWrite(const DeviceValues &values, const Array &array, int64_t element,
                               const std::string &change) {
  Operation *nearest = nearestWriter(*values.observations.all.front(), array, element);
  if (!nearest)
    return std::nullopt;
  return Culprit{nearest, {0}, values.device + " writes " + change};
}

/// `initial` is what the element is before the launch.
static Required requiredOf(const MemoryHistory::Sum &sum, Element initial, Element value) {
  return {value, 0, sum.magnitudes + std::abs(value.asDouble()),
          sum.addsOnly && (sum.hasInfinity || initial.isInf())};
}

/// Whether an element may be a sum of so many floats in another order. Counts it if that is not
/// known.
static bool maySum(const DeviceValues &values, Operation *op, int64_t count,
                   const Required &required, Element found) {
  const numerics::FormatInfo &info = numerics::info(found.format);
  Allowance allowance{.anyNan = true, .ulps = 1};
  allowance.ofMagnitudes = 2 * double(count) * std::ldexp(1.0, -info.mantissaBits);
  if (allows(allowance, required, found))
    return true;
  if (!mayOverflow(allowance, required, found))
    return false;
  ++values.unjudged[op];
  return true;
}

static MaybeCulprit judgeElement(const DeviceValues &values, const ArgumentArray &argument,
                                 size_t index, int64_t element) {
  const Observation &observation = *values.observations.all.front();
  const Array &array = *argument.array;
  const auto at = [&](const Contents &contents) {
    return numerics::load(contents[index].data(), element, array.format());
  };
  const Element own = at(observation.deviceArrays()), required = at(observation.referenceArrays());
  const MemoryHistory::HostByte byte =
      array.bytes().data() + element * numerics::info(array.format()).storageBits / 8;
  if (own.bits == required.bits || !observation.history().isSpecified(byte))
    return std::nullopt;
  const std::string place = "element " + std::to_string(element) + " of parameter " +
                            std::to_string(argument.argument + 1);
  const Write *write = observation.history().lastWrite(byte);
  if (!write)
    return strayWrite(values, array, element,
                      toString(own) + " to " + place +
                          ", which the specification leaves as it was: " + toString(required));
  const MemoryHistory::Run &run = observation.history().run(*write);
  Operation *op = observation.originalOf(run.op);
  if (!op || !values.operandsAgree(op, run.execution)) {
    const auto stored = storedIn(observation, run);
    const bool isAddressedAlike = stored && values.operandsAgree(op, run.execution, stored->value);
    const auto expected = isAddressedAlike ? values.found(*stored, write->element) : std::nullopt;
    if (!expected || expected->bits == own.bits)
      return std::nullopt;
  }
  if (run.isAtomic && numerics::info(array.format()).isFloat()) {
    const MemoryHistory::Sum sum = observation.history().sumAt(byte);
    const Element initial = numerics::load(array.bytes().data(), element, array.format());
    if (maySum(values, op, sum.count, requiredOf(sum, initial, required), own))
      return std::nullopt;
  }
  return Culprit{op, run.execution,
                 values.device + " leaves " + toString(own) + " in " + place +
                     ", but the specification requires " + toString(required)};
}

MaybeCulprit api::judgeMemory(const DeviceValues &values) {
  for (const auto &[index, argument] : llvm::enumerate(arraysOf(values.launch.arguments))) {
    const Array &array = *argument.array;
    const auto count =
        int64_t(array.bytes().size()) * 8 / numerics::info(array.format()).storageBits;
    for (int64_t element = 0; element < count; ++element)
      if (MaybeCulprit wrong = judgeElement(values, argument, index, element))
        return wrong;
  }
  return std::nullopt;
}
