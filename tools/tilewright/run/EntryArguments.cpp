// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EntryArguments.h.

#include "tools/tilewright/run/EntryArguments.h"
#include "Options.h"
#include "tilewright/api/ModuleState.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

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

Result<api::Entry> tools::readEntry(const std::string &file, llvm::ArrayRef<std::string> names,
                                    int &exitStatus) {
  exitStatus = ExitUsage;
  const auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/false,
                                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return Failure{file + ": " + buffer.getError().message()};
  Result<api::Module> module =
      api::Module::read({}, (*buffer)->getBuffer(), (*buffer)->getBufferIdentifier());
  if (!module) {
    exitStatus = ExitInvalid;
    return module.failure();
  }
  Result<api::Entry> entry = module->entry(names.front());
  for (const std::string &other : names.drop_front())
    if (!entry)
      entry = module->entry(other);
  if (!entry)
    return entry.failure();
  if (Result<void> passable = api::verifyPassable(entry->name(), entry->parameters()); !passable) {
    exitStatus = ExitInvalid;
    return passable.failure();
  }
  return *std::move(entry);
}

void tools::addLaunchFlags(Command command, LaunchFlags &flags) {
  addFile(command, flags.file, "the program; '-' is standard input");
  addName(command, "--entry", flags.entry, "NAME", "the entry, if the file has several");
  addText(command, "--grid", flags.grid, "X[,Y[,Z]]", "number of tile blocks along each dimension")
      .required();
  addTexts(command, "--arg", flags.arguments, "SPEC",
           "the next parameter, or an array, as for tilewright run")
      .isFile();
}

void tools::addGpu(Command command, nvidia::Target &target) {
  addParsed(
      command, "--target", target, [](llvm::StringRef text) { return nvidia::Target::named(text); },
      "sm_NN", "the GPU to compile for (default " + std::string(nvidia::defaultTarget) + ")")
      .completedBy({Values::Choice, gpuNames()});
}

Result<void> EntryArguments::load(const LaunchFlags &flags) {
  Result<api::Entry> found = readEntry(flags.file, {flags.entry}, exitStatus);
  if (!found)
    return found.failure();
  chosen = *std::move(found);
  Result<Arguments> bound = argumentsFor(*chosen, flags.arguments);
  if (!bound)
    return bound.failure();
  values = *std::move(bound);
  Result<std::vector<api::Argument>> converted = values.forLibrary();
  if (!converted)
    return converted.failure();
  forLibrary = *std::move(converted);
  return {};
}

int tools::statusOf(api::Outcome outcome) {
  return outcome == api::Outcome::Succeeded    ? ExitSuccess
         : outcome == api::Outcome::Misbehaved ? ExitMisbehaved
                                               : ExitInvalid;
}
