// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input of all devices: an entry with bound arguments and verified options. Private to this
// folder.

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
  /// The contents of the file; empty for bytecode.
  llvm::StringRef text;
  llvm::raw_ostream &out, &err;
  /// The entry of the dependent launch, which follows the first one; null if there is none.
  tile::EntryOp dependent = nullptr;

  tile::ModuleOp module() const { return tile::EntryOp(entry)->getParentOfType<tile::ModuleOp>(); }
  /// Reports that the launch, or its preparation, failed.
  RunStatus failed(const support::Failure &failure) const {
    err << failure.message << "\n";
    return RunStatus::Failed;
  }
  /// Reports a usage error, or a file that cannot be read or written.
  RunStatus unusable(const support::Failure &failure) const {
    err << "tilewright run: " << failure.message << "\n";
    return RunStatus::Unusable;
  }
  /// Fails if the run needs something that devices for GPU code do not support.
  support::Result<void> verifyForGpuCode(llvm::StringRef device) const {
    if (dependent)
      return support::Failure{("--dependent: --device " + device + " runs one entry only").str()};
    if (llvm::any_of(arguments.values, [](const BoundValue &value) { return value.isMulticast; }))
      return support::Failure{("'multicast:' is not supported by --device " + device).str()};
    return {};
  }
  /// Writes the results of a successful launch. Output files are written last, after all other
  /// output, which includes traces and reports on standard error.
  RunStatus finish() const {
    support::Result<void> written = flush(err, "standard error");
    if (written)
      written = writeOutputs(arguments, out);
    return written ? RunStatus::Succeeded : unusable(written.failure());
  }
};

/// Runs on the reference machine (RunReference.cpp).
RunStatus runOnReference(const PreparedRun &run);

/// Compiles for the CPU and runs the code (RunCompiled.cpp).
RunStatus runCompiled(const PreparedRun &run);

/// Compiles for a GPU and runs the code on the PTX machine (RunPtx.cpp).
RunStatus runOnPtx(const PreparedRun &run);

/// Compiles for a GPU and runs the code on the GPU (RunGpu.cpp).
RunStatus runOnGpu(const PreparedRun &run);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PREPAREDRUN_H
