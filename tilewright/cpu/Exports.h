// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a compiled entry found and called from outside? For an entry @k, whose function is
// `k_entry`, the object also has
//
//     const twKernel k_kernel;                                   what a launch has to know
//     int k_launch(const uint32_t grid[3], ..., int threads);    the whole grid
//     int k_blocks(const uint32_t grid[3], int64_t first, int64_t end, ...);  some blocks
//
// the latter two with the parameters of the entry as C types, and only on request. All are
// explained in runtime/Kernel.h; a header for them is written here, too. Symbols.h says what
// they are called if C cannot say the name of the entry.

#ifndef TILEWRIGHT_CPU_EXPORTS_H
#define TILEWRIGHT_CPU_EXPORTS_H

#include "tilewright/cpu/Loops.h"
#include "tilewright/cpu/Signature.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilewright::cpu {

/// Adds `k_kernel` for all kernels of a module of loops.
void addKernelTables(mlir::ModuleOp loops, llvm::ArrayRef<KernelInfo> kernels);

/// Adds `k_launch` and `k_blocks`. After addKernelTables.
void addLaunchers(mlir::ModuleOp loops, llvm::ArrayRef<Signature> signatures);

/// A header for C and C++ that declares all this. `source` is the program's file, for readers.
std::string cHeader(llvm::ArrayRef<Signature> signatures, std::string_view source);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EXPORTS_H
