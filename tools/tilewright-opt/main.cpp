// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright-opt: reads a module, runs the passes named on the command line, and prints the module.
// It is for authors of passes and tests; all others use `tilewright`. MLIR's driver only reads
// text, so bytecode is converted to text first.

#include "../Program.h"
#include "tilewright/api/Load.h"
#include "tilewright/api/Print.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/layout/Passes.h"
#include "tilewright/layout/dialect/Register.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Dialect.h"
#include "tools/WriteFile.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tilewright;

// With the option names of the public tools (operations, 2.5).
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

/// LLVM's libraries register hundreds of options before main. They still work, but --help shows
/// only the options of this tool.
static void hideOptionsOfLibraries() {
  for (auto [name, option] : llvm::cl::getRegisteredOptions())
    if (option != &warnUnsupportedHints && option != &failOnUnsupportedHints &&
        !name.starts_with("help") && name != "version")
      option->setHiddenFlag(llvm::cl::ReallyHidden);
}

/// Converts bytecode to text, including its debug information; returns text unchanged. Null if
/// malformed.
static std::unique_ptr<llvm::MemoryBuffer> asText(std::unique_ptr<llvm::MemoryBuffer> file) {
  if (!bytecode::isBytecode(file->getBuffer()))
    return file;
  api::LoadOptions options;
  options.hints = hintMode();
  api::Loader loader(options);
  auto module = loader.loadMemory(file->getBuffer(), file->getBufferIdentifier());
  if (!module)
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(api::toText(*module, {.locations = true}),
                                              file->getBufferIdentifier());
}

/// Like MlirOptMain with file names, but also reads bytecode.
static llvm::LogicalResult optimize(llvm::StringRef input, llvm::StringRef output,
                                    mlir::DialectRegistry &registry) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &problem);
  std::unique_ptr<llvm::ToolOutputFile> result;
  if (file)
    result = mlir::openOutputFile(output, &problem);
  if (!result) {
    llvm::errs() << problem << "\n";
    return llvm::failure();
  }
  std::unique_ptr<llvm::MemoryBuffer> text = asText(std::move(file));
  if (!text || failed(mlir::MlirOptMain(result->os(), std::move(text), registry,
                                        mlir::MlirOptMainConfig::createFromCLOptions())))
    return llvm::failure();
  // runProgram checks standard output.
  support::Result<void> written;
  if (output != "-")
    written = tools::flush(result->os(), output);
  if (!written) {
    llvm::errs() << written.failure().message << "\n";
    return llvm::failure();
  }
  result->keep();
  return llvm::success();
}

static int runPasses(int argc, char **argv) {
  hideOptionsOfLibraries();
  mlir::registerTransformsPasses();
  layout::registerLayoutPasses();
  lower::registerLowerPasses();
  mlir::DialectRegistry registry;
  registry.insert<mlir::BuiltinDialect, tile::TileDialect>();
  layout::registerDialects(registry);
  // The options have been parsed by the time a context loads the dialect.
  registry.addExtension(
      +[](mlir::MLIRContext *, tile::TileDialect *dialect) { dialect->hintMode = hintMode(); });
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "Tilewright's optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  // --show-dialects and --list-passes need no input file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  return mlir::asMainReturnCode(optimize(input, output, registry));
}

int main(int argc, char **argv) {
  return tools::runProgram("tilewright-opt", [&] { return runPasses(argc, argv); });
}
