// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the programs of NVIDIA's CUDA Toolkit, if it is installed.

#ifndef TILEWRIGHT_RUNTIME_CUDATOOLKIT_H
#define TILEWRIGHT_RUNTIME_CUDATOOLKIT_H

#include "tilewright/support/Result.h"

#include <string>

namespace tilewright::runtime {

/// The path of the assembler `ptxas`: in PATH, else in $CUDA_HOME/bin; if that variable is not set,
/// in /usr/local/cuda/bin.
support::Result<std::string> findAssembler();
/// The same for the disassembler `nvdisasm`.
support::Result<std::string> findDisassembler();

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_CUDATOOLKIT_H
