// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Exploration.h.

#include "tools/tilewright/explore/Exploration.h"
#include "Commands.h"
#include "tilewright/api/ModuleState.h"
#include "tools/tilewright/run/Arguments.h"

#include "llvm/Support/MemoryBuffer.h"

#include <variant>

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

static Exploration failed(const Failure &failure, int status) {
  return {(status == ExitUsage ? "tilewright explore: " : "") + failure.message, status, {}};
}

/// The entry with one of these names, of which an empty one means the only entry of the file; or
/// the exploration that failed without it.
static std::variant<api::Entry, Exploration> readEntry(const std::string &file,
                                                       llvm::ArrayRef<std::string> names) {
  const auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/false,
                                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failed({file + ": " + buffer.getError().message()}, ExitUsage);
  Result<api::Module> module =
      api::Module::read({}, (*buffer)->getBuffer(), (*buffer)->getBufferIdentifier());
  if (!module)
    return failed(module.failure(), ExitInvalid);
  Result<api::Entry> entry = module->entry(names.front());
  for (const std::string &other : names.drop_front())
    if (!entry)
      entry = module->entry(other);
  if (!entry)
    return failed(entry.failure().at(file), ExitUsage);
  if (Result<void> passable = api::verifyPassable(entry->name(), entry->parameters()); !passable)
    return failed(passable.failure(), ExitInvalid);
  return *std::move(entry);
}

static Result<Arguments> argumentsFor(const api::Entry &entry,
                                      const std::vector<std::string> &specs) {
  std::vector<ParameterType> types;
  for (const api::Parameter &parameter : entry.parameters())
    types.push_back({parameter.isPointer, *parameter.format});
  Result<Arguments> arguments = bindArguments(types, specs);
  if (arguments && !arguments->outputs.empty())
    return Failure{"--arg: 'out=' and 'print' are not supported: arrays keep their values"};
  return arguments;
}

static int statusOf(api::Outcome outcome) {
  return outcome == api::Outcome::Succeeded    ? ExitSuccess
         : outcome == api::Outcome::Misbehaved ? ExitMisbehaved
                                               : ExitInvalid;
}

/// With the bound arguments, which live as long as the launch.
static Exploration exploreEntry(const api::Entry &entry, const ExploreOptions &options,
                                const api::ExploreOptions &forLibrary) {
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return failed(grid.failure(), ExitUsage);
  Result<Arguments> bound = argumentsFor(entry, options.arguments);
  if (!bound)
    return failed(bound.failure(), ExitUsage);
  Result<std::vector<api::Argument>> arguments = bound->forLibrary();
  if (!arguments)
    return failed(arguments.failure(), ExitUsage);
  Result<api::ExploredKernel> explored = api::exploreKernel(entry, *grid, *arguments, forLibrary);
  if (!explored)
    return failed(explored.failure(), ExitInvalid);
  return {"", statusOf(explored->outcome), *std::move(explored)};
}

Exploration tools::explore(const ExploreOptions &options, const std::atomic<bool> *cancelled) {
  api::ExploreOptions forLibrary;
  forLibrary.target = options.target.cpu;
  forLibrary.readsSources = options.sources;
  forLibrary.maxSteps = options.maxSteps;
  forLibrary.cancelled = cancelled;
  auto entry = readEntry(options.file, {options.entry});
  if (auto *failure = std::get_if<Exploration>(&entry))
    return std::move(*failure);
  if (options.compares()) {
    const std::string &file = options.otherFile.empty() ? options.file : options.otherFile;
    auto other = options.otherEntry.empty() ? readEntry(file, {options.entry, ""})
                                            : readEntry(file, {options.otherEntry});
    if (auto *failure = std::get_if<Exploration>(&other))
      return std::move(*failure);
    forLibrary.compare = std::get<api::Entry>(std::move(other));
  }
  return exploreEntry(std::get<api::Entry>(entry), options, forLibrary);
}
