// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a command's result goes: a file, or standard output.

#ifndef TILEWRIGHT_TOOLS_OUTPUT_H
#define TILEWRIGHT_TOOLS_OUTPUT_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright::tools {

/// Writes all or nothing: `path` appears, or changes, in one step, when everything is on disk.
/// "-" is standard output; devices and pipes are written to as they are.
support::Result<void> writeOutput(llvm::StringRef path, llvm::StringRef bytes);

/// The same as the end of a command: its exit status, with a line on standard error if the
/// file cannot be written.
int finishWith(llvm::StringRef path, llvm::StringRef bytes);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_OUTPUT_H
