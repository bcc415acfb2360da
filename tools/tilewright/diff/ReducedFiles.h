// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a reduced kernel and its arrays to files.

#ifndef TILEWRIGHT_TOOLS_REDUCEDFILES_H
#define TILEWRIGHT_TOOLS_REDUCEDFILES_H

#include "tilewright/api/diff/Diff.h"

namespace tilewright::tools {

/// Writes the program to `file`, and arrays that are too long for a command line to .npy files
/// beside it. The program begins with the command that repeats the difference, which is returned.
support::Result<std::string> writeReduced(const api::ReducedCase &reduced, const std::string &file);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_REDUCEDFILES_H
