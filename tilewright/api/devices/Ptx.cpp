// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device::Ptx: compiles an entry to PTX for a GPU, and executes and checks it on the PTX machine.
// Arrays are copied to the machine, and back if the launch succeeds.

#include "tilewright/api/KernelState.h"
#include "tilewright/api/Launch.h"
#include "tilewright/api/PtxCounters.h"
#include "tilewright/api/Records.h"
#include "tilewright/api/devices/PtxEntry.h"
#include "tilewright/ptx/watch/Trace.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tilewright/runtime/Output.h"

#include "llvm/Support/FormatVariadic.h"
#include <new>

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

//===-- Options -----------------------------------------------------------------------------===//

static Result<nvidia::Target> targetOf(const CompileOptions &options) {
  if (options.target.empty())
    return nvidia::Target::named(nvidia::defaultTarget);
  return nvidia::Target::named(options.target);
}

static Result<ptx::Checks> checksOf(const CompileOptions &options) {
  std::string unknown;
  if (const auto checks = ptx::Checks::parse(options.checks, unknown))
    return *checks;
  return Failure{"the PTX machine has no check '" + unknown + "'"};
}

Result<void> api::verifyForPtx(const CompileOptions &options) {
  if (Result<nvidia::Target> known = targetOf(options); !known)
    return known.failure();
  if (Result<ptx::Checks> known = checksOf(options); !known)
    return known.failure();
  if (Result<int64_t> steps = stepLimitOf(options.maxSteps); !steps)
    return steps.failure();
  return {};
}

static ptx::Schedule scheduleOf(const CompileOptions &options) {
  ptx::Schedule schedule;
  schedule.order = options.schedule == Schedule::Random    ? ptx::Order::Random
                   : options.schedule == Schedule::Reverse ? ptx::Order::Down
                                                           : ptx::Order::Up;
  schedule.seed = options.seed;
  schedule.stepLimit = uint64_t(*stepLimitOf(options.maxSteps));
  return schedule;
}

//===-- Running -----------------------------------------------------------------------------===//

namespace {
class PtxExecutable : public Executable {
public:
  PtxExecutable(std::unique_ptr<const PtxEntry> entry, std::string file,
                const CompileOptions &options)
      : entry(std::move(entry)), file(std::move(file)), schedule(scheduleOf(options)),
        checks(*checksOf(options)), counts(options.counters) {}

  Device device() const override { return Device::Ptx; }
  Result<void> verify(const Argument &argument) const override {
    return verifyForPtxMachine(argument);
  }
  Result<void> verify(std::span<const Argument> arguments) const override {
    return Placement::verify(arguments);
  }
  Result<void> verify(const LaunchOptions &launch) const override;
  Result<LaunchResult> run(const Run &run) const override;

private:
  Result<LaunchResult> launch(const Run &run) const;
  ptx::Trace traceOf(const TraceOptions &trace) const;

  const std::unique_ptr<const PtxEntry> entry;
  const std::string file;
  const ptx::Schedule schedule;
  const ptx::Checks checks;
  const bool counts;
};
} // namespace

static ptx::TraceFilter filterOf(const TraceOptions &trace) {
  ptx::TraceFilter filter;
  for (const auto &[x, y, z] : trace.blocks)
    filter.blocks.insert({uint32_t(x), uint32_t(y), uint32_t(z)});
  filter.opcodes.insert(trace.operations.begin(), trace.operations.end());
  filter.mostLines = UINT64_MAX;
  return filter;
}

Result<void> PtxExecutable::verify(const LaunchOptions &launch) const {
  if (const std::string unknown = filterOf(launch.trace).unknownOpcode(); !unknown.empty())
    return Failure{"there is no PTX instruction '" + unknown + "' to trace"};
  return {};
}

ptx::Trace PtxExecutable::traceOf(const TraceOptions &trace) const {
  return {entry->textName(), filterOf(trace), [this, &trace](const ptx::TraceLine &line) {
            const auto [x, y, z] = line.block;
            trace.receive({{entry->textName(), line.place.line, line.place.column},
                           {x, y, z},
                           line.thread,
                           std::string(line.instruction),
                           std::string(line.text)});
          }};
}

Result<LaunchResult> PtxExecutable::launch(const Run &run) const {
  PtxRunOptions options{schedule, checks, run.options.threads, &run.cancelled,
                        run.options.output ? run.options.output : runtime::standardOutput()};
  LaunchResult result;
  std::optional<ptx::Counters> counters;
  std::optional<ptx::Trace> trace;
  options.begin = [&](ptx::Machine &machine) {
    if (counts)
      machine.counters = &counters.emplace(entry->program());
    if (run.options.trace.receive)
      machine.trace = &trace.emplace(traceOf(run.options.trace));
  };
  options.end = [&](const ptx::Machine &machine) {
    if (trace)
      trace->close();
    if (counters)
      result.counters = llvm::formatv(
          "{0}", llvm::json::Value(countersAsJson(machine, *counters, entry->textName())));
  };
  Result<PtxRunResult> ran = entry->run(run.grid, run.arguments, options);
  if (!ran)
    return ran.failure();
  result.outcome = ran->outcome;
  result.unlistedFindings = int64_t(ran->unlistedFindings);
  for (const report::Finding &finding : ran->findings)
    result.findings.push_back(toFinding(finding, file));
  return result;
}

Result<LaunchResult> PtxExecutable::run(const Run &run) const {
  reference::ThrowingAllocations throwing;
  try {
    return launch(run);
  } catch (const std::bad_alloc &) {
    return Failure{"out of memory: the launch's arrays and checks on the PTX machine exceed this "
                   "process's limit"};
  }
}

Result<std::unique_ptr<Executable>> api::prepareForPtx(const Request &request) {
  nvidia::CompileOptions options{*targetOf(request.options)};
  options.level = codegen::OptLevel(request.options.optimization);
  // Assumption checks would be counted too, although a GPU does not execute them.
  options.checksAssumptions = !request.options.counters;
  ModuleState &module = request.module;
  std::lock_guard lock(module.mutex);
  auto entry = PtxEntry::compile(module.find(request.entry), options, module.name);
  (void)module.takeFailure(nullptr);
  if (!entry)
    return entry.failure();
  return std::unique_ptr<Executable>(
      std::make_unique<PtxExecutable>(*std::move(entry), module.name, request.options));
}
