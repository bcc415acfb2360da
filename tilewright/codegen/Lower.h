// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers generated loops to the LLVM dialect. First, scf is lowered to blocks, from the end of each
// function to its beginning. Then arith, math, vector, index, ub and cf become instructions in one
// conversion with all patterns at once, so that every operation is visited once. An operation
// without an instruction is an error that names it, so that code never calls a math library per
// element by accident.

#ifndef TILEWRIGHT_CODEGEN_LOWER_H
#define TILEWRIGHT_CODEGEN_LOWER_H

#include "tilewright/support/Result.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::codegen {

/// Loads the dialects of loops, and their translations to LLVM IR.
void loadLoopDialects(mlir::MLIRContext &context);

/// Converts the module in place. Its functions must be `llvm.func` already, and its vectors must
/// have one dimension. Afterwards it contains only the LLVM dialect.
support::Result<void> lowerToLLVM(mlir::ModuleOp module);

/// How source lines are emitted: as tables for a debugger, or only as `.loc` in assembly.
enum class Lines { Tables, Directives };

/// Gives every function a subprogram, so that its operations' locations become source lines. May be
/// called before or after lowerToLLVM.
support::Result<void> addLines(mlir::ModuleOp module, Lines lines);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_LOWER_H
