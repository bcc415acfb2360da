// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry compiled to PTX, which the PTX machine executes. `Kernel` (Ptx.cpp) and `tilewright run
// --device ptx` share it.

#ifndef TILEWRIGHT_API_DEVICES_PTXENTRY_H
#define TILEWRIGHT_API_DEVICES_PTXENTRY_H

#include "tilewright/api/Options.h"
#include "tilewright/api/Placement.h"
#include "tilewright/nvidia/Compiler.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/report/Report.h"

#include "mlir/IR/MLIRContext.h"

namespace tilewright::api {

struct PtxRunOptions {
  ptx::Schedule schedule = {};
  ptx::Checks checks = {};
  /// The number of threads that run blocks which do not communicate; 0: the default of
  /// runtime/Threads.h.
  int threads = 0;
  const std::atomic<bool> *cancelled = nullptr;
  /// Receives what the kernel prints, after the run, in the order of the blocks.
  std::function<void(std::string_view)> output;
  /// Called before and after the machine runs; may be empty.
  std::function<void(ptx::Machine &)> begin = {};
  std::function<void(const ptx::Machine &)> end = {};
  /// Leaves the caller's arrays as they are, also if the run succeeds.
  bool discardsArrays = false;
};

struct PtxRunResult {
  Outcome outcome = Outcome::Succeeded;
  /// Owns the locations of the findings.
  std::unique_ptr<mlir::MLIRContext> context;
  /// Located at the source line, if it is known; the place in the PTX text is related.
  std::vector<report::Finding> findings;
  uint64_t unlistedFindings = 0;
  /// The number of instructions that all threads executed together.
  uint64_t steps = 0;
};

class PtxEntry {
public:
  /// `file` is the name of the file with the entry. Overwrites `options.entry`.
  static support::Result<std::unique_ptr<const PtxEntry>>
  compile(tile::EntryOp entry, nvidia::CompileOptions options, llvm::StringRef file);

  /// The arguments must match the parameters. Arrays are written only if the run succeeds. Fails if
  /// the launch is impossible.
  support::Result<PtxRunResult> run(const runtime::Grid &grid, std::span<const Argument> arguments,
                                    const PtxRunOptions &options) const;

  const ptx::Program &program() const { return code; }
  const codegen::CompiledKernel &compiled() const { return kernel; }
  /// The PTX text.
  const std::string &text() const { return *module.text; }
  /// The file name of places in the PTX text. No file has this name.
  const std::string &textName() const { return name; }

private:
  PtxEntry(ptx::Module module, std::string name)
      : module(std::move(module)), name(std::move(name)) {}

  ptx::Module module;
  std::string name;
  const ptx::Function *entry = nullptr;
  ptx::Program code; ///< Points into the module.
  codegen::CompiledKernel kernel;
};

/// Fails for arguments that the PTX machine does not support.
support::Result<void> verifyForPtxMachine(const Argument &argument);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_PTXENTRY_H
