// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all programs of this folder guarantee to their caller: a correct exit status, which is 0
// only if all output was written, and 2, with one line on standard error, if it was not or memory
// was exhausted; and that no temporary files are left after a signal has ended the program.
//
// Failed allocations are detected in C++ and LLVM. MLIR also calls malloc without checking the
// result, for instance to create operations: there the program crashes.

#ifndef TILEWRIGHT_TOOLS_PROGRAM_H
#define TILEWRIGHT_TOOLS_PROGRAM_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace tilewright::tools {

/// Runs `body`, which returns the exit status, as the program `name`.
int runProgram(const char *name, llvm::function_ref<int()> body);

/// The line that --version prints for this program; where LLVM parses the options, it prints this.
std::string versionLine();

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PROGRAM_H
