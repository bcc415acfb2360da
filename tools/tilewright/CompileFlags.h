// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that all compiling subcommands share.

#ifndef TILEWRIGHT_TOOLS_COMPILEFLAGS_H
#define TILEWRIGHT_TOOLS_COMPILEFLAGS_H

#include "Commands.h"
#include "Options.h"
#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/Tuning.h"

namespace tilewright::tools {

inline void addCompileFlags(Command command, codegen::OptLevel &level, bool &debugInfo,
                            bool &remarks) {
  using codegen::OptLevel;
  addChoice<OptLevel>(
      command, "-O", level,
      {{"0", OptLevel::O0}, {"1", OptLevel::O1}, {"2", OptLevel::O2}, {"3", OptLevel::O3}}, "LEVEL",
      "optimisation level: 0 to 3 (default 2)");
  command.addFlag("-g", debugInfo, "emit source line information");
  command.addFlag(
      "--remarks", remarks,
      "print the compiler's decisions about each operation, with reasons, to standard error");
}

/// Sets thresholds of a compiler for benchmarks and tests. The option is hidden: names and meaning
/// change with the compiler.
inline Option addTuning(Command command, std::vector<std::string> &texts) {
  return addTexts(command, "--tuning", texts, "NAME=VALUE", "set a threshold of the compiler")
      .hidden();
}

/// Sets the thresholds as the texts of --tuning say, or refuses them.
template <typename Tuning>
void setThresholds(Tuning &tuning, llvm::ArrayRef<codegen::Threshold<Tuning>> thresholds,
                   llvm::ArrayRef<std::string> texts) {
  for (const std::string &text : texts)
    if (auto set = codegen::setThreshold(tuning, thresholds, text); !set)
      refuse("--tuning", set.failure().message);
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMPILEFLAGS_H
