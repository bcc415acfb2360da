// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device::Cpu: compiles an entry for this processor. Launches read and write arrays in place.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/KernelState.h"
#include "tilewright/api/Records.h"
#include "tilewright/runtime/Multicast.h"

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
  return context.cacheFolder.empty() ? codegen::Cache::usual()
                                     : codegen::Cache(context.cacheFolder);
}

static Result<CompiledEntry> compile(const Request &request) {
  ModuleState &module = request.module;
  cpu::CompileOptions options;
  options.target = *targetOf(request.options);
  options.level = codegen::OptLevel(request.options.optimization);
  options.debugInfo = request.options.debugInfo;
  const std::optional<codegen::Cache> cache = cacheOf(module.context);
  std::lock_guard lock(module.mutex);
  Result<CompiledEntry> compiled =
      CompiledEntry::compile(module.find(request.entry), options, cache ? &*cache : nullptr);
  (void)module.takeFailure(nullptr);
  return compiled;
}

//===-- Arguments ---------------------------------------------------------------------------===//

namespace {
/// One slot per parameter (runtime/Kernel.h), and the multicast ranges that some slots point to.
struct Slots {
  llvm::SmallVector<uint64_t, 32> values;
  std::vector<runtime::Multicast> multicasts;

  static Result<Slots> of(std::span<const Argument> arguments);
};
} // namespace

static Result<runtime::Multicast> addressFor(const Multicast &multicast) {
  std::vector<void *> copies;
  for (const Array &copy : multicast.copies)
    copies.push_back(copy.bytes().data());
  return runtime::Multicast::create(copies, multicast.copies[0].bytes().size());
}

/// The bits of an argument in the form that compiled code reads.
static uint64_t slotOf(const Argument &argument) {
  if (const auto *array = std::get_if<Array>(&argument))
    return slotFor(array->bytes());
  if (const auto *address = std::get_if<Address>(&argument))
    return reinterpret_cast<uintptr_t>(address->data);
  return slotFor(std::get<numerics::Element>(argument));
}

Result<Slots> Slots::of(std::span<const Argument> arguments) {
  Slots slots;
  for (const Argument &argument : arguments) {
    const auto *multicast = std::get_if<Multicast>(&argument);
    if (!multicast) {
      slots.values.push_back(slotOf(argument));
      continue;
    }
    Result<runtime::Multicast> made = addressFor(*multicast);
    if (!made)
      return made.failure();
    slots.values.push_back(reinterpret_cast<uintptr_t>(made->address()));
    slots.multicasts.push_back(*std::move(made));
  }
  return slots;
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
  explicit CpuExecutable(CompiledEntry entry) : entry(std::move(entry)) {}

  Device device() const override { return Device::Cpu; }
  Result<LaunchResult> run(const Run &run) const override;

private:
  CompiledEntry entry;
};
} // namespace

Result<LaunchResult> CpuExecutable::run(const Run &run) const {
  const Result<Slots> slots = Slots::of(run.arguments);
  if (!slots)
    return slots.failure();
  runtime::LaunchOptions launch;
  launch.threads = run.options.threads;
  launch.output = run.options.output ? &run.options.output : nullptr;
  launch.cancelled = &run.cancelled;
  Result<runtime::LaunchResult> ran = entry.launch(run.grid, slots->values, launch);
  if (!ran)
    return ran.failure();

  LaunchResult result{outcomeOf(*ran), {}, ran->unlistedAsserts};
  for (const runtime::FailedAssert &failed : ran->failedAsserts)
    result.findings.push_back(toFinding(failed, run.kernel->name));
  return result;
}

Result<std::unique_ptr<Executable>> api::prepareForCpu(const Request &request) {
  Result<CompiledEntry> compiled = compile(request);
  if (!compiled)
    return compiled.failure();
  return std::unique_ptr<Executable>(std::make_unique<CpuExecutable>(*std::move(compiled)));
}
