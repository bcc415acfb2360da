// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PtxKernel.h.

#include "tilewright/api/PtxKernel.h"
#include "tilewright/api/PtxFindings.h"
#include "tilewright/api/Records.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/text/Names.h"
#include "tilewright/ptx/text/Parser.h"
#include "tilewright/runtime/Threads.h"

#include "mlir/IR/MLIRContext.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

static Diagnostics refused(const ptx::Refusal &refusal, const std::string &file) {
  const Place place{file, refusal.place.line, refusal.place.column};
  return {{{Severity::Error, place, refusal.message}},
          file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
              ": error: " + refusal.message + "\n"};
}

std::optional<PtxModule> PtxModule::read(std::string text, std::string file,
                                         Diagnostics &diagnostics) {
  auto parsed = ptx::parse(std::move(text));
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed)) {
    diagnostics = refused(*refusal, file);
    return std::nullopt;
  }
  PtxModule module;
  module.state = std::make_shared<const State>(
      State{std::get<ptx::Module>(std::move(parsed)), std::move(file)});
  return module;
}

std::vector<std::string> PtxModule::entries() const {
  std::vector<std::string> names;
  for (const ptx::Function &function : state->module.functions)
    if (function.isEntry && function.hasBody)
      names.emplace_back(function.name);
  return names;
}

//===-- Running -----------------------------------------------------------------------------===//

namespace tilewright::api {
/// Runs an entry once.
class PtxLauncher {
public:
  PtxLauncher(const PtxModule &module, const ptx::Function &entry, const ptx::Program &program,
              const PtxLaunchOptions &options, const std::vector<PtxArgument> &arguments)
      : state(*module.state), entry(entry), program(program), options(options),
        arguments(arguments) {}

  static const auto &moduleOf(const PtxModule &module) { return module.state->module; }
  static const std::string &fileOf(const PtxModule &module) { return module.state->file; }

  Result<PtxResult> run();

private:
  Result<std::vector<uint8_t>> load();
  Result<uint64_t> addressOf(size_t argument);
  void unload();
  PtxResult resultOf(const ptx::Machine &machine);

  const PtxModule::State &state;
  const ptx::Function &entry;
  const ptx::Program &program;
  const PtxLaunchOptions &options;
  const std::vector<PtxArgument> &arguments;
  ptx::Memory memory;
  std::vector<ptx::Region *> regions; ///< Per argument; null for values.
  std::optional<ptx::Counters> counters;
};
} // namespace tilewright::api

static bool overlap(const PtxArgument &lhs, const PtxArgument &rhs) {
  const auto begin = [](const PtxArgument &argument) { return uintptr_t(argument.memory); };
  return begin(lhs) < begin(rhs) + rhs.bytes && begin(rhs) < begin(lhs) + lhs.bytes;
}

/// The address of an argument's memory on the machine. Arguments with the same memory share a
/// region; memory that overlaps in another way is rejected.
Result<uint64_t> PtxLauncher::addressOf(size_t argument) {
  const PtxArgument &given = arguments[argument];
  for (size_t other = 0; other < argument; ++other) {
    if (!regions[other] || !overlap(given, arguments[other]))
      continue;
    if (arguments[other].memory != given.memory || arguments[other].bytes != given.bytes)
      return Failure{"its memory is a part of that of argument " + std::to_string(other + 1) +
                     ", or overlaps it"};
    regions[argument] = regions[other];
    return regions[other]->base;
  }
  ptx::Region &region =
      memory.allocate("parameter " + std::to_string(argument + 1), ptx::Space::Global, given.bytes);
  std::copy_n(static_cast<const uint8_t *>(given.memory), given.bytes, region.bytes.begin());
  if (given.isInitialised)
    region.defineAll();
  regions[argument] = &region;
  return region.base;
}

