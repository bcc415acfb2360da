// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Run.h.

#include "tilewright/driver/Run.h"
#include "tilewright/driver/Arguments.h"
#include "tilewright/driver/WriteFile.h"
#include "tilewright/reference/Exhaustive.h"

using namespace tilewright;
using namespace tilewright::driver;
using llvm::StringRef;
using reference::FindingKind;
using support::Failure;
using support::Result;

//===-- Which entry -------------------------------------------------------------------------===//

/// All entries of the file, in the order of the text.
static std::vector<tile::EntryOp> entriesOf(mlir::ModuleOp file) {
  std::vector<tile::EntryOp> entries;
  for (auto module : file.getOps<tile::ModuleOp>())
    for (auto entry : module.getBody().getOps<tile::EntryOp>())
      entries.push_back(entry);
  return entries;
}

static Result<tile::EntryOp> pickEntry(mlir::ModuleOp file, const RunOptions &options) {
  std::vector<tile::EntryOp> entries = entriesOf(file);
  if (entries.empty())
    return Failure{"there is no entry to run"}.at(options.file);
  std::string names;
  std::vector<tile::EntryOp> matching;
  for (tile::EntryOp entry : entries) {
    names += (names.empty() ? "@" : ", @") + entry.getSymName().str();
    if (options.entry.empty() || entry.getSymName() == options.entry)
      matching.push_back(entry);
  }
  if (matching.size() == 1)
    return matching.front();
  if (matching.empty())
    return Failure{"there is no entry @" + options.entry + "; there is " + names}.at(options.file);
  if (options.entry.empty())
    return Failure{"--entry must say which entry to run: " + names}.at(options.file);
  return Failure{"several modules have an entry @" + options.entry}.at(options.file);
}

//===-- What it is given --------------------------------------------------------------------===//

/// The signature as arguments see it. Parameters are scalars of numbers or pointers; the
/// verifier lets other types pass (operations, 3.2).
static Result<std::vector<ParameterType>> parametersOf(tile::EntryOp entry) {
  std::vector<ParameterType> parameters;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tileType = llvm::dyn_cast<tile::TileType>(type);
    mlir::Type element = tileType ? tileType.getElementType() : mlir::Type();
    auto pointer = llvm::dyn_cast_if_present<tile::PointerType>(element);
    std::optional<numerics::Format> format;
    if (element)
      format = tile::formatOf(pointer ? pointer.getPointeeType() : element);
    if (!format || *format == numerics::Format::I4) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return Failure{"entry @" + entry.getSymName().str() +
                     ": nothing can be passed for parameter " + std::to_string(index + 1) +
                     " of type " + text};
    }
    parameters.push_back({bool(pointer), *format});
  }
  return parameters;
}

/// `parameter 2 (4x8xf32)`, as messages call an array. Users count from 1.
static std::string nameOf(size_t parameter, const TypedArray &array) {
  std::string text = "parameter " + std::to_string(parameter + 1) + " (";
  for (int64_t extent : array.shape())
    text += std::to_string(extent) + "x";
  return text + numerics::info(array.format()).spelling + ")";
}

/// The bits of every parameter; arrays become known to the machine once each.
static std::vector<numerics::Element> bind(reference::Machine &machine, Arguments &arguments) {
  std::vector<std::optional<uint64_t>> addresses(arguments.arrays.size());
  std::vector<numerics::Element> elements;
  for (auto [index, value] : llvm::enumerate(arguments.values)) {
    if (!value.array) {
      elements.push_back(value.scalar);
      continue;
    }
    TypedArray &array = arguments.arrays[*value.array];
    std::optional<uint64_t> &address = addresses[*value.array];
    if (!address)
      address = machine.bindArray(nameOf(index, array), array.format(), array.storage().bytes(),
                                  array.isInitialised());
    elements.push_back(numerics::Element::fromBits(numerics::Format::Pointer, *address));
  }
  return elements;
}

//===-- The run -----------------------------------------------------------------------------===//

static RunStatus unusable(llvm::raw_ostream &err, const Failure &failure) {
  err << "tilewright run: " << failure.message << "\n";
  return RunStatus::Unusable;
}

static RunStatus statusOf(const reference::LaunchResult &result) {
  if (result.succeeded())
    return RunStatus::Succeeded;
  return result.has(FindingKind::Misbehaviour) ? RunStatus::Misbehaved : RunStatus::Failed;
}

