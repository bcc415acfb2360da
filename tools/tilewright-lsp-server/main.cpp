// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server: MLIR's, with our dialects. How to wire it to an editor is in
// docs/editors.md.

#include "../Program.h"
#include "tilewright/layout/dialect/Register.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tilewright::tile::TileDialect>();
  tilewright::layout::registerDialects(registry);
  return tilewright::tools::runProgram("tilewright-lsp-server", [&] {
    return int(mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)));
  });
}
