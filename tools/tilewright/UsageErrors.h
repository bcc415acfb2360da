// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a usage error in one sentence.

#ifndef TILEWRIGHT_TOOLS_USAGEERRORS_H
#define TILEWRIGHT_TOOLS_USAGEERRORS_H

#include "Command.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace CLI {
class Error;
} // namespace CLI

namespace tilewright::tools {

/// `app` is the program; `part` is the command that was being parsed, or the program; `words` is
/// the command line.
std::string explained(const CLI::Error &error, const CLI::App &app, const CLI::App &part,
                      const ProgramState &state, llvm::ArrayRef<llvm::StringRef> words);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_USAGEERRORS_H
