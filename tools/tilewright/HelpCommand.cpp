// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright help` and `tilewright completion`: print help pages, manual pages and completion
// scripts, all of which are generated from the table of commands (help/CommandTable.h).

#include "Commands.h"
#include "Options.h"
#include "Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::tools;

//===-- help --------------------------------------------------------------------------------===//

namespace {
struct HelpOptions {
  std::string command;
  bool man = false;
  std::string folder;
};
} // namespace

/// The command of that name; the program itself if the name is empty; null if there is no such
/// command.
static const CommandRow *find(const CommandRow &program, const std::string &name) {
  if (name.empty())
    return &program;
  for (const CommandRow &row : program.commands)
    if (row.name == name)
      return &row;
  return nullptr;
}

/// Writes all manual pages into the folder.
static int writePages(const CommandRow &program, const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    llvm::errs() << "tilewright help: " << folder << ": cannot write: " << error.message() << "\n";
    return ExitUsage;
  }
  std::vector<FileContents> files;
  std::vector<std::string> paths = {folder + "/" + program.name + ".1"},
                           pages = {manPage(program, program)};
  for (const CommandRow &row : program.commands) {
    paths.push_back(folder + "/" + program.name + "-" + row.name + ".1");
    pages.push_back(manPage(program, row));
  }
  for (size_t i = 0; i < paths.size(); ++i)
    files.push_back({paths[i], pages[i]});
  if (support::Result<void> written = writeFiles(files); !written) {
    llvm::errs() << "tilewright help: " << written.failure().message << "\n";
    return ExitUsage;
  }
  return ExitSuccess;
}

static int showHelp(const CommandRow &program, const HelpOptions &options) {
  if (!options.folder.empty())
    return writePages(program, options.folder);
  const CommandRow *command = find(program, options.command);
  if (!command) {
    llvm::errs() << "tilewright help: " << unknownName("command", options.command, namesOf(program))
                 << "\n";
    return ExitUsage;
  }
  const std::string name = command == &program ? program.name : program.name + " " + command->name;
  return finishWith("-", options.man ? manPage(program, *command) : helpPage(*command, name));
}

void tools::addHelp(Command program) {
  auto options = std::make_shared<HelpOptions>();
  Command command = program.addCommand("help", "Explain a command");
  command.addOperand("COMMAND", options->command, "the command; without: the program")
      .completedBy({Values::Choice, namesOf(program.programTable())});
  command.addFlag("--man", options->man, "print its manual page, for man -l -");
  addName(command, "--man-pages", options->folder, "FOLDER",
          "write all manual pages into this folder")
      .isFile();
  command.setFooter("'tilewright COMMAND --help' prints the same page.\n"
                    "Exit status: 0 success; 2 wrong usage, or a file that cannot be written.");
  command.onRun([program, options] { return showHelp(program.programTable(), *options); });
}

//===-- completion --------------------------------------------------------------------------===//

static constexpr const char *completionHelp =
    R"(The script makes the shell complete commands, options, values and files. An installed package
brings it along. For one session:

  bash   source <(tilewright completion bash)
  zsh    source <(tilewright completion zsh)
  fish   tilewright completion fish | source

For all: write it to ~/.local/share/bash-completion/completions/tilewright, to a file _tilewright in
a folder of $fpath, or to ~/.config/fish/completions/tilewright.fish.
Exit status: 0 success; 2 wrong usage.)";

void tools::addCompletion(Command program) {
  using Writer = std::string (*)(const CommandRow &);
  auto writer = std::make_shared<Writer>();
  auto output = std::make_shared<std::string>("-");
  Command command =
      program.addCommand("completion", "Print a script that completes command lines in a shell");
  addChoice<Writer>(command, "SHELL", *writer,
                    {{"bash", bashCompletion}, {"zsh", zshCompletion}, {"fish", fishCompletion}},
                    "", "bash, zsh or fish")
      .required();
  addName(command, "-o", *output, "FILE", "the file to write; '-', the default, is standard output")
      .isFile();
  command.setFooter(completionHelp);
  command.onRun(
      [program, writer, output] { return finishWith(*output, (*writer)(program.programTable())); });
}
