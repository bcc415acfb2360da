// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that all handles of one program share: its operations, and the loader with the MLIR
// context, which one thread at a time may use.

#ifndef TILEWRIGHT_API_MODULESTATE_H
#define TILEWRIGHT_API_MODULESTATE_H

#include "tilewright/api/Context.h"
#include "tilewright/api/Entry.h"
#include "tilewright/api/Load.h"
#include "tilewright/support/Result.h"

#include <mutex>

namespace tilewright::api {

struct ModuleState {
  ModuleState(const Context &context, const LoadOptions &options)
      : context(context), loader(options, diagnostics) {
    loader.recordTo(&records);
  }

  /// Finds the module in the loaded file. If there is not exactly one, reports an error and returns
  /// false.
  bool accept(mlir::OwningOpRef<mlir::ModuleOp> loaded);
  /// Takes the diagnostics reported since the last call. The failure has their text.
  support::Failure takeFailure(Diagnostics *diagnostics);
  tile::EntryOp find(llvm::StringRef name);

  const Context context;
  /// Guards the members up to `module`. Timed, so that a thread can stop waiting for it when a
  /// launch is cancelled.
  std::recursive_timed_mutex mutex;
  std::string text;
  llvm::raw_string_ostream diagnostics{text};
  std::vector<Diagnostic> records;
  Loader loader;
  mlir::OwningOpRef<mlir::ModuleOp> file;
  tile::ModuleOp module;

  /// Constant after `accept`, so not guarded.
  std::string name;
  std::optional<tile::Version> fileVersion;
};

std::vector<Parameter> parametersOf(tile::EntryOp entry);
/// Fails if no argument can be passed for one of the parameters: the verifier accepts types that
/// are neither numeric scalars nor pointers to numbers (operations, 3.2).
support::Result<void> verifyPassable(llvm::StringRef entry, llvm::ArrayRef<Parameter> parameters);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_MODULESTATE_H
