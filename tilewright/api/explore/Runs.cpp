// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Runs.h.

#include "tilewright/api/explore/Runs.h"
#include "tilewright/api/PtxCounters.h"
#include "tilewright/api/devices/Device.h"
#include "tilewright/api/devices/SavedArrays.h"
#include "tilewright/api/devices/WithinMemory.h"
#include "tilewright/api/explore/Watch.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/reference/watch/Coverage.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

Result<ReferenceOutcome> api::runOnReference(const ExploredLaunch &launch) {
  const SavedArrays saved(launch.arguments);
  return withinMemory([&]() -> Result<ReferenceOutcome> {
    reference::Coverage coverage(launch.program.entry());
    ExploredArrays arrays(launch.arguments);
    Watch watch(launch.program, arrays);
    reference::Observers observers;
    observers.add(coverage);
    observers.add(watch);
    ReferenceRun run{launch.program.entry(), launch.grid, launch.arguments, {}};
    run.options.maxSteps = launch.maxSteps;
    run.options.cancelled = launch.cancelled;
    run.options.checks.set(reference::Check::Origin, true);
    run.options.observer = &observers;
    arrays.addContents("before");
    Result<reference::LaunchResult> result = api::launch(run, llvm::nulls());
    if (!result)
      return result.failure();
    arrays.addContents("after");
    const bool isComplete = watch.endedBlocks() == launch.grid.blockCount();
    ReferenceOutcome outcome{*std::move(result), isComplete, coverage.counts(), {}, {}, {}, 0, {}};
    if (launch.keepsResults)
      outcome.results = arrays.results();
    outcome.arrays = arrays.takeJson();
    outcome.views = watch.takeViews();
    outcome.trace = watch.traced().takeEvents();
    outcome.unlistedTrace = watch.traced().unlisted();
    return outcome;
  });
}

Result<PtxOutcome> api::runOnPtx(const ExploredLaunch &launch, const nvidia::Target &target) {
  for (const Argument &argument : launch.arguments)
    if (Result<void> verified = verifyForPtxMachine(argument); !verified)
      return verified.failure();
  const SavedArrays saved(launch.arguments);
  // Assumptions are not checked: checks would be counted, although a GPU does not execute them.
  auto entry = PtxEntry::compile(launch.program.entry(), {target}, launch.program.file());
  if (!entry)
    return entry.failure();
  PtxOutcome outcome;
  std::optional<ptx::Counters> counters;
  PtxRunOptions options;
  options.schedule.stepLimit = uint64_t(launch.maxSteps);
  options.cancelled = launch.cancelled;
  options.output = [](std::string_view) {};
  options.begin = [&](ptx::Machine &machine) {
    machine.counters = &counters.emplace((*entry)->program());
  };
  options.end = [&](const ptx::Machine &machine) {
    outcome.isComplete = !machine.isStopped;
    outcome.counters = countersAsJson(machine, *counters, (*entry)->textName());
  };
  return withinMemory([&]() -> Result<PtxOutcome> {
    Result<PtxRunResult> ran = (*entry)->run(launch.grid, launch.arguments, options);
    if (!ran)
      return ran.failure();
    outcome.result = *std::move(ran);
    return std::move(outcome);
  });
}
