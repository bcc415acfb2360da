// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a function compute when all threads of a workgroup execute it, and what do
// they do wrong? The threads run in lockstep: one operation at a time, executed by all
// threads that control flow has brought there. A workgroup of one thread executes a
// program whose vectors are whole tiles, before it is distributed.

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
  /// Empty: the function did nothing wrong with these arguments.
  std::vector<Finding> findings;
};

/// Executes the function. The arguments are its parameters in order, and memory is what it
/// is afterwards. Findings that leave no sensible way on end the run: all but races,
/// uninitialized reads, stored poison and divisions. Refuses, with the place, an operation or
/// type that it cannot execute, and arguments that do not fit.
support::Result<Outcome> run(mlir::func::FuncOp function, Workgroup workgroup,
                             llvm::MutableArrayRef<Buffer> arguments, RunLimits limits = {});

/// The dialects of programs that can be run.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_RUN_H
