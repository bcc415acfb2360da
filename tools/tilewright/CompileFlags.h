// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of every subcommand that compiles.

#ifndef TILEWRIGHT_TOOLS_COMPILEFLAGS_H
#define TILEWRIGHT_TOOLS_COMPILEFLAGS_H

#include "Commands.h"
#include "tilewright/cpu/Codegen.h"

#include <CLI/CLI.hpp>

namespace tilewright::tools {

inline void addCompileFlags(CLI::App &command, cpu::OptLevel &level, bool &debugInfo,
                            bool &remarks) {
  using cpu::OptLevel;
  const std::map<std::string, OptLevel> levels = {
      {"0", OptLevel::O0}, {"1", OptLevel::O1}, {"2", OptLevel::O2}, {"3", OptLevel::O3}};
  command.add_option("-O", level, "how much work goes into good code: 0 to 3 (default 2)")
      ->transform(CLI::CheckedTransformer(levels).description(""))
      ->option_text("LEVEL");
  command.add_flag("-g", debugInfo, "let debuggers know the lines of the program");
  command.add_flag("--remarks", remarks,
                   "tell on standard error what was fused, kept in buffers, vectorised, and why");
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMPILEFLAGS_H
