// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server: MLIR's, with our dialects and an Assistant's additions. docs/editors.md
// describes how to configure editors.

#include "../Program.h"
#include "Relay.h"
#include "tilewright/layout/dialect/Register.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/SmallVector.h"

using namespace tilewright;
using llvm::StringRef;

namespace {
/// The options of the editor's side, and those that are passed to the server.
struct Options {
  editor::Style style;
  bool onlyInforms = false; ///< For --help and --version: there is no editor.
  llvm::SmallVector<char *> ofServer;
};
} // namespace

static Options optionsOf(int argc, char **argv) {
  static char verbose[] = "--log=verbose";
  Options options;
  for (char *argument : llvm::ArrayRef(argv, argc)) {
    const StringRef name = StringRef(argument).ltrim('-');
    const bool isOption = name.size() < StringRef(argument).size();
    options.onlyInforms |= isOption && (name.starts_with("help") || name.starts_with("version"));
    const bool isForTests = isOption && name == "lit-test";
    if (isForTests || (isOption && name == "input-style=delimited"))
      options.style.input = llvm::lsp::JSONStreamStyle::Delimited;
    if (isForTests || (isOption && name == "pretty"))
      options.style.isPretty = true;
    if (isForTests)
      options.ofServer.push_back(verbose);
    else if (!isOption || (name != "pretty" && !name.starts_with("input-style")))
      options.ofServer.push_back(argument);
  }
  return options;
}

static int serve(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect>();
  layout::registerDialects(registry);
  Options options = optionsOf(argc, argv);
  if (options.onlyInforms)
    return int(mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)));

  auto server = [&] {
    return int(mlir::failed(
        mlir::MlirLspServerMain(int(options.ofServer.size()), options.ofServer.data(), registry)));
  };
  support::Result<int> status = editor::runBehindRelay(options.style, server);
  if (status)
    return *status;
  llvm::errs() << "tilewright-lsp-server: " << status.failure().message << "\n";
  return 2;
}

int main(int argc, char **argv) {
  return tools::runProgram("tilewright-lsp-server", [&] { return serve(argc, argv); });
}
