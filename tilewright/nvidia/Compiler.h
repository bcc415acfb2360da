// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a program become code for a GPU? In stages, each of which can be looked at:
//
//     tile      Tile IR, simplified           plan   who holds which element, and what moves
//     threads   upstream dialects             llvm   LLVM IR, optimised
//     ptx       PTX text
//
// Each entry becomes a kernel of the same name whose parameters are those of the entry, flat and
// in their order: a CTA per tile block, launched with as many threads as `.reqntid` says, and
// without dynamic shared memory.

#ifndef TILEWRIGHT_NVIDIA_COMPILER_H
#define TILEWRIGHT_NVIDIA_COMPILER_H

#include "tilewright/codegen/Codegen.h"
#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

struct CompileOptions {
  Target target;
  codegen::OptLevel level = codegen::OptLevel::O2;
  /// The only entry that is compiled; if empty, all are.
  std::string entry = {};
  /// Asserts what the kernel assumes of integers (lower/CheckAssumptions.cpp).
  bool checksAssumptions = false;
};

enum class Stage { Tile, Plan, Threads, Llvm, Ptx, Cubin };

/// The program at a stage, as text, or as the bytes of a cubin (Assemble.h). The module has been
/// verified and is not changed. What was decided is told to who listens for remarks
/// (codegen/Remarks.h).
support::Result<std::string> compileTo(Stage stage, tile::ModuleOp module,
                                       const CompileOptions &options);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_COMPILER_H
