// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assemble.h.

#include "tilewright/api/Assemble.h"
#include "tilewright/bytecode/Writer.h"

using namespace tilewright;
using namespace tilewright::api;

tile::ModuleOp api::theModule(Loader &loader, mlir::ModuleOp file) {
  tile::ModuleOp module;
  (void)loader.examine(file, [&](mlir::ModuleOp copy) {
    tile::ModuleOp found = bytecode::findTileModule(copy);
    if (copy == file)
      module = found;
    return llvm::success(bool(found));
  });
  return module;
}

/// The version of a bytecode file; for text, the oldest that can represent the module.
static tile::Version usualVersion(const Loader &loader, tile::ModuleOp module) {
  std::optional<tile::Version> version = loader.version();
  return version ? *version : bytecode::lowestVersion(module);
}

llvm::LogicalResult api::assemble(Loader &loader, mlir::ModuleOp file,
                                  std::optional<tile::Version> version,
                                  llvm::SmallVectorImpl<char> &bytes) {
  return loader.examine(file, [&](mlir::ModuleOp copy) -> llvm::LogicalResult {
    tile::ModuleOp module = bytecode::findTileModule(copy);
    if (!module)
      return llvm::failure();
    tile::Version target = version.value_or(usualVersion(loader, module));
    llvm::SmallVector<char, 0> other; // of a copy, which is only written for its diagnostics
    return bytecode::writeModule(module, target, copy == file ? bytes : other);
  });
}
