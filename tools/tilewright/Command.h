// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares commands and their options; a wrapper around CLI11, which parses the command line. CLI11
// is header-only and takes seconds to compile: only Command.cpp, CommandLine.cpp, UsageErrors.cpp
// and help/CommandTable.cpp include it.

#ifndef TILEWRIGHT_TOOLS_COMMAND_H
#define TILEWRIGHT_TOOLS_COMMAND_H

#include "tools/tilewright/help/CommandTable.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tilewright::tools {

/// Stops parsing the command line with the usage error `OPTION: MESSAGE`.
[[noreturn]] void refuse(const std::string &option, const std::string &message);

/// Properties of an option that CLI11 does not store.
struct OptionFacts {
  Values values;
  bool isRepeatable = false;
  /// For a flag that may have a value: what help calls the value.
  std::string optionalValue = {};
};

/// State that all commands share.
struct ProgramState {
  int exitStatus = 0;
  std::map<const CLI::Option *, OptionFacts> facts;
  /// For commands whose operands are another command line (addTrailing): that operand.
  std::map<const CLI::App *, OptionRow> trailing;
};

/// A reference to an option, to set its properties. Copies refer to the same option.
class Option {
public:
  Option(CLI::Option *option, ProgramState &state) : option(option), state(&state) {}

  Option required() const;
  /// Makes it a usage error to give this option without the other.
  Option needs(Option other) const;
  /// Makes it a usage error to give both.
  Option excludes(Option other) const;
  /// Allows several values in one use, separated by `separator`.
  Option splitAt(char separator) const;
  /// Allows the option to be given several times.
  Option repeatable() const;
  /// Omits the option from help, manual pages and completion.
  Option hidden() const;
  /// Sets how shells complete the value.
  Option completedBy(Values values) const;
  Option isFile() const { return completedBy({Values::File}); }

private:
  CLI::Option *option;
  ProgramState *state;
};

/// A reference to the program, one of its commands, or a group of options. Copies refer to the same
/// one.
class Command {
public:
  using Texts = std::vector<std::string>;

  Command(CLI::App &app, ProgramState &state) : app(&app), state(&state) {}

  Command addCommand(const std::string &name, const std::string &description) const;
  /// Adds a group of options with a heading. The user must give at least `least` and at most `most`
  /// of them.
  Command addGroup(const std::string &heading, size_t least, size_t most) const;

  /// Adds an option with a value. `store` receives the texts of all its uses, and may refuse them.
  Option addOption(const std::string &name, std::function<void(const Texts &)> store,
                   const std::string &valueName, const std::string &description) const;
  /// Adds an option with two values, which may be given once.
  Option addPair(const std::string &name, Texts &values, const std::string &valueNames,
                 const std::string &description) const;
  /// Add positional arguments: one, or any number.
  Option addOperand(const std::string &name, std::string &value,
                    const std::string &description) const;
  Option addOperands(const std::string &name, Texts &values, const std::string &description) const;
  /// Adds an operand that takes all words from the first one that is not an option: the command
  /// line of another program.
  void addTrailing(const std::string &name, const std::string &description) const;
  /// Adds an option without a value.
  Option addFlag(const std::string &name, bool &value, const std::string &description) const;
  Option addFlag(const std::string &name, std::function<void()> store,
                 const std::string &description) const;
  /// Adds a flag with an optional file, which must follow '=': in "--trace k.mlir", k.mlir is the
  /// program. Without '=', the file is "-". The flag may be given once.
  Option addFileFlag(const std::string &name, std::string &file,
                     const std::string &description) const;
  /// The same for a value of another kind, which help calls `valueName`. Without '=', it is
  /// `missing`.
  Option addValueFlag(const std::string &name, std::string &value, const std::string &missing,
                      const std::string &valueName, const std::string &description) const;

  void setFooter(const std::string &text) const;
  /// Sets a function that is called after all options are stored. It may refuse them.
  void onParsed(std::function<void()> complete) const;
  /// Sets the function that executes the command and returns the exit status.
  void onRun(std::function<int()> run) const;

  /// Whether this option is given.
  bool has(const std::string &option) const;
  /// The words that addTrailing's operand has taken. Valid when the command runs.
  Texts trailing() const;
  /// The program that the command belongs to.
  CommandRow programTable() const;

private:
  CLI::App *app;
  ProgramState *state;
};

/// Converts CLI11's description of a command, for help pages and completion scripts.
CommandRow tableOf(const CLI::App &app, const ProgramState &state);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMMAND_H
