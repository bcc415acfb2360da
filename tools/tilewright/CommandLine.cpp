// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line: one subcommand per thing one does with a kernel.

#include "../Program.h"
#include "Commands.h"
#include "Options.h"

#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <sstream>

using namespace tilewright;
using namespace tilewright::tools;

/// What is wrong with the command line, where CLI11 says it in words of its own.
static std::string explained(const CLI::App &app, const CLI::Error &error) {
  llvm::StringRef message = error.what();
  llvm::StringRef option = message.take_until([](char c) { return c == ':' || c == ' '; });
  if (error.get_name() == "RequiredError" && !app.remaining().empty())
    return expected("a command (see --help)", app.remaining().front()).message;
  if (error.get_name() == "ArgumentMismatch" && message.ends_with(" missing"))
    return option.str() + ": expected a value, but got none";
  if (error.get_name() == "ArgumentMismatch" &&
      message.ends_with("was given a disallowed flag override"))
    // This message has the name without its dashes.
    return (option.size() == 1 ? "-" : "--") + option.str() + ": expected no value, but got one";
  return message.str();
}

/// Help and version, which CLI11 has as errors with status 0, or what is wrong.
static int report(CLI::App &app, const CLI::ParseError &error) {
  app.failure_message([](const CLI::App *app, const CLI::Error &error) {
    return explained(*app, error) + "\nRun with --help for more information.\n";
  });
  std::ostringstream out, err;
  int status = app.exit(error, out, err);
  llvm::outs() << out.str();
  llvm::errs() << err.str();
  return status == 0 ? ExitSuccess : ExitUsage;
}

static int runCommand(int argc, const char *const *argv) {
  CLI::App app("Tilewright: check, print, convert, run, compile and draw Tile IR", "tilewright");
  app.require_subcommand(1);
  app.set_version_flag("--version", versionLine());
  app.footer(
      "Programs are text or bytecode; the first bytes tell which. A file named '-' is standard "
      "input.\n"
      "Exit status: 0 success; 1 the program is invalid or its launch failed;\n"
      "2 wrong usage, a file that cannot be read or written, or no memory left;\n"
      "3 the kernel misbehaved.");
  int exitStatus = ExitSuccess;
  const Command program(app, exitStatus);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return report(app, error);
  }
  return exitStatus;
}

int tools::runCommandLine(int argc, const char *const *argv) {
  return runProgram("tilewright", [&] { return runCommand(argc, argv); });
}
