// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Run.h.

#include "tools/tilewright/run/Run.h"
#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/ModuleState.h"
#include "tools/tilewright/WriteReports.h"
#include "tools/tilewright/run/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

//===-- Selecting the entry -----------------------------------------------------------------===//

/// All entries of the file, in file order.
static std::vector<tile::EntryOp> entriesOf(mlir::ModuleOp file) {
  std::vector<tile::EntryOp> entries;
  for (auto module : file.getOps<tile::ModuleOp>())
    for (auto entry : module.getBody().getOps<tile::EntryOp>())
      entries.push_back(entry);
  return entries;
}

/// `@entry`, or `@module::@entry` if `withModule`.
static std::string textOf(tile::EntryOp entry, bool withModule) {
  std::string text;
  auto name = mlir::FlatSymbolRefAttr::get(entry.getSymNameAttr());
  auto module = entry->getParentOfType<tile::ModuleOp>();
  llvm::raw_string_ostream stream(text);
  if (withModule)
    stream << mlir::SymbolRefAttr::get(module.getSymNameAttr(), {name});
  else
    stream << name;
  return text;
}

static bool areInSeveralModules(llvm::ArrayRef<tile::EntryOp> entries) {
  const auto moduleOf = [](tile::EntryOp entry) { return entry->getParentOp(); };
  return !llvm::all_equal(llvm::map_range(entries, moduleOf));
}

/// The names of the entries; only the first ones if there are many.
static std::string listOf(llvm::ArrayRef<tile::EntryOp> entries, bool withModule) {
  constexpr size_t mostNames = 16;
  std::string names;
  for (tile::EntryOp entry : entries.take_front(mostNames))
    names += (names.empty() ? "" : ", ") + textOf(entry, withModule);
  if (entries.size() > mostNames)
    names += " and " + std::to_string(entries.size() - mostNames) + " more";
  return names;
}

/// Whether the entry has this name, which may include its module and `@` signs.
static bool isNamed(tile::EntryOp entry, llvm::StringRef name) {
  llvm::StringRef entryName = entry.getSymName();
  return name == entryName ||
         name == (entry->getParentOfType<tile::ModuleOp>().getSymName() + "::" + entryName).str() ||
         name == textOf(entry, /*withModule=*/false) || name == textOf(entry, /*withModule=*/true);
}

/// Finds the entry named `name`; an empty name selects the only entry. `flag` is the option with
/// the name.
static Result<tile::EntryOp> pickEntry(mlir::ModuleOp file, const RunOptions &options,
                                       const std::string &name, const std::string &flag) {
  std::vector<tile::EntryOp> entries = entriesOf(file);
  if (entries.empty())
    return Failure{"there is no entry to run"}.at(options.file);
  std::vector<tile::EntryOp> matching;
  for (tile::EntryOp entry : entries)
    if (name.empty() || isNamed(entry, name))
      matching.push_back(entry);
  if (matching.size() == 1)
    return matching.front();
  // Each listed name must identify one entry of the file.
  const bool withModule = areInSeveralModules(entries);
  std::string problem;
  if (matching.empty())
    problem = "there is no entry '" + name + "'; there is ";
  else if (name.empty())
    problem = flag + " must say which entry to run: ";
  else
    problem = "several entries are named '" + name + "'; " + flag + " must say which one to run: ";
  return Failure{problem + listOf(matching.empty() ? entries : matching, withModule)}.at(
      options.file);
}

//===-- Parameters --------------------------------------------------------------------------===//

/// The parameter types for binding arguments. Fails if a parameter cannot be passed.
static Result<std::vector<ParameterType>> parametersOf(tile::EntryOp entry) {
  const std::vector<api::Parameter> parameters = api::parametersOf(entry);
  if (Result<void> passable = api::verifyPassable(entry.getSymName(), parameters); !passable)
    return passable.failure();
  std::vector<ParameterType> types;
  for (const api::Parameter &parameter : parameters)
    types.push_back({parameter.isPointer, *parameter.format});
  return types;
}

