// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing whole files, for programs without LLVM. A failure names the file.

#ifndef TILEWRIGHT_TOOLS_CUDA_FILES_H
#define TILEWRIGHT_TOOLS_CUDA_FILES_H

#include "tilewright/support/Result.h"

#include <string>
#include <string_view>

namespace tilewright::cuda {

/// `-` is standard input.
support::Result<std::string> readFile(const std::string &name);

/// In one step: whoever reads the file sees all of it, or what was there before, whose permissions
/// stay. A device or a pipe is written in place, and so is standard output, `-`.
support::Result<void> writeFile(const std::string &name, std::string_view bytes);

/// A file that is opened while standard output is closed would get its number, and what the program
/// prints. After this, writing fails instead.
void occupyStandardStreams();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_FILES_H
