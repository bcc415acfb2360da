// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Module.h. Each module has its own Loader, and so its own MLIR context: a context never frees
// the types and attributes of a module, and a process may read many modules.

#include "tilewright/api/Module.h"
#include "tilewright/analysis/WrittenParameters.h"
#include "tilewright/api/Assemble.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/api/Print.h"
#include "tilewright/api/Records.h"
#include "tilewright/bytecode/Writer.h"
#include "tilewright/tile/Strict.h"
#include "tilewright/tile/table/Versions.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using support::Failure;
using support::Result;

//===-- State -------------------------------------------------------------------------------===//

bool ModuleState::accept(mlir::OwningOpRef<mlir::ModuleOp> loaded) {
  file = std::move(loaded);
  if (!file)
    return false;
  module = theModule(loader, *file);
  name = loader.name().str();
  fileVersion = loader.version();
  return bool(module);
}

Failure ModuleState::takeFailure(Diagnostics *all) {
  Failure failure{StringRef(text).rtrim('\n').str()};
  if (all)
    *all = {std::move(records), std::move(text)};
  records.clear();
  text.clear();
  return failure;
}

tile::EntryOp ModuleState::find(StringRef entryName) {
  for (auto entry : module.getBody().getOps<tile::EntryOp>())
    if (entry.getSymName() == entryName)
      return entry;
  return nullptr;
}

//===-- Reading -----------------------------------------------------------------------------===//

static LoadOptions loadOptionsOf(const Context &context) {
  LoadOptions options;
  options.strict = context.strict;
  return options;
}

Result<Module> Module::read(const Context &context, std::string_view bytes, std::string_view name,
                            Diagnostics *diagnostics) {
  auto state = std::make_shared<ModuleState>(context, loadOptionsOf(context));
  const bool isValid = state->accept(state->loader.loadMemory(bytes, name));
  Failure failure = state->takeFailure(diagnostics);
  if (!isValid)
    return failure;
  return Module(std::move(state));
}

Result<Module> Module::readFile(const Context &context, const std::string &path,
                                Diagnostics *diagnostics) {
  auto state = std::make_shared<ModuleState>(context, loadOptionsOf(context));
  const bool isValid = state->accept(state->loader.load(path));
  Failure failure = state->takeFailure(diagnostics);
  if (diagnostics && state->loader.status() == LoadStatus::Unreadable)
    *diagnostics = {};
  if (!isValid)
    return failure;
  return Module(std::move(state));
}

const std::string &Module::name() const { return state->name; }

std::optional<tile::Version> Module::fileVersion() const { return state->fileVersion; }

tile::Version Module::lowestVersion() const {
  std::lock_guard lock(state->mutex);
  return bytecode::lowestVersion(state->module);
}

//===-- Entries -----------------------------------------------------------------------------===//

std::vector<Parameter> api::parametersOf(tile::EntryOp entry) {
  std::vector<Parameter> parameters;
  const llvm::BitVector written = analysis::writtenParameters(entry);
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tileType = llvm::dyn_cast<tile::TileType>(type);
    mlir::Type element = tileType ? tileType.getElementType() : mlir::Type();
    auto pointer = llvm::dyn_cast_if_present<tile::PointerType>(element);
    Parameter parameter{bool(pointer), std::nullopt, "", pointer && written.test(index)};
    if (element)
      parameter.format = tile::formatOf(pointer ? pointer.getPointeeType() : element);
    if (parameter.format == numerics::Format::I4)
      parameter.format = std::nullopt; // has no form in memory
    llvm::raw_string_ostream(parameter.type) << type;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

Result<void> api::verifyPassable(StringRef entry, llvm::ArrayRef<Parameter> parameters) {
  for (auto [index, parameter] : llvm::enumerate(parameters))
    if (!parameter.format)
      return Failure{"entry @" + entry.str() + ": parameter " + std::to_string(index + 1) +
                     " has type " + parameter.type + ", which cannot be passed"};
  return {};
}

std::vector<Entry> Module::entries() const {
  std::lock_guard lock(state->mutex);
  std::vector<Entry> entries;
  for (auto entry : state->module.getBody().getOps<tile::EntryOp>())
    entries.push_back(Entry(state, entry.getSymName().str(), parametersOf(entry),
                            placeOf(entry.getLoc(), state->name)));
  return entries;
}

Result<Entry> Module::entry(std::string_view name) const {
  StringRef wanted = StringRef(name);
  wanted.consume_front("@");
  std::vector<Entry> all = entries();
  std::string names;
  for (const Entry &entry : all) {
    if (entry.name() == wanted || (wanted.empty() && all.size() == 1))
      return entry;
    names += (names.empty() ? "@" : ", @") + entry.name();
  }
  if (all.empty())
    return Failure{state->name + ": there is no entry"};
  if (wanted.empty())
    return Failure{state->name + ": there are several entries: " + names};
  return Failure{state->name + ": there is no entry '" + wanted.str() + "'; there is " + names};
}

//===-- Checking and writing ----------------------------------------------------------------===//

Result<void> Module::verify(const VerifyOptions &options, Diagnostics *diagnostics) const {
  std::lock_guard lock(state->mutex);
  const auto keepsRules = [&](mlir::ModuleOp file) -> llvm::LogicalResult {
    if (options.strict && failed(tile::verifyStrictly(file)))
      return llvm::failure();
    return options.version ? tile::verifyFits(file, *options.version) : llvm::success();
  };
  const bool isValid = succeeded(state->loader.examine(*state->file, keepsRules));
  Failure failure = state->takeFailure(diagnostics);
  return isValid ? Result<void>() : failure;
}

std::string Module::text(TextForm form) const {
  std::lock_guard lock(state->mutex);
  return toText(*state->file, form);
}

Result<std::string> Module::bytecode(std::optional<tile::Version> version,
                                     Diagnostics *diagnostics) const {
  std::lock_guard lock(state->mutex);
  llvm::SmallString<0> bytes;
  const bool isWritten = succeeded(assemble(state->loader, *state->file, version, bytes));
  Failure failure = state->takeFailure(diagnostics);
  if (!isWritten)
    return failure;
  return bytes.str().str();
}
