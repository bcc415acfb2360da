// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Run.h.

#include "tilewright/driver/Run.h"
#include "tilewright/driver/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::driver;
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

//===-- The run -----------------------------------------------------------------------------===//

static RunStatus failed(llvm::raw_ostream &err, const Failure &failure) {
  err << failure.message << "\n";
  return RunStatus::Failed;
}

static RunStatus unusable(llvm::raw_ostream &err, const Failure &failure) {
  err << "tilewright run: " << failure.message << "\n";
  return RunStatus::Unusable;
}

RunStatus driver::run(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return unusable(err, grid.failure());
  LoadOptions load = options.load;
  // Findings of the reference machine tell the places of bytecode; compiled code has no room
  // for them, and finding them takes time.
  load.markPlaces = options.device == Device::Reference;
  Loader loader(load, err);
  mlir::OwningOpRef<mlir::ModuleOp> file = loader.load(options.file);
  if (!file)
    return loader.status() == LoadStatus::Unreadable ? RunStatus::Unusable : RunStatus::Failed;
  Result<tile::EntryOp> entry = pickEntry(*file, options);
  if (!entry)
    return unusable(err, entry.failure());
  Result<std::vector<ParameterType>> parameters = parametersOf(*entry);
  if (!parameters)
    return failed(err, parameters.failure());
  Result<Arguments> arguments = bindArguments(*parameters, options.arguments);
  if (!arguments)
    return unusable(err, arguments.failure());

  PreparedRun run{*entry, *grid, *arguments, options, loader.name(), out, err};
  RunStatus status = options.device == Device::Cpu ? runCompiled(run) : runOnReference(run);
  if (Result<void> printed = flush(out, "-"); !printed)
    return unusable(err, printed.failure());
  return status;
}
