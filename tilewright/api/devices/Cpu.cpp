// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device::Cpu: compiles an entry for this processor. Launches read and write arrays in place.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/KernelState.h"
#include "tilewright/api/Launch.h"
#include "tilewright/api/Records.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

//===-- Compiling ---------------------------------------------------------------------------===//

static Result<cpu::Target> targetOf(const CompileOptions &options) {
  return targetForThisMachine(options.target.empty() ? "native" : options.target);
}

Result<void> api::verifyForCpu(const CompileOptions &options) {
  if (Result<cpu::Target> known = targetOf(options); !known)
    return known.failure();
  return {};
}

/// None if the cache is off, or has no folder.
static std::optional<codegen::Cache> cacheOf(const Context &context) {
  if (!context.useCache)
    return std::nullopt;
  return context.cacheFolder.empty() ? codegen::Cache::inDefaultFolder()
                                     : codegen::Cache(context.cacheFolder);
}

/// The caller has locked the module.
static Result<CompiledEntry> compile(const Request &request) {
  ModuleState &module = request.module;
  cpu::CompileOptions options;
  options.target = *targetOf(request.options);
  options.level = codegen::OptLevel(request.options.optimization);
  options.debugInfo = request.options.debugInfo;
  const std::optional<codegen::Cache> cache = cacheOf(module.context);
  Result<CompiledEntry> compiled =
      CompiledEntry::compile(module.find(request.entry), options, cache ? &*cache : nullptr);
  (void)module.takeFailure(nullptr);
  return compiled;
}

//===-- Running -----------------------------------------------------------------------------===//

static Outcome outcomeOf(const runtime::LaunchResult &result) {
  if (!result.failedAsserts.empty())
    return Outcome::Failed;
  return result.wasCancelled ? Outcome::Cancelled : Outcome::Succeeded;
}

namespace {
class CpuExecutable : public Executable {
public:
  CpuExecutable(CompiledEntry entry, Result<void> dependents)
      : entry(std::move(entry)), dependents(std::move(dependents)) {}

  Device device() const override { return Device::Cpu; }
  Result<void> verifyDependent() const override { return dependents; }
  Result<LaunchResult> run(const Run &run) const override;

private:
  Result<LaunchResult> launch(const Run &run, const Slots &slots, const std::string &name) const;

  const CompiledEntry entry;
  const Result<void> dependents; ///< Why there can be no dependent launches, if so.
};
} // namespace

Result<LaunchResult> CpuExecutable::launch(const Run &run, const Slots &slots,
                                           const std::string &name) const {
  runtime::LaunchOptions launch;
  launch.threads = run.options.threads;
  launch.output = run.options.output ? &run.options.output : nullptr;
  launch.cancelled = &run.cancelled;
  Result<runtime::LaunchResult> ran = entry.launch(run.grid, slots.values, launch);
  if (!ran)
    return ran.failure();

  LaunchResult result{outcomeOf(*ran), {}, ran->unlistedAsserts};
  for (const runtime::FailedAssert &failed : ran->failedAsserts)
    result.findings.push_back(toFinding(failed, name));
  return result;
}

/// A dependent launch begins after the first one has ended, so it need not wait.
Result<LaunchResult> CpuExecutable::run(const Run &run) const {
  const Result<Slots> slots = Slots::of(run.arguments);
  if (!slots)
    return slots.failure();
  Result<LaunchResult> first = launch(run, *slots, run.kernel->name);
  if (!first || !run.dependent || first->outcome != Outcome::Succeeded)
    return first;
  const auto &dependent = static_cast<const CpuExecutable &>(*run.dependent->executable);
  return dependent.launch(run, *slots, run.dependent->name);
}

Result<std::unique_ptr<Executable>> api::prepareForCpu(const Request &request) {
  ModuleState &module = request.module;
  std::lock_guard lock(module.mutex);
  Result<CompiledEntry> compiled = compile(request);
  if (!compiled)
    return compiled.failure();
  return std::unique_ptr<Executable>(
      std::make_unique<CpuExecutable>(*std::move(compiled), verifyForDependents(module.module)));
}
