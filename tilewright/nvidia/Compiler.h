// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module to GPU code, in stages that can each be inspected:
//
//     tile      Tile IR, simplified           plan   threads, register layouts, data movement
//     threads   upstream dialects             llvm   LLVM IR, optimised
//     ptx       PTX text
//
// Each entry becomes a kernel of the same name that takes the entry's parameters, flattened and in
// order. It is launched with the grid of tile blocks, the number of threads in `.reqntid`, and no
// dynamic shared memory, unless the target's form is dynamic (Target.h).

#ifndef TILEWRIGHT_NVIDIA_COMPILER_H
#define TILEWRIGHT_NVIDIA_COMPILER_H

#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/CompiledKernel.h"
#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

struct CompileOptions {
  Target target;
  codegen::OptLevel level = codegen::OptLevel::O2;
  /// Compile only this entry; if empty, all entries.
  std::string entry = {};
  /// Emit assertions for what the kernel assumes about integers (lower/CheckAssumptions.cpp).
  bool checksAssumptions = false;
};

enum class Stage { Tile, Plan, Threads, Llvm, Ptx, Cubin };

struct CompiledCode {
  /// Text, or the bytes of a cubin (Assemble.h).
  std::string code;
  /// In the order of the module; empty for Stage::Tile, at which nothing is planned.
  std::vector<codegen::CompiledKernel> kernels;
};

/// The program at a stage. The module must be verified, and is not changed. Decisions are reported
/// as remarks (codegen/Remarks.h).
support::Result<CompiledCode> compileTo(Stage stage, tile::ModuleOp module,
                                        const CompileOptions &options);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_COMPILER_H
