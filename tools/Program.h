// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do all programs of this folder guarantee to their caller? A correct exit status: 0 only if
// all output has been written, 2 and one line on standard error if it has not, or if memory ran
// out. And no temporary files after a signal has ended the program.
//
// Memory that runs out is seen where C++ or LLVM allocates. MLIR also calls malloc without looking
// at what it returns, as when it makes an operation: there the program crashes.

#ifndef TILEWRIGHT_TOOLS_PROGRAM_H
#define TILEWRIGHT_TOOLS_PROGRAM_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace tilewright::tools {

/// Runs `body`, which returns the exit status, as the program `name`.
int runProgram(const char *name, llvm::function_ref<int()> body);

/// What --version prints of the program that runs; where LLVM parses the options, it prints this.
std::string versionLine();

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PROGRAM_H
