// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does PTX become machine code? NVIDIA's assembler, `ptxas`, makes a cubin of it, if this
// machine has one.

#ifndef TILEWRIGHT_NVIDIA_ASSEMBLE_H
#define TILEWRIGHT_NVIDIA_ASSEMBLE_H

#include "tilewright/nvidia/Target.h"

#include <string_view>

namespace tilewright::nvidia {

/// The bytes of the cubin. The program is looked for in PATH and in $CUDA_HOME/bin; without that
/// variable, in /usr/local/cuda/bin.
support::Result<std::string> assemble(std::string_view ptx, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_ASSEMBLE_H
