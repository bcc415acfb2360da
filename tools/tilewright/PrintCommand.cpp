// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright print` and `tilewright dis`: write a program in canonical text. `print` is for
// reading a program; `dis` writes a file, and is the inverse of `tilewright as`.

#include "Commands.h"
#include "LoadFlags.h"
#include "Output.h"
#include "tilewright/api/Print.h"

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct PrintOptions {
  std::string file;
  std::string output = "-";
  api::TextForm form;
  api::LoadOptions load;
};
} // namespace

static constexpr const char *footer =
    R"(Exit status: 0 success; 1 the program is invalid; 2 wrong usage, or a file that cannot be read or
written.)";

static int print(const PrintOptions &options) {
  api::Loader loader(options.load);
  mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(options.file);
  if (!module)
    return exitStatusOf(loader);
  return finishWith(options.output, api::toText(*module, options.form));
}

/// Adds a command with the options that both have.
static Command addPrinting(Command program, const char *name, const char *description,
                           std::shared_ptr<PrintOptions> options) {
  Command command = program.addCommand(name, description);
  addFile(command, options->file, "the program; '-' is standard input");
  command.addFlag("--generic", options->form.generic, "print the generic form of every operation");
  command.addFlag("--locations", options->form.locations, "print locations and debug information");
  addLoadFlags(command, options->load);
  command.setFooter(footer);
  command.onRun([options] { return print(*options); });
  return command;
}

void tools::addPrint(Command program) {
  addPrinting(program, "print", "Print a program in canonical text",
              std::make_shared<PrintOptions>());
}

void tools::addDis(Command program) {
  auto options = std::make_shared<PrintOptions>();
  Command command = addPrinting(program, "dis", "Write bytecode as text", options);
  addName(command, "-o", options->output, "FILE", "the file to write (default: standard output)")
      .isFile();
}
