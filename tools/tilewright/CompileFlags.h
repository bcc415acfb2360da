// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that all compiling subcommands share.

#ifndef TILEWRIGHT_TOOLS_COMPILEFLAGS_H
#define TILEWRIGHT_TOOLS_COMPILEFLAGS_H

#include "Commands.h"
#include "Options.h"
#include "tilewright/codegen/Codegen.h"

namespace tilewright::tools {

inline void addCompileFlags(Command command, codegen::OptLevel &level, bool &debugInfo,
                            bool &remarks) {
  using codegen::OptLevel;
  addChoice<OptLevel>(
      command, "-O", level,
      {{"0", OptLevel::O0}, {"1", OptLevel::O1}, {"2", OptLevel::O2}, {"3", OptLevel::O3}}, "LEVEL",
      "optimisation level: 0 to 3 (default 2)");
  command.addFlag("-g", debugInfo, "emit source line information");
  command.addFlag("--remarks", remarks,
                  "print on standard error what was decided about each operation, and why");
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMPILEFLAGS_H
