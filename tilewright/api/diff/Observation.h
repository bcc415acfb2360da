// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program with probes on a device and on the reference machine, and keeps what both
// computed: the values of operations, and the contents of the arrays.

#ifndef TILEWRIGHT_API_DIFF_OBSERVATION_H
#define TILEWRIGHT_API_DIFF_OBSERVATION_H

#include "tilewright/api/diff/Devices.h"
#include "tilewright/api/diff/History.h"

namespace tilewright::api {

/// The contents of all arrays of a launch, one after the other.
using Contents = std::vector<std::vector<uint8_t>>;

/// The arrays among the arguments: the index of the argument and the array. Multicast memory has
/// several.
struct ArgumentArray {
  size_t argument;
  const Array *array;
};
std::vector<ArgumentArray> arraysOf(const std::vector<Argument> &arguments);
Contents contentsOf(const std::vector<Argument> &arguments);

/// A launch of a program, whose arrays have the contents to begin with and keep them.
struct DiffLaunch {
  tile::EntryOp entry;
  const runtime::Grid &grid;
  const std::vector<Argument> &arguments;
  llvm::StringRef file;
};

class Observation {
public:
  /// Fails if a device cannot run the program with the probes, or not to its end.
  static support::Result<std::unique_ptr<Observation>>
  make(const DiffLaunch &launch, const DiffDevice &device, ProbeLayout layout);

  const ProbeLayout &layout() const { return places; }
  /// Of the launch on the reference machine.
  const MemoryHistory &history() const { return historyOfReference; }
  /// The operation of the program that one of the history stems from.
  mlir::Operation *originalOf(mlir::Operation *op) const { return program.originals.lookup(op); }
  mlir::Operation *copyOf(mlir::Operation *op) const { return copies.lookup(op); }

  /// What the device and the reference machine computed.
  numerics::Element found(const Probe &probe, int64_t place, int64_t element) const {
    return load(deviceProbes, probe, place, element);
  }
  numerics::Element required(const Probe &probe, int64_t place, int64_t element) const {
    return load(referenceProbes, probe, place, element);
  }
  /// Whether the specification determines the element.
  bool isSpecified(const Probe &probe, int64_t place, int64_t element) const;
  /// Whether the operation was executed.
  bool wasExecuted(const Probe &probe, int64_t place) const;
  bool wasExecutedOnDevice(const Probe &probe, int64_t place) const;
  /// Whether both computed the same bits, except for unspecified elements.
  bool agrees(const Probe &probe, int64_t place) const;

  /// The arrays of the launch afterwards.
  const Contents &deviceArrays() const { return onDevice; }
  const Contents &referenceArrays() const { return onReference; }

private:
  explicit Observation(ProbeLayout layout) : places(std::move(layout)) {}

  support::Result<void> run(const DiffLaunch &launch, const DiffDevice &device, Contents &probes,
                            Contents &arrays);
  numerics::Element load(const Contents &probes, const Probe &probe, int64_t place,
                         int64_t element) const;
  const uint8_t *byteOf(const Probe &probe, int64_t place, int64_t element) const;

  ProbeLayout places;
  ProbedProgram program;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> copies;
  MemoryHistory historyOfReference;
  Contents deviceProbes, referenceProbes, onDevice, onReference;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_OBSERVATION_H
