// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of tileiras: that of the vendor's, as far as its clients use it.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H

#include "tilewright/support/Result.h"

#include <span>
#include <string>

namespace tilewright::cuda {

struct Options {
  enum { Compilation, Version, Help } wanted = Compilation;
  std::string input, output;
  std::string processor;
  std::string remarks; ///< A file that gets remarks in YAML.
  unsigned optimization = 2;
  bool debugInfo = false;
};

/// Of the words behind the name of the program. What the vendor's compiler has and this one has not
/// is refused by name.
support::Result<Options> parse(std::span<char *const> words);

std::string helpText();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H
