// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what devices compute: runs a kernel on each of them, and finds the first operation whose
// result leaves what the specification allows (docs/diff.md).

#ifndef TILEWRIGHT_API_DIFF_DIFF_H
#define TILEWRIGHT_API_DIFF_DIFF_H

#include "tilewright/api/Launch.h"
#include "tilewright/api/diff/DiffDevice.h"
#include "tilewright/api/diff/DiffResult.h"

namespace tilewright::api {

/// What an array must hold after the launch.
struct ExpectedArray {
  /// The index of the argument, which is an array of the same format and shape.
  size_t argument;
  Array array;
};

struct DiffOptions {
  /// They are compared with the reference machine, which always runs. Empty: the CPU, and the PTX
  /// machine with its default target.
  std::vector<DiffDevice> devices = {};
  std::vector<ExpectedArray> expected = {};
  /// Reduce the kernel to a small one in which the first wrong operation is still wrong.
  bool reduces = false;
  /// Add source lines to the text, from the program and from files that source locations name. The
  /// program decides which files: set it only for programs that you trust.
  bool readsSources = false;
};

/// The arrays keep their values. What the kernel prints is discarded. Fails if the arguments do not
/// match the parameters, or an expected array does not match its argument.
support::Result<KernelDiff> diffKernel(const Entry &entry, const runtime::Grid &grid,
                                       const std::vector<Argument> &arguments,
                                       const DiffOptions &options = {});

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_DIFF_H
