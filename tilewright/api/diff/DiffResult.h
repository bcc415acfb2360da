// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a comparison of devices found (Diff.h).

#ifndef TILEWRIGHT_API_DIFF_DIFFRESULT_H
#define TILEWRIGHT_API_DIFF_DIFFRESULT_H

#include "tilewright/numerics/Element.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::api {

/// An argument of a reduced kernel: a scalar, or an array in row-major order.
struct ReducedArgument {
  numerics::Element scalar;
  /// For arrays.
  bool isArray = false;
  std::vector<int64_t> shape = {};
  std::vector<uint8_t> bytes = {};
};

/// A kernel of one tile block, unless the operation needs more.
struct ReducedCase {
  std::string device;
  /// The program, as text.
  std::string text;
  /// X, Y and Z.
  std::array<int64_t, 3> grid;
  std::vector<ReducedArgument> arguments;
  /// In the entry, including its end.
  int64_t operations;
};

enum class Verdict {
  /// All bits that the specification determines are equal.
  Equal,
  /// They differ, but each operation computes what the specification allows.
  Allowed,
  Different,
  /// The device reports that the kernel does something wrong, or it does not run to its end.
  Misbehaved,
  /// The device cannot run the kernel.
  Unsupported,
};

struct DeviceDiff {
  std::string device;
  Verdict verdict;
  /// One line.
  std::string summary;
};

struct KernelDiff {
  std::vector<DeviceDiff> devices;
  /// 0: all devices are equal, or differ as they may; 3: one differs or the kernel misbehaves; 1:
  /// one cannot run the kernel.
  int exitStatus = 0;
  /// The findings, and the same as reports (docs/reports.md).
  std::string text, json, sarif;
  /// Of the first device that differs; none if it was not requested, or if no smaller kernel
  /// differs.
  std::optional<ReducedCase> reduced = std::nullopt;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_DIFFRESULT_H
