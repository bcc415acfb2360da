// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explores a kernel: runs it on the reference machine and on the PTX machine, and joins executions,
// performance counters and findings by source line, as one JSON document (docs/explore.md).

#ifndef TILEWRIGHT_API_EXPLORE_EXPLORE_H
#define TILEWRIGHT_API_EXPLORE_EXPLORE_H

#include "tilewright/api/Launch.h"
#include "tilewright/api/explore/ExploreOptions.h"

namespace tilewright::api {

struct ExploredKernel {
  /// The document; empty if it was cancelled.
  std::string json;
  /// Of the launch on the reference machine.
  Outcome outcome;
  /// The names of the files in `sources` of the document.
  std::vector<std::string> files = {};
};

/// Launches the entry once on each machine, and discards what it prints. The arrays keep their
/// values. Fails if the options are invalid or the arguments do not match the parameters of an
/// entry. If only the PTX machine cannot run the kernel, the document says why.
support::Result<ExploredKernel> exploreKernel(const Entry &entry, const runtime::Grid &grid,
                                              const std::vector<Argument> &arguments,
                                              const ExploreOptions &options = {});

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_EXPLORE_H
