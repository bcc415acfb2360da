// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright check: is this program valid, and if not, where is it wrong?

#include "Commands.h"
#include "LoadFlags.h"

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct CheckOptions {
  std::vector<std::string> files;
  api::LoadOptions load;
};
} // namespace

/// Checks all files, whatever is wrong with the first ones.
static int check(const CheckOptions &options) {
  int status = ExitSuccess;
  for (const std::string &file : options.files) {
    api::Loader loader(options.load);
    mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(file);
    if (!module)
      status = std::max(status, exitStatusOf(loader));
  }
  return status;
}

void tools::addCheck(Command program) {
  auto options = std::make_shared<CheckOptions>();
  Command command = program.addCommand("check", "Verify programs");
  command.addOperands("FILE", options->files, "programs to verify; '-' is standard input")
      .required();
  addLoadFlags(command, options->load);
  addVersionOption(command, "--target-version", options->load.target,
                   "report what this Tile IR version (13.1 to 13.5) cannot express");
  command.setFooter("Exit status: 0 all are valid; 1 one is invalid; 2 wrong usage, or a file that "
                    "cannot be read.");
  command.onRun([options] { return check(*options); });
}
