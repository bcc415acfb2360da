// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright exec`: runs a command in which cuTile scripts use Tilewright instead of a GPU. The
// Python package does the work (python/tilewright/_exec.py); this file parses the options and finds
// Python.

#include "Commands.h"
#include "Options.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct ExecOptions {
  /// Options that are passed to _exec.py: `--device=cpu`, ...
  std::vector<std::string> forwarded;
};
} // namespace

static constexpr const char *help =
    R"(Kernels are compiled for the CPU, or checked on the reference machine or the PTX machine: findings
go to standard error, with the line of the script, and the next synchronisation reports an error as
a GPU driver would. With --device=gpu they are compiled for the NVIDIA GPU of this machine, on which
its driver runs them; array libraries use the GPU as without Tilewright, and no other option applies.
The command needs Tilewright's Python package: it runs the Python in which `pip` installed the
package, or python3 from PATH.
Exit status: that of the command; 2 wrong usage, the Python package is missing, or there is no GPU;
127 the command does not exist.)";

/// Runs _exec.py, or explains how to install the package.
static constexpr const char *script = R"(
import os, sys
if sys.path[:1] == [""]:
    del sys.path[0] # the working folder, which is no part of the package
os.environ.pop("TILEWRIGHT_PYTHON", None)
try:
    from tilewright import _exec
except ImportError as error:
    sys.exit(print(f"tilewright exec: {error}\n"
                   "It needs Tilewright's Python package, which './dev wheel' builds: "
                   "pip install build/wheels/tilewright-*.whl", file=sys.stderr) or 2)
sys.exit(_exec.main(sys.argv[1:]))
)";

/// In a build tree, adds the package, which is beside the folder of the programs, to PYTHONPATH.
static void addPackageOfBuildTree() {
  static int anchor;
  llvm::SmallString<128> folder(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  for (int up = 0; up < 2; ++up)
    llvm::sys::path::remove_filename(folder);
  llvm::sys::path::append(folder, "python");
  if (!llvm::sys::fs::exists(folder + "/tilewright/_version.py"))
    return;
  const char *others = std::getenv("PYTHONPATH");
  const std::string path =
      std::string(folder) + (others && *others ? ":" : "") + (others ? others : "");
  setenv("PYTHONPATH", path.c_str(), /*replace=*/1);
}

static int execute(const ExecOptions &options, const std::vector<std::string> &command) {
  if (command.empty()) {
    llvm::errs()
        << "tilewright exec: expected a command, as in: tilewright exec python script.py\n";
    return ExitUsage;
  }
  // The `tilewright` program of the Python package sets this variable to its Python.
  const char *known = std::getenv("TILEWRIGHT_PYTHON");
  const std::string python = known && *known ? known : "python3";
  if (!known)
    addPackageOfBuildTree();
  std::vector<std::string> words = {python, "-c", script};
  words.insert(words.end(), options.forwarded.begin(), options.forwarded.end());
  words.push_back("--");
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(python.c_str(), arguments.data());
  llvm::errs() << "tilewright exec: cannot execute " << python << ": " << std::strerror(errno)
               << "\n";
  return ExitUsage;
}

/// Adds an option whose value is passed to _exec.py, which checks it.
static Option addForwarded(Command command, const char *name, ExecOptions &options,
                           const char *valueName, const char *description) {
  auto forward = [name, &options](const Command::Texts &texts) {
    for (const std::string &text : texts)
      options.forwarded.push_back(name + ("=" + text));
  };
  return command.addOption(name, std::move(forward), valueName, description);
}

void tools::addExec(Command program) {
  auto options = std::make_shared<ExecOptions>();
  Command command = program.addCommand("exec", "Run a command in which Tilewright compiles the "
                                               "kernels of cuTile scripts");
  addForwarded(command, "--device", *options, "DEVICE",
               "where kernels run: cpu; reference; ptx, the machine that executes PTX; or gpu, the "
               "GPU of this machine (default: cpu, or reference with --check)")
      .completedBy({Values::Choice, {"cpu", "reference", "ptx", "gpu"}});
  addForwarded(command, "--check", *options, "CHECKS",
               "the errors to check for: all, or a list such as race,bounds")
      .completedBy({Values::List, checkNames()});
  addForwarded(
      command, "--max-steps", *options, "N",
      "maximum number of operations, or with ptx, instructions of a launch (default 10^9)");
  addForwarded(command, "--threads", *options, "N",
               "threads of compiled code, at most 1024 (default: all)");
  addForwarded(command, "--memory", *options, "SIZE",
               "device memory in bytes, or as 512M or 8G (default: $TILEWRIGHT_MEMORY, or four "
               "fifths of the "
               "memory of this machine or control group)");
  addForwarded(command, "--arrays", *options, "LIBRARIES",
               "which array libraries have their 'cuda' arrays in host memory: torch,cupy "
               "(default), one of them, or none")
      .completedBy({Values::List, {"torch", "cupy", "none"}});
  addForwarded(command, "--report", *options, "FORMAT=FILE",
               "also write the findings to a file, as json or sarif; may be repeated")
      .repeatable()
      .completedBy({Values::Choice, {"json", "sarif"}});
  addForwarded(
      command, "--coverage", *options, "FILE",
      "report code of the kernels that was never executed, to a file, as JSON (.json), for lcov "
      "(.info), or else text")
      .isFile();
  command.addTrailing("COMMAND", "the command to run, and its arguments");
  command.setFooter(help);
  command.onRun([command, options] { return execute(*options, command.trailing()); });
}
