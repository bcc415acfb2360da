// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does `tilewright run` do? It loads a file, picks an entry, makes arguments of
// the texts for its parameters, launches it, on the reference machine or compiled, and
// puts the outputs where the texts say. Each step that fails says why, and ends the run.

#ifndef TILEWRIGHT_TOOLS_RUN_H
#define TILEWRIGHT_TOOLS_RUN_H

#include "tools/tilewright/run/RunOptions.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Kernels and arrays print to `out`; complaints go to `err`. Unless the run succeeds, no
/// output file is touched. Reports are written on every launch, also on one without findings.
RunStatus run(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_RUN_H
