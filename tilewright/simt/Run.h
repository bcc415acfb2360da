// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function with all threads of a workgroup and reports errors. The threads run in lockstep:
// one operation at a time is executed by all active threads. A workgroup of one thread executes a
// program before distribution, in which vectors are whole tiles.

#ifndef TILEWRIGHT_SIMT_RUN_H
#define TILEWRIGHT_SIMT_RUN_H

#include "tilewright/simt/Buffers.h"
#include "tilewright/simt/Checks.h"
#include "tilewright/simt/Workgroup.h"
#include "tilewright/support/Result.h"

#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilewright::simt {

struct Outcome {
  /// Empty if the function made no error with these arguments.
  std::vector<Finding> findings;
};

/// Executes the function with its parameters as arguments, in order; afterwards they contain the
/// final memory. All findings end the run, except races, uninitialised reads, stored poison and
/// divisions. Fails, with the location, for operations and types that cannot be executed, and for
/// arguments of the wrong type.
support::Result<Outcome> run(mlir::func::FuncOp function, Workgroup workgroup,
                             llvm::MutableArrayRef<Buffer> arguments, RunLimits limits = {});

/// Registers the dialects of programs that can be run.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_RUN_H
