// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a file into a verified module, with diagnostics that people can act on. The first bytes
// decide whether a file is text or bytecode; callers need not distinguish the two.

#ifndef TILEWRIGHT_API_LOAD_H
#define TILEWRIGHT_API_LOAD_H

#include "tilewright/api/Diagnostic.h"
#include "tilewright/api/text/ValueNames.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::api {

struct LoadOptions {
  /// How to treat unknown or invalid optimization hints.
  tile::HintMode hints = tile::HintMode::Silent;
  /// Enforce the rules of the prose that the public tools do not check (textual format, 11.1).
  bool strict = false;
  /// Accept operations of unregistered dialects.
  bool allowUnregistered = false;
  /// Report features that this version of Tile IR cannot represent.
  std::optional<tile::Version> target;
  /// Mark the locations of a module from bytecode with their byte offsets in the file
  /// (bytecode::placeOf), for callers that report more than violations of the language rules.
  bool markPlaces = false;
  /// Keep the names that a text gives its values (valueNames).
  bool keepNames = false;
};

enum class LoadStatus {
  Valid,
  Invalid,   ///< Reported.
  Unreadable ///< No such file, a folder, ...: reported.
};

/// Reads, parses and verifies files in an MLIR context of its own. Diagnostics are printed as
/// `file:line:column: error: ...` with the source line and a caret or, for bytecode, as `file: byte
/// 0x1C8, entry @k: error: ...`.
class Loader {
public:
  explicit Loader(LoadOptions options, llvm::raw_ostream &diagnostics = llvm::errs());

  /// Returns null unless the status is Valid. `path` may be "-" for standard input. The result is
  /// the builtin module that wraps the contents of the file.
  mlir::OwningOpRef<mlir::ModuleOp> load(llvm::StringRef path);
  /// The same for a file in memory, which is copied. Diagnostics use `name` as the file name.
  mlir::OwningOpRef<mlir::ModuleOp> loadMemory(llvm::StringRef bytes, llvm::StringRef name);
  LoadStatus status() const { return lastStatus; }

  /// From now on, also adds all diagnostics to this list, which outlives the loader.
  void recordTo(std::vector<Diagnostic> *list) { records = list; }

  /// The file that was loaded last.
  llvm::StringRef name() const { return contents->getBufferIdentifier(); }
  llvm::StringRef bytes() const { return contents->getBuffer(); }
  bool isBytecode() const;
  /// The version of a bytecode file; none for text.
  std::optional<tile::Version> version() const;

  /// With `keepNames`: how the text that was loaded last names its values. Empty for bytecode.
  const ValueNames &valueNames() const { return namesOfValues; }

  /// Checks the module that was loaded last. Its diagnostics have their place in the file; for
  /// that, the check may run a second time, on another copy of the module.
  using Check = llvm::function_ref<llvm::LogicalResult(mlir::ModuleOp)>;
  llvm::LogicalResult examine(mlir::ModuleOp module, Check check);

  mlir::MLIRContext &context() { return mlirContext; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> read(std::unique_ptr<llvm::MemoryBuffer> file);
  mlir::OwningOpRef<mlir::ModuleOp> parse();
  mlir::OwningOpRef<mlir::ModuleOp> parseText(const llvm::SourceMgr &sources);
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
  ValueNames namesOfValues;
  LoadStatus lastStatus = LoadStatus::Valid;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_LOAD_H
