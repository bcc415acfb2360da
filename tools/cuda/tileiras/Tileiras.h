// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `tileiras`, for a main() or a library.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_TILEIRAS_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_TILEIRAS_H

namespace tilewright::cuda {

/// What main() returns.
int runTileiras(int argc, char **argv);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_TILEIRAS_H
