// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the command line of `tilewright` and runs the subcommand. addCommands lists all
// subcommands.

#include "../Program.h"
#include "Command.h"
#include "Commands.h"
#include "UsageErrors.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <CLI/CLI.hpp>

using namespace tilewright;
using namespace tilewright::tools;

/// The command that was being parsed when the error occurred, or the program.
static const CLI::App &commandOf(const CLI::App &app) {
  const std::vector<CLI::App *> commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

/// Prints the error, or the help or version text, which CLI11 also reports as errors. Returns the
/// exit status.
static int report(const CLI::ParseError &error, const CLI::App &app, const ProgramState &state,
                  llvm::ArrayRef<llvm::StringRef> words) {
  const CLI::App &command = commandOf(app);
  const std::string name =
      &command == &app ? app.get_name() : app.get_name() + " " + command.get_name();
  if (error.get_name() == "CallForVersion") {
    llvm::outs() << error.what() << "\n";
    return ExitSuccess;
  }
  if (error.get_name() == "CallForHelp") {
    llvm::outs() << helpPage(tableOf(command, state), name);
    return ExitSuccess;
  }
  llvm::errs() << name << ": " << explained(error, app, command, state, words) << "\nSee '" << name
               << " --help'.\n";
  return ExitUsage;
}

/// The output of --version.
static std::string versionText() {
  std::string text =
      versionLine() + "\ntargets: cpu (this one: " + llvm::sys::getHostCPUName().str() + ")";
  for (const std::string &name : gpuNames())
    text += ", " + name;
  return text;
}

static void addCommands(Command program) {
  addCheck(program);
  addPrint(program);
  addAs(program);
  addDis(program);
  addInfo(program);
  addRun(program);
  addCompile(program);
  addOps(program);
  addDistribute(program);
  addDraw(program);
  addSimt(program);
  addPtx(program);
  addExec(program);
  addExplore(program);
  addEstimate(program);
  addDiff(program);
  addProve(program);
  addAdvise(program);
  addCompletion(program);
  addHelp(program);
}

static int runCommand(int argc, const char *const *argv) {
  CLI::App app("Check, print, convert, run, compile and draw Tile IR", "tilewright");
  app.set_help_flag("-h,--help", "print this page");
  app.require_subcommand(1);
  app.set_version_flag("--version", versionText,
                       "print the versions of Tilewright and LLVM, and the targets");
  app.footer(
      "Programs are text or bytecode, detected by the first bytes. A file named '-' is standard "
      "input.\n"
      "Exit status: 0 success; 1 the program is invalid or its launch failed;\n"
      "2 wrong usage, a file that cannot be read or written, or no memory left;\n"
      "3 the kernel misbehaved.");
  ProgramState state;
  addCommands(Command(app, state));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    const llvm::SmallVector<llvm::StringRef> words(argv, argv + argc);
    return report(error, app, state, words);
  }
  return state.exitStatus;
}

int tools::runCommandLine(int argc, const char *const *argv) {
  return runProgram("tilewright", [&] { return runCommand(argc, argv); });
}
