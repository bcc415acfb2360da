// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do generated loops become LLVM's dialect? First scf becomes blocks, from the end of each
// function to its beginning. Then arith, math, vector, index, ub and cf become instructions in one
// conversion, all patterns at once, so that every operation is visited once. What has no
// instruction is refused by name: a call of a math library per element must never come about by
// accident.

#ifndef TILEWRIGHT_CODEGEN_LOWER_H
#define TILEWRIGHT_CODEGEN_LOWER_H

#include "tilewright/support/Result.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::codegen {

/// Loads the dialects that loops are written in, and what translates them to LLVM IR.
void loadLoopDialects(mlir::MLIRContext &context);

/// Converts all that is in the module, whose functions are `llvm.func` already and whose vectors
/// have one dimension. Afterwards it holds LLVM's dialect and nothing else.
support::Result<void> lowerToLLVM(mlir::ModuleOp module);

/// What lines become: tables for a debugger, or only `.loc` in assembly.
enum class Lines { Tables, Directives };

/// Gives every function a subprogram, so that the locations of its operations become lines.
/// Before lowerToLLVM or after it.
support::Result<void> addLines(mlir::ModuleOp module, Lines lines);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_LOWER_H
