// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server: MLIR's, with our dialect. How to wire it to an editor is in
// docs/editors.md.

#include "tilewright/tile/Ops.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tilewright::tile::TileDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
