// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembles PTX to a cubin with NVIDIA's assembler `ptxas`, and disassembles it with `nvdisasm`, if
// they are installed.

#ifndef TILEWRIGHT_NVIDIA_ASSEMBLE_H
#define TILEWRIGHT_NVIDIA_ASSEMBLE_H

#include "tilewright/nvidia/Target.h"

#include <string_view>
#include <vector>

namespace tilewright::nvidia {

/// What the assembler reports for an entry: registers per thread, and bytes of local memory.
struct Resources {
  std::string entry;
  int64_t registers = 0, stack = 0, spillStores = 0, spillLoads = 0;

  /// Occupancy: the number of CTAs with this many threads for which a multiprocessor has registers.
  int64_t ctasByRegisters(int64_t threads) const;
  /// The most registers per thread with which a multiprocessor has registers for this many CTAs; 0
  /// if it has too few in any case.
  static int64_t registersFor(int64_t ctas, int64_t threads);
};

/// Parses the output of `ptxas -v`.
std::vector<Resources> resourcesIn(std::string_view log);

/// PTX in which arrays of shared memory without a size have the largest one that `ptxas` accepts.
std::string withSharedArrays(std::string_view ptx, int64_t bytes);

/// The cubin in which the kernel has this much static shared memory, however much `ptxas` accepts.
/// The size is in two places: in the section `.nv.shared.KERNEL`, and in the segment that loads it.
support::Result<std::string> withSharedBytes(std::string cubin, std::string_view kernel,
                                             int64_t bytes);

/// The bytes of the cubin, with line information. Needs `ptxas` (runtime/CudaToolkit.h). Fills in
/// the resources of all entries if requested.
support::Result<std::string> assemble(std::string_view ptx, const Target &target,
                                      std::vector<Resources> *resources = nullptr);

/// The machine code (SASS) of the cubin as text, with a comment `//## File "k.mlir", line 36`
/// before the instructions of a source line. Needs `nvdisasm`.
support::Result<std::string> disassemble(std::string_view cubin);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_ASSEMBLE_H
