// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright as`: writes a program as bytecode.

#include "Commands.h"
#include "LoadFlags.h"
#include "Output.h"
#include "tilewright/api/Assemble.h"

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct AsOptions {
  std::string file;
  std::string output;
  std::optional<tile::Version> version;
  api::LoadOptions load;
};
} // namespace

static constexpr const char *help =
    R"(Without --bytecode-version, a bytecode file keeps its version, and a text gets the oldest version
that can represent it; a producer needs 13.3. Each feature that the requested version cannot
represent is an error, and nothing is written; only the producer is dropped silently.
Bytecode does not store the name of the module, attributes of arguments, or positions
file:line:column that are not debug information. Fused, named and opaque locations are errors.
Exit status: 0 success; 1 the program is invalid, or needs a newer version; 2 wrong usage, or a
file that cannot be read or written.)";

static int assemble(const AsOptions &options) {
  api::Loader loader(options.load);
  mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(options.file);
  if (!module)
    return exitStatusOf(loader);
  llvm::SmallString<0> bytes;
  if (failed(api::assemble(loader, *module, options.version, bytes)))
    return ExitInvalid;
  return finishWith(options.output, bytes);
}

void tools::addAs(Command program) {
  auto options = std::make_shared<AsOptions>();
  Command command = program.addCommand("as", "Write a program as bytecode");
  addFile(command, options->file, "the program; '-' is standard input");
  addName(command, "-o", options->output, "FILE", "the file to write; '-' is standard output")
      .required()
      .isFile();
  addVersionOption(command, "--bytecode-version", options->version,
                   "the Tile IR version to write: 13.1 to 13.5");
  addLoadFlags(command, options->load);
  command.setFooter(help);
  command.onRun([options] { return assemble(*options); });
}
