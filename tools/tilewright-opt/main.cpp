// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright-opt: reads a module, runs the passes named on the command line, prints the
// module. For those who write passes and tests; `tilewright` is the tool for the others.

#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace tilewright;

// The names are those of the public tools (operations, 2.5).
static llvm::cl::opt<bool>
    warnUnsupportedHints("Wunsupported-hints",
                         llvm::cl::desc("Warn about optimization hints that are not supported"));
static llvm::cl::opt<bool>
    failOnUnsupportedHints("Werr-hints",
                           llvm::cl::desc("Make unsupported optimization hints errors"));

static tile::HintMode hintMode() {
  if (failOnUnsupportedHints)
    return tile::HintMode::Error;
  return warnUnsupportedHints ? tile::HintMode::Warn : tile::HintMode::Silent;
}

/// LLVM's libraries bring hundreds of options of their own, all registered before main.
/// They still work, but --help is about this tool.
static void hideOptionsOfLibraries() {
  for (auto [name, option] : llvm::cl::getRegisteredOptions())
    if (option != &warnUnsupportedHints && option != &failOnUnsupportedHints &&
        !name.starts_with("help") && name != "version")
      option->setHiddenFlag(llvm::cl::ReallyHidden);
}

int main(int argc, char **argv) {
  hideOptionsOfLibraries();
  mlir::registerTransformsPasses();
  lower::registerLowerPasses();
  mlir::DialectRegistry registry;
  registry.insert<mlir::BuiltinDialect, tile::TileDialect>();
  // Options are read by the time that a context loads the dialect.
  registry.addExtension(
      +[](mlir::MLIRContext *, tile::TileDialect *dialect) { dialect->hintMode = hintMode(); });
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tilewright's optimizer driver\n", registry));
}
