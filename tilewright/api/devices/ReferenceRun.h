// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an entry on the reference machine with arguments of the library. `Kernel` (Reference.cpp)
// and `tilewright run --device reference` share it.

#ifndef TILEWRIGHT_API_DEVICES_REFERENCERUN_H
#define TILEWRIGHT_API_DEVICES_REFERENCERUN_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Options.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/reference/machine/Machine.h"

#include "llvm/ADT/StringSet.h"

namespace tilewright::api {

struct ReferenceRun {
  tile::EntryOp entry;
  const runtime::Grid &grid;
  /// They match the parameters.
  std::span<const Argument> arguments;
  reference::LaunchOptions options;
  /// An entry of the same module with the same parameters, or null. It is launched next, as a
  /// dependent launch on the same grid and arguments, if the first launch succeeds.
  tile::EntryOp dependent = nullptr;
};

/// Loads the module and launches the entry once. The kernel prints to `output`. Fails if the entry
/// cannot run. The findings are those of both launches.
support::Result<reference::LaunchResult> launch(const ReferenceRun &run, llvm::raw_ostream &output);

/// The launch is Cancelled if the observer or a cancellation ended it.
Outcome outcomeOf(const reference::LaunchResult &result);

/// Loads the module and explores all executions of the entry. The arrays remain as they are.
support::Result<reference::ExhaustiveResult>
explore(const ReferenceRun &run, const reference::ExhaustiveLimits &limits = {});

/// Verifies that these are operations of Tile IR, for a trace filter.
support::Result<llvm::StringSet<>> tracedOperations(llvm::ArrayRef<std::string> names);

/// Fails if an argument does not support an exploration.
support::Result<void> verifyForExploration(const Argument &argument);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_REFERENCERUN_H
