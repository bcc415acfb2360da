// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a function compute when all threads of a workgroup execute it, and what do
// they do wrong? The threads run in lockstep: one operation at a time, executed by all
// threads that control flow has brought there. A workgroup of one thread executes a
// program whose vectors are whole tiles, before it is distributed.

#ifndef TILEWRIGHT_SIMT_RUN_H
#define TILEWRIGHT_SIMT_RUN_H

#include "tilewright/simt/Buffers.h"
#include "tilewright/support/Result.h"

#include "mlir/IR/Location.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilewright::simt {

struct Workgroup {
  /// Along x, y and z; x varies fastest in the number of a thread.
  std::array<int64_t, 3> threads = {1, 1, 1};
  /// Threads of a subgroup; the last subgroup may have fewer.
  int64_t lanes = 32;

  int64_t size() const { return threads[0] * threads[1] * threads[2]; }
};

struct Finding {
  enum class Kind {
    Race,             ///< Two threads meet in memory, one writes, and no barrier is between.
    DivergentBarrier, ///< Not all threads reach what they have to execute together.
    OutOfBounds,      ///< An access outside of its memory, or a vector outside of its extents.
    Uninitialized,    ///< A read of memory that nobody has written.
    Poison,           ///< An undefined value reaches memory, an address or control flow.
    Division,         ///< An integer division by zero, or one that overflows.
    Loop,             ///< A loop whose step is not positive.
    StepLimit,        ///< More steps than RunLimits allows.
  };

  Kind kind;
  /// One line, without the place.
  std::string message;
  mlir::Location where;
  /// The access that a race is with.
  std::optional<mlir::Location> other = std::nullopt;
};

/// `race`, `divergent barrier`, ...
llvm::StringRef nameOf(Finding::Kind kind);

struct Outcome {
  /// Empty: the function did nothing wrong with these arguments.
  std::vector<Finding> findings;
};

struct RunLimits {
  /// Operations, each counted once however many threads execute it.
  int64_t steps = 10'000'000;
  /// Elements of all memory that the function allocates, and those of one value in all threads.
  int64_t elements = int64_t(1) << 28;
};

/// Executes the function. The arguments are its parameters in order, and memory is what it
/// is afterwards. Findings that leave no sensible way on end the run: all but races,
/// uninitialized reads, stored poison and divisions. Refuses, with the place, an operation or
/// type that it cannot execute, and arguments that do not fit.
support::Result<Outcome> run(mlir::func::FuncOp function, Workgroup workgroup,
                             llvm::MutableArrayRef<Buffer> arguments, RunLimits limits = {});

/// The dialects of programs that can be run.
void registerDialects(mlir::DialectRegistry &registry);

/// `k.mlir:9:3`, or `an unknown place`.
std::string placeOf(mlir::Location where);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_RUN_H
