// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line: one subcommand per thing one does with a kernel.

#include "../Program.h"
#include "Commands.h"

#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <sstream>

using namespace tilewright;
using namespace tilewright::tools;

/// Help and version, which CLI11 has as errors with status 0, or what is wrong.
static int report(const CLI::App &app, const CLI::ParseError &error) {
  std::ostringstream out, err;
  int status = app.exit(error, out, err);
  llvm::outs() << out.str();
  llvm::errs() << err.str();
  return status == 0 ? ExitSuccess : ExitUsage;
}

static int runCommand(int argc, const char *const *argv) {
  CLI::App app("Tilewright: check, print, convert, run, compile and draw Tile IR", "tilewright");
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       "tilewright " TILEWRIGHT_VERSION " (Tile IR 13.1 to 13.3, LLVM 22)");
  app.footer(
      "Programs are text or bytecode; the first bytes tell which. A file named '-' is standard "
      "input.\n"
      "Exit status: 0 success; 1 the program is invalid or its launch failed;\n"
      "2 wrong usage, or a file that cannot be read or written; 3 the kernel misbehaved.");
  int exitStatus = ExitSuccess;
  addCheck(app, exitStatus);
  addPrint(app, exitStatus);
  addAs(app, exitStatus);
  addDis(app, exitStatus);
  addInfo(app, exitStatus);
  addRun(app, exitStatus);
  addCompile(app, exitStatus);
  addOps(app, exitStatus);
  addDistribute(app, exitStatus);
  addDraw(app, exitStatus);
  addSimt(app, exitStatus);
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
