// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright explore`: what a kernel does, what it costs and what is wrong, by source line.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/api/explore/Explore.h"
#include "tilewright/api/explore/Page.h"
#include "tilewright/nvidia/Target.h"
#include "tools/tilewright/run/Arguments.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

namespace {
struct ExploreOptions {
  std::string file, entry, grid, json, html;
  std::vector<std::string> arguments;
  bool sources = false;
  nvidia::Target target = *nvidia::Target::named(nvidia::defaultTarget);
};
} // namespace

static int fail(const Failure &failure, int status) {
  llvm::errs() << (status == ExitUsage ? "tilewright explore: " : "") << failure.message << "\n";
  return status;
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

/// Writes the document, the page or both.
static int write(const ExploreOptions &options, const std::string &json) {
  if (!options.json.empty())
    if (const int written = finishWith(options.json, json); written != ExitSuccess)
      return written;
  return options.html.empty() ? ExitSuccess : finishWith(options.html, api::pageOf(json));
}

static int explore(const ExploreOptions &options) {
  if (options.json.empty() && options.html.empty())
    return fail({"expected --json, --html=FILE or both, but got neither"}, ExitUsage);
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return fail(grid.failure(), ExitUsage);
  const auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.file, /*IsText=*/false,
                                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail({options.file + ": " + buffer.getError().message()}, ExitUsage);
  Result<api::Module> module =
      api::Module::read({}, (*buffer)->getBuffer(), (*buffer)->getBufferIdentifier());
  if (!module)
    return fail(module.failure(), ExitInvalid);
  Result<api::Entry> entry = module->entry(options.entry);
  if (!entry)
    return fail(entry.failure(), ExitUsage);
  if (Result<void> passable = api::verifyPassable(entry->name(), entry->parameters()); !passable)
    return fail(passable.failure(), ExitInvalid);
  Result<Arguments> bound = argumentsFor(*entry, options.arguments);
  if (!bound)
    return fail(bound.failure(), ExitUsage);
  Result<std::vector<api::Argument>> arguments = bound->forLibrary();
  if (!arguments)
    return fail(arguments.failure(), ExitUsage);
  Result<api::ExploredKernel> explored =
      api::exploreKernel(*entry, *grid, *arguments, {options.target.cpu, options.sources});
  if (!explored)
    return fail(explored.failure(), ExitInvalid);
  const int written = write(options, explored->json);
  return written == ExitSuccess ? statusOf(explored->outcome) : written;
}

void tools::addExplore(Command program) {
  auto options = std::make_shared<ExploreOptions>();
  Command command = program.addCommand("explore", "Show costs and findings of a kernel by line");
  addFile(command, options->file, "the program; '-' is standard input");
  addName(command, "--entry", options->entry, "NAME", "the entry, if the file has several");
  addText(command, "--grid", options->grid, "X[,Y[,Z]]",
          "number of tile blocks along each dimension")
      .required();
  addTexts(command, "--arg", options->arguments, "SPEC",
           "the next parameter, or an array, as for tilewright run")
      .isFile();
  addParsed(
      command, "--target", options->target,
      [](llvm::StringRef text) { return nvidia::Target::named(text); }, "sm_NN",
      "the GPU to compile for (default " + std::string(nvidia::defaultTarget) + ")")
      .completedBy({Values::Choice, gpuNames()});
  command.addFileFlag("--json", options->json,
                      "write a JSON document to standard output; --json=FILE: to a file");
  addName(command, "--html", options->html, "FILE",
          "write a page that shows the document; '-' is standard output")
      .isFile();
  command.addFlag("--sources", options->sources,
                  "add the text of Python files that source locations name");
  command.setFooter("Runs the kernel on the reference machine and on the PTX machine.\n"
                    "Exit status: 0 success; 1 the program is invalid or its launch failed; 2 "
                    "wrong usage, or a\nfile that cannot be read or written; 3 the kernel "
                    "misbehaved on the reference machine.");
  command.onRun([options] { return explore(*options); });
}
