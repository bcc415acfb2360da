// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes whole files, for programs without LLVM. Failures contain the file name.

#ifndef TILEWRIGHT_TOOLS_CUDA_FILES_H
#define TILEWRIGHT_TOOLS_CUDA_FILES_H

#include "tilewright/support/Result.h"

#include <string>
#include <string_view>

namespace tilewright::cuda {

/// `-` is standard input.
support::Result<std::string> readFile(const std::string &name);

/// Writes atomically: readers see either the complete file or the previous contents. The
/// permissions of an existing file are kept. Devices, pipes and standard output (`-`) are written
/// in place.
support::Result<void> writeFile(const std::string &name, std::string_view bytes);

/// If standard output is closed, the next opened file would get its descriptor, and the program's
/// output. This occupies the descriptor, so that writing fails instead.
void occupyStandardStreams();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_FILES_H
