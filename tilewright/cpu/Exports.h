// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols through which compiled entries are found and called. For an entry @k, whose function
// is `k_entry`, the object also has
//
//     const twKernel k_kernel;                                   what a launch has to know
//     int k_launch(const uint32_t grid[3], ..., int threads);    the whole grid
//     int k_blocks(const uint32_t grid[3], int64_t first, int64_t end, ...);  some blocks
//
// The latter two take the parameters of the entry as C types, and exist only on request.
// runtime/Kernel.h documents all of them; this file also writes a header that declares them. If the
// entry's name is no C identifier, Symbols.h gives their names.

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
