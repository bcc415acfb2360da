// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does PTX become machine code? NVIDIA's assembler, `ptxas`, makes a cubin of it, if this
// machine has one.

#ifndef TILEWRIGHT_NVIDIA_ASSEMBLE_H
#define TILEWRIGHT_NVIDIA_ASSEMBLE_H

#include "tilewright/nvidia/Target.h"

#include <string_view>
#include <vector>

namespace tilewright::nvidia {

/// What the assembler reports of an entry: registers of a thread, and bytes of local memory.
struct Resources {
  std::string entry;
  int64_t registers = 0, stack = 0, spillStores = 0, spillLoads = 0;

  /// How many CTAs of so many threads have registers in a multiprocessor.
  int64_t ctasByRegisters(int64_t threads) const;
};

/// From what `ptxas -v` prints.
std::vector<Resources> resourcesIn(std::string_view log);

/// The bytes of the cubin. The program is looked for in PATH and in $CUDA_HOME/bin; without that
/// variable, in /usr/local/cuda/bin. Fills in the resources of all entries if they are wanted.
support::Result<std::string> assemble(std::string_view ptx, const Target &target,
                                      std::vector<Resources> *resources = nullptr);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_ASSEMBLE_H
