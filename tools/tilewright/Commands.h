// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands of `tilewright`, a file each. Each adds itself to the command line and,
// when chosen, runs and sets the exit status.

#ifndef TILEWRIGHT_TOOLS_COMMANDS_H
#define TILEWRIGHT_TOOLS_COMMANDS_H

namespace CLI {
class App;
} // namespace CLI

namespace tilewright::tools {

/// Exit statuses that all subcommands share.
enum Exit {
  ExitSuccess = 0,
  ExitInvalid = 1, ///< The program is invalid, or a launch failed.
  ExitUsage = 2,   ///< The command line is wrong, or a file cannot be read or written.
};

/// The program: executes a command line, whose first argument is the program's name, and
/// returns its exit status.
int runCommandLine(int argc, const char *const *argv);

void addCheck(CLI::App &app, int &exitStatus);
void addPrint(CLI::App &app, int &exitStatus);
void addAs(CLI::App &app, int &exitStatus);
void addDis(CLI::App &app, int &exitStatus);
void addCompile(CLI::App &app, int &exitStatus);
void addDistribute(CLI::App &app, int &exitStatus);
void addDraw(CLI::App &app, int &exitStatus);
void addInfo(CLI::App &app, int &exitStatus);
void addRun(CLI::App &app, int &exitStatus);
void addSimt(CLI::App &app, int &exitStatus);
void addPtx(CLI::App &app, int &exitStatus);
void addOps(CLI::App &app, int &exitStatus);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMMANDS_H
