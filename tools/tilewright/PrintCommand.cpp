// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright print, tilewright dis: the program in canonical text. The first is for looking
// at a program, the second is the way back from `tilewright as`.

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

/// What the two have in common.
static CLI::App *addPrinting(CLI::App &app, int &exitStatus, const char *name,
                             const char *description, std::shared_ptr<PrintOptions> options) {
  CLI::App *command = addCommand(app, name, description);
  addFile(*command, options->file, "the program; '-' is standard input");
  addFlag(*command, "--generic", options->form.generic,
          "print the generic form of every operation");
  addFlag(*command, "--locations", options->form.locations,
          "print locations and debug information");
  addLoadFlags(*command, options->load);
  command->footer(footer);
  command->callback([options, &exitStatus] { exitStatus = print(*options); });
  return command;
}

void tools::addPrint(CLI::App &app, int &exitStatus) {
  addPrinting(app, exitStatus, "print", "Print a program in canonical text",
              std::make_shared<PrintOptions>());
}

void tools::addDis(CLI::App &app, int &exitStatus) {
  auto options = std::make_shared<PrintOptions>();
  CLI::App *command = addPrinting(app, exitStatus, "dis", "Write bytecode as text", options);
  addName(*command, "-o", options->output, "FILE", "the file to write (default: standard output)");
}
