// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the handles of one program share? Its loader with the MLIR context, which one thread
// may use at a time, and the operations in it.

#ifndef TILEWRIGHT_API_MODULESTATE_H
#define TILEWRIGHT_API_MODULESTATE_H

#include "tilewright/api/Context.h"
#include "tilewright/api/Entry.h"
#include "tilewright/api/Load.h"

#include <mutex>

namespace tilewright::api {

struct ModuleState {
  ModuleState(const Context &context, const LoadOptions &options)
      : context(context), loader(options, diagnostics) {
    loader.recordTo(&records);
  }

  /// Finds the module in what was loaded. False, and diagnosed, if there is not just one.
  bool accept(mlir::OwningOpRef<mlir::ModuleOp> loaded);
  /// Takes all that was reported since the last time; its text in the failure, too.
  support::Failure takeFailure(Diagnostics *diagnostics);
  tile::EntryOp find(llvm::StringRef name);

  const Context context;
  /// Held by whoever uses what follows. Timed, so that who waits for it can be told to give up.
  std::recursive_timed_mutex mutex;
  std::string said;
  llvm::raw_string_ostream diagnostics{said};
  std::vector<Diagnostic> records;
  Loader loader;
  mlir::OwningOpRef<mlir::ModuleOp> file;
  tile::ModuleOp module;

  /// Known from the start.
  std::string name;
  std::optional<tile::Version> fileVersion;
};

std::vector<Parameter> parametersOf(tile::EntryOp entry);
/// Fails if nothing can be passed for one of them: the verifier lets types pass that are neither
/// scalars of numbers nor pointers to them (operations, 3.2).
support::Result<void> verifyPassable(llvm::StringRef entry, llvm::ArrayRef<Parameter> parameters);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_MODULESTATE_H
