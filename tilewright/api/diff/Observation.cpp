// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Observation.h.

#include "tilewright/api/diff/Observation.h"
#include "tilewright/api/devices/SavedArrays.h"
#include "tilewright/numerics/Memory.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using numerics::Element;
using support::Failure;
using support::Result;

/// What probe arrays of the reference machine hold where nothing is stored. On the device, they
/// hold the complement of what the reference machine stored: a right value changes it.
static constexpr uint8_t untouched = 0xA5;

//===-- Arrays ------------------------------------------------------------------------------===//

std::vector<ArgumentArray> api::arraysOf(const std::vector<Argument> &arguments) {
  std::vector<ArgumentArray> arrays;
  for (const auto &[i, argument] : llvm::enumerate(arguments))
    if (const auto *array = std::get_if<Array>(&argument))
      arrays.push_back({i, array});
    else if (const auto *multicast = std::get_if<Multicast>(&argument))
      for (const Array &copy : multicast->copies)
        arrays.push_back({i, &copy});
  return arrays;
}

Contents api::contentsOf(const std::vector<Argument> &arguments) {
  Contents contents;
  for (const ArgumentArray &array : arraysOf(arguments)) {
    const std::span<uint8_t> bytes = array.array->bytes();
    contents.emplace_back(bytes.begin(), bytes.end());
  }
  return contents;
}

//===-- Running -----------------------------------------------------------------------------===//

Result<void> Observation::run(const DiffLaunch &launch, const DiffDevice &device, Contents &probes,
                              Contents &arrays) {
  const SavedArrays saved(launch.arguments);
  std::vector<Argument> arguments = launch.arguments;
  const bool isReference = &probes == &referenceProbes;
  for (const ProbeLayout::ProbeArray &memory : places.arrays()) {
    const auto bytes = size_t(numerics::storageBytes(memory.format, memory.size));
    probes.emplace_back(bytes, untouched);
    if (!isReference)
      llvm::transform(referenceProbes[probes.size() - 1], probes.back().begin(),
                      std::bit_not<uint8_t>());
    const int64_t shape[] = {memory.size};
    Result<Array> array = Array::create(probes.back().data(), memory.format, shape);
    if (!array)
      return array.failure();
    arguments.push_back(*std::move(array));
  }
  DeviceLaunch probed{program.entry, launch.grid,      arguments,
                      launch.file,   /*checks=*/false, isReference ? &historyOfReference : nullptr};
  Result<DeviceOutcome> ran = runOn(device, probed);
  if (!ran)
    return ran.failure();
  // What was not executed would look like a difference.
  if (ran->outcome != Outcome::Succeeded)
    return Failure{device.name() + " does not run the program to its end when it is observed"};
  arrays = contentsOf(launch.arguments);
  return {};
}

Result<std::unique_ptr<Observation>>
Observation::make(const DiffLaunch &launch, const DiffDevice &device, ProbeLayout layout) {
  std::unique_ptr<Observation> made(new Observation(std::move(layout)));
  made->program = insertProbes(launch.entry, made->places, launch.grid);
  for (const auto &[copy, original] : made->program.originals)
    made->copies[original] = copy;
  if (Result<void> ran =
          made->run(launch, {Device::Reference}, made->referenceProbes, made->onReference);
      !ran)
    return ran.failure();
  if (Result<void> ran = made->run(launch, device, made->deviceProbes, made->onDevice); !ran)
    return ran.failure();
  return made;
}

//===-- Values ------------------------------------------------------------------------------===//

Element Observation::load(const Contents &probes, const Probe &probe, int64_t place,
                          int64_t element) const {
  return numerics::load(probes[probe.array].data(), probe.first + place * probe.size + element,
                        probe.format);
}

const uint8_t *Observation::byteOf(const Probe &probe, int64_t place, int64_t element) const {
  const int64_t bytes = numerics::info(probe.format).storageBits / 8;
  return referenceProbes[probe.array].data() + (probe.first + place * probe.size + element) * bytes;
}

bool Observation::isSpecified(const Probe &probe, int64_t place, int64_t element) const {
  return historyOfReference.isSpecified(byteOf(probe, place, element));
}

bool Observation::wasExecuted(const Probe &probe, int64_t place) const {
  return historyOfReference.lastWrite(byteOf(probe, place, 0)) != nullptr;
}

bool Observation::wasExecutedOnDevice(const Probe &probe, int64_t place) const {
  const int64_t bytes = numerics::info(probe.format).storageBits / 8;
  const int64_t first = (probe.first + place * probe.size) * bytes;
  const uint8_t *required = referenceProbes[probe.array].data() + first;
  return !std::equal(required, required + probe.size * bytes,
                     deviceProbes[probe.array].data() + first,
                     [](uint8_t before, uint8_t now) { return uint8_t(~before) == now; });
}

bool Observation::agrees(const Probe &probe, int64_t place) const {
  for (int64_t i = 0; i < probe.size; ++i)
    if (found(probe, place, i).bits != required(probe, place, i).bits &&
        isSpecified(probe, place, i))
      return false;
  return true;
}
