// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kernel.h.

#include "tilewright/api/Kernel.h"
#include "tilewright/api/KernelState.h"

#include <charconv>
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

//===-- Options -----------------------------------------------------------------------------===//

/// How many operations a launch may execute.
static Result<int64_t> stepLimitOf(const CompileOptions &options) {
  constexpr int64_t usual = 1'000'000'000;
  if (options.maxSteps)
    return options.maxSteps;
  const char *given = std::getenv("TILEWRIGHT_MAX_STEPS");
  if (!given || !*given)
    return usual;
  const std::string_view text = given;
  int64_t steps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), steps);
  if (error == std::errc() && end == text.data() + text.size() && steps >= 1)
    return steps;
  return Failure{"TILEWRIGHT_MAX_STEPS must be a number of operations, at least 1, but is '" +
                 std::string(text) + "'"};
}

Result<void> CompileOptions::verify() const {
  if (optimization < 0 || optimization > 3)
    return Failure{"the optimization level must be in 0..3, but is " +
                   std::to_string(optimization)};
  if (maxSteps < 0)
    return Failure{"the step limit must be at least 1, but is " + std::to_string(maxSteps)};
  if (device == Device::Cpu) {
    if (Result<cpu::Target> known = targetForThisMachine(target); !known)
      return known.failure();
  } else if (Result<reference::Checks> known = reference::Checks::parse(checks); !known) {
    return known.failure();
  } else if (Result<int64_t> steps = stepLimitOf(*this); !steps) {
    return steps.failure();
  }
  return {};
}

/// None if kernels are not to be kept, or there is no folder for them.
static std::optional<codegen::Cache> cacheOf(const Context &context) {
  if (!context.useCache)
    return std::nullopt;
  return context.cacheFolder.empty() ? codegen::Cache::usual()
                                     : codegen::Cache(context.cacheFolder);
}

//===-- Compiling ---------------------------------------------------------------------------===//

static Result<CompiledEntry> compileForCpu(ModuleState &module, const std::string &name,
                                           const CompileOptions &options) {
  cpu::CompileOptions compileOptions;
  compileOptions.target = *targetForThisMachine(options.target);
  compileOptions.level = codegen::OptLevel(options.optimization);
  compileOptions.debugInfo = options.debugInfo;
  const std::optional<codegen::Cache> cache = cacheOf(module.context);
  std::lock_guard lock(module.mutex);
  Result<CompiledEntry> compiled =
      CompiledEntry::compile(module.find(name), compileOptions, cache ? &*cache : nullptr);
  (void)module.takeFailure(nullptr);
  return compiled;
}

static reference::LaunchOptions launchOptionsOf(const CompileOptions &options) {
  reference::LaunchOptions launch;
  launch.checks = *reference::Checks::parse(options.checks);
  launch.schedule = options.schedule == Schedule::Random ? reference::Schedule::Random
                                                         : reference::Schedule::ProgramOrder;
  launch.seed = options.seed;
  launch.maxSteps = *stepLimitOf(options);
  return launch;
}

/// Reads the module once more.
static Result<ReferenceEntry> prepareForReference(ModuleState &module, const std::string &name,
                                                  const CompileOptions &options) {
  LoadOptions load;
  load.markPlaces = true;
  auto copy = std::make_unique<ModuleState>(module.context, load);
  {
    std::lock_guard lock(module.mutex);
    if (!copy->accept(copy->loader.loadMemory(module.loader.bytes(), module.name)))
      return copy->takeFailure(nullptr);
  }
  tile::EntryOp entry = copy->find(name);
  return ReferenceEntry{std::move(copy), entry, launchOptionsOf(options)};
}

Result<Kernel> Kernel::compile(const Entry &entry, const CompileOptions &options) {
  if (Result<void> known = options.verify(); !known)
    return known.failure();
  if (Result<void> passable = verifyPassable(entry.name(), entry.parameters()); !passable)
    return passable.failure();
  auto state = std::make_shared<KernelState>();
  state->name = entry.name();
  state->parameters = entry.parameters();
  if (options.device == Device::Reference) {
    Result<ReferenceEntry> prepared = prepareForReference(*entry.module, entry.name(), options);
    if (!prepared)
      return prepared.failure();
    state->reference = std::move(*prepared);
    return Kernel(std::move(state));
  }
  Result<CompiledEntry> compiled = compileForCpu(*entry.module, entry.name(), options);
  if (!compiled)
    return compiled.failure();
  state->compiled = std::move(*compiled);
  return Kernel(std::move(state));
}

//===-- Facts -------------------------------------------------------------------------------===//

const std::string &Kernel::name() const { return state->name; }
const std::vector<Parameter> &Kernel::parameters() const { return state->parameters; }
Device Kernel::device() const { return state->compiled ? Device::Cpu : Device::Reference; }
