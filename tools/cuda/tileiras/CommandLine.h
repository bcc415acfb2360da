// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the command line of tileiras: the options of NVIDIA's tileiras that its clients use.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H

#include "tilewright/support/Result.h"

#include <span>
#include <string>

namespace tilewright::cuda {

struct Options {
  enum { Compilation, Version, Help } action = Compilation;
  std::string input, output;
  std::string processor;
  std::string remarks; ///< The file for remarks, in YAML.
  unsigned optimization = 2;
  bool debugInfo = false;
};

/// Parses the words after the program's name. Options that NVIDIA's compiler has and this one does
/// not support are refused with their name.
support::Result<Options> parse(std::span<char *const> words);

std::string helpText();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H
