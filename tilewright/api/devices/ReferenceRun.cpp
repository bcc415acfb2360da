// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReferenceRun.h.

#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/api/Placement.h"
#include "tilewright/tile/table/OpTable.h"
#include "tilewright/tile/text/Spelling.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

namespace {
/// A machine with the module and the arrays of a run.
struct Prepared {
  Placement placement;
  reference::Machine machine;
  std::vector<numerics::Element> parameters;

  static Result<Prepared> of(const ReferenceRun &run);
};
} // namespace

Result<Prepared> Prepared::of(const ReferenceRun &run) {
  Result<Placement> placement = Placement::of(run.arguments);
  if (!placement)
    return placement.failure();
  auto module = tile::EntryOp(run.entry)->getParentOfType<tile::ModuleOp>();
  Result<reference::Machine> machine = reference::Machine::load(module, run.options.seed);
  if (!machine)
    return machine.failure();
  Prepared prepared{*std::move(placement), *std::move(machine), {}};
  prepared.parameters = prepared.placement.bind(prepared.machine);
  return prepared;
}

/// Launches the entry, and then the dependent one if the first launch succeeds.
static Result<reference::LaunchResult> launchAll(const ReferenceRun &run, Prepared &prepared,
                                                 llvm::raw_ostream &output) {
  Result<reference::LaunchResult> first =
      prepared.machine.launch(run.entry, run.grid, prepared.parameters, output, run.options);
  if (!first || !run.dependent || !first->succeeded() || first->wasEnded)
    return first;
  reference::LaunchOptions options = run.options;
  options.isDependent = true;
  Result<reference::LaunchResult> second =
      prepared.machine.launch(run.dependent, run.grid, prepared.parameters, output, options);
  if (!second)
    return second;
  // The first launch succeeded, but may have warnings: they come first.
  second->findings.insert(second->findings.begin(), first->findings.begin(), first->findings.end());
  second->unlistedFindings += first->unlistedFindings;
  second->blocksSynchronise |= first->blocksSynchronise;
  return second;
}

Result<reference::LaunchResult> api::launch(const ReferenceRun &run, llvm::raw_ostream &output) {
  Result<Prepared> prepared = Prepared::of(run);
  if (!prepared)
    return prepared.failure();
  Result<reference::LaunchResult> ran = launchAll(run, *prepared, output);
  if (!ran)
    return ran;
  // Findings take precedence over this failure.
  if (Result<void> copied = prepared->placement.copyBack(); !copied && ran->succeeded())
    return copied.failure();
  return ran;
}

Outcome api::outcomeOf(const reference::LaunchResult &result) {
  if (result.has(reference::FindingKind::Misbehaviour))
    return Outcome::Misbehaved;
  if (!result.succeeded())
    return Outcome::Failed;
  return result.wasEnded ? Outcome::Cancelled : Outcome::Succeeded;
}

Result<reference::ExhaustiveResult> api::explore(const ReferenceRun &run,
                                                 const reference::ExhaustiveLimits &limits) {
  Result<Prepared> prepared = Prepared::of(run);
  if (!prepared)
    return prepared.failure();
  return prepared->machine.explore(run.entry, run.grid, prepared->parameters, run.options, limits);
}

Result<llvm::StringSet<>> api::tracedOperations(llvm::ArrayRef<std::string> names) {
  llvm::StringSet<> operations;
  for (const std::string &name : names) {
    const std::string advice = tile::findOp(name) ? "" : tile::adviceForOp(name);
    if (!tile::findOp(name))
      return Failure{"there is no operation '" + name + "'" +
                     (advice.empty() ? "" : "; " + advice)};
    operations.insert(name);
  }
  return operations;
}

Result<void> api::verifyForExploration(const Argument &argument) {
  if (std::holds_alternative<Multicast>(argument))
    return Failure{"the exhaustive schedule does not support multicast memory"};
  return {};
}