/// Finds the entry of the dependent launch, and verifies that it can run after `entry`: on the same
/// arguments and global variables.
static Result<tile::EntryOp> pickDependent(mlir::ModuleOp file, tile::EntryOp entry,
                                           const RunOptions &options) {
  const bool isWatched = options.watch.any() || !options.reports.empty();
  if (isWatched || options.launch.schedule == reference::Schedule::Exhaustive)
    return Failure{"--dependent: reports, traces, breaks, coverage and --schedule exhaustive "
                   "support a single launch only"};
  if (options.device == Device::Cpu)
    if (Result<void> verified = api::verifyForDependents(entry->getParentOfType<tile::ModuleOp>());
        !verified)
      return verified.failure().at("--dependent");
  Result<tile::EntryOp> dependent = pickEntry(file, options, options.dependent, "--dependent");
  if (!dependent)
    return dependent;
  const std::string name = textOf(*dependent, /*withModule=*/false),
                    first = textOf(entry, /*withModule=*/false);
  if ((*dependent)->getParentOp() != entry->getParentOp())
    return Failure{"--dependent: " + name + " must be in the module of " + first};
  if (dependent->getArgumentTypes() != entry.getArgumentTypes())
    return Failure{"--dependent: " + name + " must have the parameters of " + first +
                   ", on whose arguments it runs"};
  return dependent;
}

//===-- Outputs -----------------------------------------------------------------------------===//

static std::vector<NamedOutput> allOutputs(const RunOptions &options, const Arguments &arguments) {
  std::vector<NamedOutput> outputs = outputsOf(options.reports);
  outputs.push_back({"--trace", options.watch.trace});
  outputs.push_back({"--coverage", options.watch.coverage});
  outputs.push_back({"--counters", options.ptx.watch.counters});
  for (NamedOutput &output : outputsOf(arguments))
    outputs.push_back(std::move(output));
  return outputs;
}

//===-- The run -----------------------------------------------------------------------------===//

static RunStatus failed(llvm::raw_ostream &err, const Failure &failure) {
  err << failure.message << "\n";
  return RunStatus::Failed;
}

static RunStatus unusable(llvm::raw_ostream &err, const Failure &failure) {
  err << "tilewright run: " << failure.message << "\n";
  return RunStatus::Unusable;
}

static RunStatus runOn(Device device, const PreparedRun &run) {
  switch (device) {
  case Device::Reference:
    return runOnReference(run);
  case Device::Cpu:
    return runCompiled(run);
  case Device::Ptx:
    return runOnPtx(run);
  case Device::Gpu:
    return runOnGpu(run);
  }
  llvm_unreachable("devices are listed above");
}

RunStatus tools::run(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return unusable(err, grid.failure());
  api::LoadOptions load = options.load;
  // Findings of the reference machine contain byte offsets in bytecode. Recording them takes time,
  // and compiled code cannot report them.
  load.markPlaces = options.device == Device::Reference;
  api::Loader loader(load, err);
  mlir::OwningOpRef<mlir::ModuleOp> file = loader.load(options.file);
  if (!file)
    return loader.status() == api::LoadStatus::Unreadable ? RunStatus::Unusable : RunStatus::Failed;
  Result<tile::EntryOp> entry = pickEntry(*file, options, options.entry, "--entry");
  if (!entry)
    return unusable(err, entry.failure());
  tile::EntryOp dependent;
  if (!options.dependent.empty()) {
    Result<tile::EntryOp> picked = pickDependent(*file, *entry, options);
    if (!picked)
      return unusable(err, picked.failure());
    dependent = *picked;
  }
  Result<std::vector<ParameterType>> parameters = parametersOf(*entry);
  if (!parameters)
    return failed(err, parameters.failure());
  Result<Arguments> arguments = bindArguments(*parameters, options.arguments);
  if (!arguments)
    return unusable(err, arguments.failure());
  if (Result<void> distinct = verifyDistinct(allOutputs(options, *arguments)); !distinct)
    return unusable(err, distinct.failure());

  const llvm::StringRef text = loader.isBytecode() ? "" : loader.bytes();
  PreparedRun run{*entry, *grid, *arguments, options, loader.name(), text, out, err, dependent};
  RunStatus status = runOn(options.device, run);
  if (Result<void> printed = flush(out, "-"); !printed)
    return unusable(err, printed.failure());
  return status;
}
