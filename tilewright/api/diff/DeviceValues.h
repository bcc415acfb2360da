// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device computed in each execution of an operation, beside the reference machine.

#ifndef TILEWRIGHT_API_DIFF_DEVICEVALUES_H
#define TILEWRIGHT_API_DIFF_DEVICEVALUES_H

#include "tilewright/api/diff/Observation.h"

#include "llvm/ADT/MapVector.h"

namespace tilewright::api {

struct Culprit {
  mlir::Operation *op;
  Execution execution;
  /// One line: what the device computes, and what the specification requires.
  std::string message;
  /// Coordinates in the tile, as text; may be empty.
  std::string element = {};
  /// Another operation that may be the wrong one instead, because no value between the two was
  /// observed; may be null.
  mlir::Operation *orElse = nullptr;
};

/// The values of one device, and how they were observed: all in one program, or each in a program
/// of its own.
struct Observations {
  std::vector<std::unique_ptr<Observation>> all;

  /// The observation that has the value; null if none has.
  const Observation *of(mlir::Value value) const;
};

/// A value in one execution.
struct Instance {
  mlir::Value value;
  Execution execution;
};

/// One element that an operation computes differently.
struct Mismatch {
  mlir::Operation *op;
  Execution execution;
  llvm::ArrayRef<int64_t> shape;
  int64_t element;
  numerics::Element found, required;
  std::string allowed = "exactly";
};

/// By operation, the elements that differ but cannot be judged.
using Unjudged = llvm::MapVector<mlir::Operation *, int64_t>;

struct DeviceValues {
  const DiffLaunch &launch;
  /// Its name.
  const std::string &device;
  const Observations &observations;
  Unjudged &unjudged;

  /// An element that the device computed; none if it was not observed.
  std::optional<numerics::Element> found(const Instance &instance, int64_t element) const;
  /// All elements of a tile.
  std::optional<std::vector<numerics::Element>> found(const Instance &instance) const;
  /// The only element of an integer.
  std::optional<int64_t> scalar(const Instance &instance) const;

  /// Whether the device has the reference machine's value. A value that was not observed agrees if
  /// all of its operands do.
  bool agrees(const Instance &instance) const;
  bool operandsAgree(mlir::Operation *op, const Execution &execution, mlir::Value other = {}) const;
  /// Where both executed the operation, with different results.
  std::vector<int64_t> differingPlaces(mlir::Value value) const;

  Culprit culprit(const Mismatch &mismatch) const;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_DEVICEVALUES_H
