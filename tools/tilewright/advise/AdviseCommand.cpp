// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright advise`: which memory orders, scopes and tokens a launch needs, which can be weaker,
// and which are too weak.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/advise/Advise.h"
#include "tools/tilewright/Interrupt.h"
#include "tools/tilewright/run/EntryArguments.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Result;

namespace {
struct AdviseCommandOptions : LaunchFlags {
  bool json = false;
  api::AdviseOptions advise;
};
} // namespace

static int fail(const support::Failure &failure, int status) {
  llvm::errs() << (status == ExitUsage ? "tilewright advise: " : "") << failure.message << "\n";
  return status;
}

/// After Ctrl-C, prints what was found until then; a second one ends the program.
static int advise(const AdviseCommandOptions &options) {
  const Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return fail(grid.failure(), ExitUsage);
  EntryArguments given;
  if (Result<void> loaded = given.load(options); !loaded)
    return fail(loaded.failure(), given.status());
  api::AdviseOptions launched = options.advise;
  launched.cancelled = &Interrupt::requested;
  std::optional<Interrupt> interrupt(std::in_place);
  const Result<api::KernelAdvice> advice =
      api::adviseKernel(given.entry(), *grid, given.arguments(), launched);
  interrupt.reset();
  if (!advice)
    return fail(advice.failure(), ExitInvalid);
  const int written = finishWith("-", options.json ? api::toJson(*advice) : api::toString(*advice));
  if (written != ExitSuccess)
    return written;
  return !advice->errors.empty() ? ExitMisbehaved : advice->isCancelled ? ExitInvalid : ExitSuccess;
}

void tools::addAdvise(Command program) {
  auto options = std::make_shared<AdviseCommandOptions>();
  Command command = program.addCommand(
      "advise", "Find memory orders, scopes and tokens that can be weaker, or that are too weak");
  addLaunchFlags(command, *options);
  command.addFlag("--json", options->json, "print JSON");
  addInteger(command, "--exploration-runs", options->advise.explorationRuns, {1, 1'000'000'000},
             "N",
             "how often tile blocks may run while all executions of one form are explored "
             "(default 20000)");
  addInteger(command, "--random-schedules", options->advise.randomSchedules, {0, 1'000'000}, "N",
             "how many random schedules of each form to run if not all executions can be explored "
             "(default 32)");
  command.setFooter(
      "Tries each weaker form by itself, on the reference machine. What it says is about this\n"
      "launch, not about other grids and arguments.\n"
      "Ctrl-C prints what was found so far.\n"
      "Exit status: 0 the kernel is right as it is, as far as it was judged; 1 the program is\n"
      "invalid, the machine does not support it, or Ctrl-C; 2 wrong usage, or a file that cannot\n"
      "be read or written; 3 the kernel is too weak, or misbehaves in another way.");
  command.onRun([options] { return advise(*options); });
}
