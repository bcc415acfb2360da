// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements `tilewright run`: loads a file, selects an entry, binds its arguments, launches it on
// the selected device, and writes the outputs. If a step fails, the run ends with an error message.

#ifndef TILEWRIGHT_TOOLS_RUN_H
#define TILEWRIGHT_TOOLS_RUN_H

#include "tools/tilewright/run/RunOptions.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Kernel output and printed arrays go to `out`, errors to `err`. Output files are changed only if
/// the run succeeds. Reports are written after every launch, even without findings.
RunStatus run(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_RUN_H
