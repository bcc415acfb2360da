// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the subcommands of `tilewright` and their exit statuses. Each subcommand is one file,
// with a function that adds it to the program.

#ifndef TILEWRIGHT_TOOLS_COMMANDS_H
#define TILEWRIGHT_TOOLS_COMMANDS_H

#include <string>
#include <vector>

namespace tilewright::tools {

class Command;

/// Exit statuses that all subcommands share.
enum Exit {
  ExitSuccess = 0,
  ExitInvalid = 1,    ///< The program is invalid, or a launch failed.
  ExitUsage = 2,      ///< The command line is wrong, or a file cannot be read or written.
  ExitMisbehaved = 3, ///< The program had undefined behaviour.
  ExitHigher = 3,     ///< A cost is higher than before.
};

/// Executes a command line, whose first word is the program's name, and returns the exit status.
int runCommandLine(int argc, const char *const *argv);

/// Values for shell completion: the checks of the reference machine, mnemonics, GPUs.
std::vector<std::string> checkNames();
std::vector<std::string> operationNames();
std::vector<std::string> gpuNames();

void addCheck(Command program);
void addPrint(Command program);
void addAs(Command program);
void addDis(Command program);
void addCompile(Command program);
void addDistribute(Command program);
void addDraw(Command program);
void addInfo(Command program);
void addRun(Command program);
void addSimt(Command program);
void addPtx(Command program);
void addOps(Command program);
void addExec(Command program);
void addExplore(Command program);
void addDiff(Command program);
void addEstimate(Command program);
void addProve(Command program);
void addAdvise(Command program);
void addCompletion(Command program);
void addHelp(Command program);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMMANDS_H
