// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the result of a command, text or bytes, and returns its exit status.

#ifndef TILEWRIGHT_TOOLS_OUTPUT_H
#define TILEWRIGHT_TOOLS_OUTPUT_H

#include "Commands.h"
#include "tools/WriteFile.h"

#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Returns the exit status. Prints a line to standard error if the result cannot be written.
inline int finishWith(llvm::StringRef path, llvm::StringRef bytes) {
  support::Result<void> written = writeFile(path, bytes);
  if (written)
    return ExitSuccess;
  llvm::errs() << written.failure().message << "\n";
  return ExitUsage;
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_OUTPUT_H
