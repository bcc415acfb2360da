// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of which array each memory operation of an explored launch accesses, in each tile
// block.

#ifndef TILEWRIGHT_API_EXPLORE_VIEWS_H
#define TILEWRIGHT_API_EXPLORE_VIEWS_H

#include "tilewright/api/explore/Accesses.h"
#include "tilewright/reference/machine/TileBlock.h"

namespace tilewright::api {

class ExploredViews {
public:
  /// `file` contains the program.
  explicit ExploredViews(llvm::StringRef file) : file(file) {}

  /// Adds what an operation has accessed.
  void add(reference::TileBlock &block, mlir::Operation *op, const Accesses &accesses);
  /// `views` of the document.
  llvm::json::Array takeJson();

private:
  struct View {
    llvm::json::Object row;
    llvm::json::Array accesses;
    int64_t unlisted = 0;
  };
  View &viewOf(mlir::Operation *op, size_t array, const Accesses &accesses);

  llvm::StringRef file;
  /// How many accesses and runs are listed.
  size_t listedAccesses = 0, listedRuns = 0;
  /// By operation and array.
  llvm::MapVector<std::pair<mlir::Operation *, size_t>, View> views;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_VIEWS_H
