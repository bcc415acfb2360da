// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright print: the program in canonical text.

#include "Commands.h"
#include "LoadFlags.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct PrintOptions {
  std::string file;
  bool generic = false;
  bool locations = false;
  driver::LoadOptions load;
};
} // namespace

static int print(const PrintOptions &options) {
  driver::Loader loader(options.load);
  mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(options.file);
  if (!module)
    return loader.status() == driver::LoadStatus::Unreadable ? ExitUsage : ExitInvalid;
  mlir::OpPrintingFlags flags;
  flags.printGenericOpForm(options.generic);
  flags.enableDebugInfo(options.locations);
  // Constants are printed whole: a text that left elements out could not be read again.
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  module->print(llvm::outs(), flags);
  llvm::outs() << "\n";
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return ExitSuccess;
  llvm::errs() << "standard output: cannot write: " << llvm::outs().error().message() << "\n";
  llvm::outs().clear_error();
  return ExitUsage;
}

void tools::addPrint(CLI::App &app, int &exitStatus) {
  auto options = std::make_shared<PrintOptions>();
  CLI::App *command = app.add_subcommand("print", "Print a program in canonical text");
  command->add_option("FILE", options->file, "the program; '-' is standard input")->required();
  command->add_flag("--generic", options->generic, "print the generic form of every operation");
  command->add_flag("--locations", options->locations, "print locations and debug information");
  addLoadFlags(*command, options->load);
  command->callback([options, &exitStatus] { exitStatus = print(*options); });
}
