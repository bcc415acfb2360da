// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright explore`: what a kernel does, what it costs and what is wrong, by source line.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/explore/Page.h"
#include "tools/tilewright/explore/Serve.h"

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct ExploreFlags : ExploreOptions {
  std::string json, html, serve;
  /// Of --serve; 0: any.
  uint16_t port = 0;
};
} // namespace

/// Writes the document, the page or both.
static int write(const ExploreFlags &flags, const std::string &json) {
  if (!flags.json.empty())
    if (const int written = finishWith(flags.json, json); written != ExitSuccess)
      return written;
  return flags.html.empty() ? ExitSuccess : finishWith(flags.html, api::pageOf(json));
}

static int exploreOnce(const ExploreFlags &flags) {
  if (flags.json.empty() && flags.html.empty()) {
    llvm::errs() << "tilewright explore: expected --json, --html=FILE or both, or --serve, but got "
                    "none of them\n";
    return ExitUsage;
  }
  const Exploration explored = explore(flags, nullptr);
  if (!explored.failure.empty()) {
    llvm::errs() << explored.failure << "\n";
    return explored.exitStatus;
  }
  const int written = write(flags, explored.kernel.json);
  return written == ExitSuccess ? explored.exitStatus : written;
}

/// Checks what depends on several options.
static void complete(Command command, ExploreFlags &flags) {
  if (flags.compares() && flags.file == "-" && (flags.otherFile.empty() || flags.otherFile == "-"))
    refuse("--compare", "expected a file, because standard input can be read only once");
  if (flags.serve.empty())
    return;
  for (const char *other : {"--json", "--html"})
    if (command.has(other))
      refuse("--serve", std::string("cannot be combined with ") + other);
  if (flags.file == "-" || flags.otherFile == "-")
    refuse("--serve", "expected a file that can change, but got '-'");
  const support::Result<uint64_t> port = parseInteger(flags.serve, {0, UINT16_MAX});
  if (!port)
    refuse("--serve", port.failure().message);
  flags.port = uint16_t(*port);
}

static void addComparison(Command command, ExploreFlags &flags) {
  addName(command, "--compare", flags.otherFile, "FILE",
          "another version of the kernel: compare results, findings and costs with it")
      .isFile();
  addName(command, "--compare-entry", flags.otherEntry, "NAME",
          "its entry, if it has another name or is in the same file");
}

static void addResults(Command command, ExploreFlags &flags) {
  command.addFileFlag("--json", flags.json,
                      "write a JSON document to standard output; --json=FILE: to a file");
  addName(command, "--html", flags.html, "FILE",
          "write a page that shows the document; '-' is standard output")
      .isFile();
  command.addValueFlag("--serve", flags.serve, "0", "PORT",
                       "show the page at http://127.0.0.1:PORT/ (default: any free port), and "
                       "explore again when a file changes; Ctrl-C stops");
}

void tools::addExplore(Command program) {
  auto flags = std::make_shared<ExploreFlags>();
  Command command = program.addCommand("explore", "Show costs and findings of a kernel by line");
  addLaunchFlags(command, *flags);
  addGpu(command, flags->target);
  addResults(command, *flags);
  addComparison(command, *flags);
  addInteger(command, "--max-steps", flags->maxSteps, {1, INT64_MAX}, "N",
             "maximum number of executed operations, and of executed PTX instructions (default "
             "1000000000)");
  command.addFlag("--sources", flags->sources,
                  "add the text of Python files that source locations name");
  command.setFooter("Runs the kernel on the reference machine and on the PTX machine.\n"
                    "Exit status: 0 success; 1 the program is invalid or its launch failed; 2 "
                    "wrong usage, or a\nfile that cannot be read or written; 3 the kernel "
                    "misbehaved on the reference machine.");
  command.onParsed([command, flags] { complete(command, *flags); });
  command.onRun(
      [flags] { return flags->serve.empty() ? exploreOnce(*flags) : serve(*flags, flags->port); });
}