/// Loads the arguments. Returns the bytes of the parameters.
Result<std::vector<uint8_t>> PtxLauncher::load() {
  if (arguments.size() != entry.parameters.size())
    return Failure{"'" + ptx::demangled(entry.name) + "' has " +
                   std::to_string(entry.parameters.size()) + " parameters, but there are " +
                   std::to_string(arguments.size()) + " arguments"};
  regions.assign(arguments.size(), nullptr);
  std::vector<uint8_t> bytes(program.addresses.parameterBytes);
  for (size_t number = 0; number < arguments.size(); ++number) {
    const ptx::Variable &parameter = state.module.variables[entry.parameters[number]];
    const PtxArgument &given = arguments[number];
    const std::string name = "argument " + std::to_string(number + 1);
    const uint64_t size = given.isMemory ? 8 : given.bytes;
    if (size != parameter.bytes)
      return Failure{name + ": parameter '" + std::string(parameter.name) + "' has " +
                     std::to_string(parameter.bytes) + " bytes, but the " +
                     (given.isMemory ? "address" : "value") + " has " + std::to_string(size)};
    if (!given.memory && given.bytes)
      return Failure{name + " is null"};
    const uint64_t offset = program.addresses.parameterOffset(entry.parameters[number]);
    if (!given.isMemory) {
      std::copy_n(static_cast<const uint8_t *>(given.memory), size, bytes.begin() + long(offset));
      continue;
    }
    Result<uint64_t> address = addressOf(number);
    if (!address)
      return address.failure().at(name);
    std::memcpy(bytes.data() + offset, &*address, sizeof(uint64_t));
  }
  return bytes;
}

void PtxLauncher::unload() {
  for (size_t number = 0; number < arguments.size(); ++number)
    if (regions[number])
      std::copy(regions[number]->bytes.begin(), regions[number]->bytes.end(),
                static_cast<uint8_t *>(arguments[number].memory));
}

PtxResult PtxLauncher::resultOf(const ptx::Machine &machine) {
  PtxResult result;
  mlir::MLIRContext context;
  const PtxFindings converter(state.module, state.file, context);
  for (const ptx::Finding &finding : machine.findings) {
    result.findings.push_back(toFinding(converter.convert(finding, entry), state.file));
    result.threads.push_back(finding.thread);
  }
  result.misbehaved = misbehaved(machine.findings);
  result.unlistedFindings = machine.unlisted;
  result.steps = machine.steps;
  if (counters) {
    result.sourceLines = countsBySourceLine(state.module, *counters);
    result.textLines = countsByTextLine(state.module, *counters);
    result.total = counters->total();
  }
  return result;
}

Result<PtxResult> PtxLauncher::run() {
  std::string unknown;
  const auto checks = ptx::Checks::parse(options.checks, unknown);
  if (!checks)
    return Failure{"there is no check '" + unknown + "'"};
  loadVariables(program, memory);
  Result<std::vector<uint8_t>> parameters = load();
  if (!parameters)
    return parameters.failure();
  const ptx::Launch launch{options.grid, options.block, options.dynamicShared, *parameters,
                           options.cluster};
  if (const auto wrong = checkLaunch(program, launch))
    return Failure{*wrong};
  ptx::Machine machine(program, memory, launch, options.schedule);
  machine.checks = *checks;
  const Result<int> threads = runtime::defaultThreads();
  if (!threads)
    return threads.failure();
  machine.threads = uint32_t(*threads);
  if (options.output)
    machine.output = [this](const auto &, std::string_view text) { options.output(text); };
  if (options.counts)
    machine.counters = &counters.emplace(program);
  execute(machine);
  if (machine.findings.empty())
    unload();
  return resultOf(machine);
}

Result<std::optional<PtxResult>> api::runPtx(const PtxModule &module, const std::string &entry,
                                             const PtxLaunchOptions &options,
                                             const std::vector<PtxArgument> &arguments,
                                             Diagnostics &diagnostics) {
  const ptx::Function *function = PtxLauncher::moduleOf(module).find(entry);
  if (!function || !function->isEntry || !function->hasBody)
    return Failure{"the module has no entry '" + entry + "'"};
  const auto prepared = prepare(PtxLauncher::moduleOf(module), *function);
  if (const auto *refusal = std::get_if<ptx::Refusal>(&prepared)) {
    diagnostics = refused(*refusal, PtxLauncher::fileOf(module));
    return std::optional<PtxResult>();
  }
  Result<PtxResult> result =
      PtxLauncher(module, *function, std::get<ptx::Program>(prepared), options, arguments).run();
  if (!result)
    return result.failure();
  return std::optional(std::move(*result));
}
