// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the ways to run an entry share? A run whose options have been understood: the
// entry was found and its arguments are bound. Inside of this room.

#ifndef TILEWRIGHT_TOOLS_PREPAREDRUN_H
#define TILEWRIGHT_TOOLS_PREPAREDRUN_H

#include "tools/WriteFile.h"
#include "tools/tilewright/run/Arguments.h"
#include "tools/tilewright/run/RunOptions.h"

namespace tilewright::tools {

struct PreparedRun {
  tile::EntryOp entry;
  const runtime::Grid &grid;
  Arguments &arguments;
  const RunOptions &options;
  llvm::StringRef file;
  /// What it holds; empty for bytecode.
  llvm::StringRef text;
  llvm::raw_ostream &out, &err;
  /// Is launched next, as a launch that depends on the first one; null if there is none.
  tile::EntryOp dependent = nullptr;

  tile::ModuleOp module() const { return tile::EntryOp(entry)->getParentOfType<tile::ModuleOp>(); }
  /// The launch, or what was to be known of it, failed.
  RunStatus failed(const support::Failure &failure) const {
    err << failure.message << "\n";
    return RunStatus::Failed;
  }
  /// The command line asked for what cannot be.
  RunStatus unusable(const support::Failure &failure) const {
    err << "tilewright run: " << failure.message << "\n";
    return RunStatus::Unusable;
  }
  /// Fails for what devices that run code for a GPU do not support.
  support::Result<void> verifyForGpuCode(llvm::StringRef device) const {
    if (dependent)
      return support::Failure{("--dependent: --device " + device + " runs one entry only").str()};
    if (llvm::any_of(arguments.values, [](const BoundValue &value) { return value.isMulticast; }))
      return support::Failure{("'multicast:' is not supported by --device " + device).str()};
    return {};
  }
  /// Writes the results of a launch that succeeded: files come last, when all else has been
  /// written, traces and reports on standard error included.
  RunStatus finish() const {
    support::Result<void> written = flush(err, "standard error");
    if (written)
      written = writeOutputs(arguments, out);
    return written ? RunStatus::Succeeded : unusable(written.failure());
  }
};

/// On the machine that checks (RunReference.cpp).
RunStatus runOnReference(const PreparedRun &run);

/// Compiled (RunCompiled.cpp).
RunStatus runCompiled(const PreparedRun &run);

/// Compiled for a GPU, on the PTX machine (RunPtx.cpp).
RunStatus runOnPtx(const PreparedRun &run);

/// The same, on a GPU (RunCuda.cpp).
RunStatus runOnCuda(const PreparedRun &run);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PREPAREDRUN_H
