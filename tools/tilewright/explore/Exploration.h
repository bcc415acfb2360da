// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exploration for `tilewright explore`: reads the programs, binds the arguments and explores
// the kernel.

#ifndef TILEWRIGHT_TOOLS_EXPLORATION_H
#define TILEWRIGHT_TOOLS_EXPLORATION_H

#include "tilewright/api/explore/Explore.h"
#include "tools/tilewright/run/EntryArguments.h"

namespace tilewright::tools {

struct ExploreOptions : LaunchFlags {
  /// Another version, to compare with. Without a file, it is in the same one.
  std::string otherFile, otherEntry;
  bool sources = false;
  int64_t maxSteps = 0;
  nvidia::Target target = *nvidia::Target::named(nvidia::defaultTarget);

  bool compares() const { return !otherFile.empty() || !otherEntry.empty(); }
};

struct Exploration {
  /// What is wrong; empty if `kernel` is the result.
  std::string failure;
  int exitStatus;
  api::ExploredKernel kernel;
};

/// `cancelled` may be null.
Exploration explore(const ExploreOptions &options, const std::atomic<bool> *cancelled);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_EXPLORATION_H