/// Writes the reports that were asked for. Findings go to `err` as text, unless another form
/// was asked for there.
static Result<void> writeReports(const Report &report, llvm::ArrayRef<ReportRequest> requests,
                                 llvm::raw_ostream &err) {
  ReportFormat onErr = ReportFormat::Text;
  for (const ReportRequest &request : requests)
    if (request.file.empty())
      onErr = request.format;
  err << report.toString(onErr);
  for (const ReportRequest &request : requests) {
    if (request.file.empty())
      continue;
    Result<void> written = writeFile(request.file, report.toString(request.format));
    if (!written)
      return written;
  }
  return {};
}

namespace {
/// A run whose options have been understood.
struct Run {
  tile::EntryOp entry;
  const runtime::Grid &grid;
  Arguments &arguments;
  const RunOptions &options;
  StringRef file;
  llvm::raw_ostream &out, &err;

  RunStatus launch();
  RunStatus explore();

private:
  RunStatus failed(const Failure &failure) const {
    err << failure.message << "\n";
    return RunStatus::Failed;
  }
  Result<void> report(const reference::LaunchResult &result, RunStatus status,
                      const reference::ExhaustiveResult *exhaustive = nullptr) const {
    StringRef kernel = tile::EntryOp(entry).getSymName();
    return writeReports({file, kernel, grid, options.launch, result, int(status), exhaustive},
                        options.reports, err);
  }
};
} // namespace

/// One execution, as the schedule says, and its outputs.
RunStatus Run::launch() {
  Result<std::unique_ptr<Watch>> watch = Watch::create(entry, grid, options.watch, file, err);
  if (!watch)
    return unusable(err, watch.failure());
  Result<reference::Machine> machine =
      reference::Machine::load(entry->getParentOfType<tile::ModuleOp>());
  if (!machine)
    return failed(machine.failure());
  reference::LaunchOptions launchOptions = options.launch;
  launchOptions.output = &out;
  launchOptions.observer = (*watch)->observer();
  Result<reference::LaunchResult> result =
      machine->launch(entry, grid, bind(*machine, arguments), launchOptions);
  if (!result)
    return failed(result.failure());

  Result<void> watched = (*watch)->finish();
  RunStatus status = statusOf(*result);
  if (Result<void> reported = report(*result, status); !reported)
    return unusable(err, reported.failure());
  if (!watched)
    return unusable(err, watched.failure());
  // What a launch that was ended early has left behind is not its result.
  if (status != RunStatus::Succeeded || result->wasEnded)
    return status;
  if (Result<void> written = writeOutputs(arguments, out); !written)
    return unusable(err, written.failure());
  return RunStatus::Succeeded;
}

/// All executions, and their outcomes.
RunStatus Run::explore() {
  if (options.watch.any())
    return unusable(err, {"--schedule exhaustive executes blocks many times and in no order: there "
                          "is nothing to trace, to break at or to cover"});
  if (!arguments.outputs.empty())
    return unusable(err, {"--schedule exhaustive has no one result to write or print; it tells "
                          "all outcomes"});
  Result<reference::Machine> machine =
      reference::Machine::load(entry->getParentOfType<tile::ModuleOp>());
  if (!machine)
    return failed(machine.failure());
  Result<reference::ExhaustiveResult> result =
      machine->explore(entry, grid, bind(*machine, arguments), options.launch);
  if (!result)
    return failed(result.failure());

  print(*result, out);
  reference::LaunchResult found{result->findings};
  RunStatus status = statusOf(found);
  if (status == RunStatus::Succeeded && result->limit)
    status = RunStatus::Failed;
  if (Result<void> reported = report(found, status, &*result); !reported)
    return unusable(err, reported.failure());
  return status;
}

RunStatus driver::run(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return unusable(err, grid.failure());
  LoadOptions load = options.load;
  load.markPlaces = true;
  Loader loader(load, err);
  mlir::OwningOpRef<mlir::ModuleOp> file = loader.load(options.file);
  if (!file)
    return loader.status() == LoadStatus::Unreadable ? RunStatus::Unusable : RunStatus::Failed;
  Result<tile::EntryOp> entry = pickEntry(*file, options);
  if (!entry)
    return unusable(err, entry.failure());
  Result<std::vector<ParameterType>> parameters = parametersOf(*entry);
  if (!parameters)
    return unusable(err, parameters.failure());
  Result<Arguments> arguments = bindArguments(*parameters, options.arguments);
  if (!arguments)
    return unusable(err, arguments.failure());

  Run run{*entry, *grid, *arguments, options, loader.name(), out, err};
  return options.launch.schedule == reference::Schedule::Exhaustive ? run.explore() : run.launch();
}
