// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file to a verified module, with diagnostics that people can act on. Text and
// bytecode look alike from here on: which of the two a file is, its first bytes say.

#ifndef TILEWRIGHT_API_LOAD_H
#define TILEWRIGHT_API_LOAD_H

#include "tilewright/api/Diagnostic.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::api {

struct LoadOptions {
  /// What to do about unknown or odd optimization hints.
  tile::HintMode hints = tile::HintMode::Silent;
  /// Follow the prose where the public tools are laxer (textual format, 11.1).
  bool strict = false;
  /// Accept operations of dialects that nobody knows.
  bool allowUnregistered = false;
  /// Report what this version of Tile IR cannot express.
  std::optional<tile::Version> target;
  /// Let the locations of a module from bytecode tell their places in the file
  /// (bytecode::placeOf): for those who report more than the rules of the language.
  bool markPlaces = false;
};

enum class LoadStatus {
  Valid,
  Invalid,   ///< Diagnosed.
  Unreadable ///< No such file, a folder, ...: diagnosed.
};

/// Reads, parses and verifies a file in a context of its own. Diagnostics are printed as
/// `file:line:column: error: ...` with the source line and a caret, or, for bytecode, as
/// `file: byte 0x1C8, entry @k: error: ...`.
class Loader {
public:
  explicit Loader(LoadOptions options, llvm::raw_ostream &diagnostics = llvm::errs());

  /// Null unless the status is Valid. `path` may be "-" for standard input. The module
  /// is the builtin one that wraps whatever the file holds.
  mlir::OwningOpRef<mlir::ModuleOp> load(llvm::StringRef path);
  /// The same for a file in memory, which is copied; diagnostics call it `name`.
  mlir::OwningOpRef<mlir::ModuleOp> loadMemory(llvm::StringRef bytes, llvm::StringRef name);
  LoadStatus status() const { return lastStatus; }

  /// From now on adds all diagnostics to this list, which outlives the loader, as well.
  void recordTo(std::vector<Diagnostic> *list) { records = list; }

  /// What was loaded last.
  llvm::StringRef name() const { return contents->getBufferIdentifier(); }
  llvm::StringRef bytes() const { return contents->getBuffer(); }
  bool isBytecode() const;
  /// As a bytecode file states it; text states none.
  std::optional<tile::Version> version() const;

  /// Checks the module that was loaded last; reports come with their place in the file. For
  /// that, the check may run once more, on another copy of the module.
  using Check = llvm::function_ref<llvm::LogicalResult(mlir::ModuleOp)>;
  llvm::LogicalResult examine(mlir::ModuleOp module, Check check);

  mlir::MLIRContext &context() { return mlirContext; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> read(std::unique_ptr<llvm::MemoryBuffer> file);
  mlir::OwningOpRef<mlir::ModuleOp> parse();
  mlir::OwningOpRef<mlir::ModuleOp> parseBare(const class BareText &bare);
  mlir::OwningOpRef<mlir::ModuleOp> decode(bool markPlaces);
  void reportMalformed(llvm::StringRef message, std::optional<mlir::Location> where);
  llvm::LogicalResult keepsRules(mlir::ModuleOp module);
  llvm::LogicalResult checkVersion(mlir::ModuleOp module);

  LoadOptions options;
  llvm::raw_ostream &out;
  /// May be null.
  std::vector<Diagnostic> *records = nullptr;
  mlir::MLIRContext mlirContext;
  std::unique_ptr<llvm::MemoryBuffer> contents;
  LoadStatus lastStatus = LoadStatus::Valid;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_LOAD_H
