// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file to a verified module, with diagnostics that people can act on.

#ifndef TILEWRIGHT_DRIVER_LOAD_H
#define TILEWRIGHT_DRIVER_LOAD_H

#include "tilewright/tile/OpTable.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace tilewright::driver {

struct LoadOptions {
  /// What to do about unknown or odd optimization hints.
  tile::HintMode hints = tile::HintMode::Silent;
  /// Follow the prose where the public tools are laxer (textual format, 11.1).
  bool strict = false;
  /// Accept operations of dialects that nobody knows.
  bool allowUnregistered = false;
  /// Report what this version of Tile IR cannot express.
  std::optional<tile::Version> target;
};

enum class LoadStatus {
  Valid,
  Invalid,   ///< Diagnosed.
  Unreadable ///< No such file, a folder, ...: diagnosed.
};

/// Reads, parses and verifies files in one context; diagnostics go to standard error as
/// `file:line:column: error: ...` with the source line and a caret.
class Loader {
public:
  explicit Loader(LoadOptions options);

  /// Null unless the status is Valid. `path` may be "-" for standard input. The module
  /// is the builtin one that wraps whatever the file holds.
  mlir::OwningOpRef<mlir::ModuleOp> load(llvm::StringRef path);
  LoadStatus status() const { return lastStatus; }

  mlir::MLIRContext &context() { return mlirContext; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::SourceMgr &sources, llvm::StringRef name);
  llvm::LogicalResult checkVersion(mlir::ModuleOp module);

  LoadOptions options;
  mlir::MLIRContext mlirContext;
  LoadStatus lastStatus = LoadStatus::Valid;
};

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_LOAD_H
