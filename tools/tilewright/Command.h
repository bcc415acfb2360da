// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands and their options. CLI11, which reads the command line, is all templates and inline
// functions and takes seconds to compile: only Command.cpp, CommandTable.cpp and CommandLine.cpp
// include it.

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

/// Ends the reading of the command line: `OPTION: MESSAGE`, wrong usage.
[[noreturn]] void refuse(const std::string &option, const std::string &message);

/// What CLI11 has no place for.
struct OptionFacts {
  Values values;
  bool isRepeatable = false, valueIsOptional = false;
};

/// What the commands share.
struct ProgramState {
  int exitStatus = 0;
  std::map<const CLI::Option *, OptionFacts> facts;
  /// The operand of commands that take all words from the first operand on.
  std::map<const CLI::App *, OptionRow> trailing;
};

/// What else is known of an option. Copies mean the same option.
class Option {
public:
  Option(CLI::Option *option, ProgramState &state) : option(option), state(&state) {}

  Option required() const;
  /// It is wrong usage to give this one without the other.
  Option needs(Option other) const;
  /// It is wrong usage to give both.
  Option excludes(Option other) const;
  /// One use may have several values with `separator` between them.
  Option splitAt(char separator) const;
  /// It may be given several times.
  Option repeatable() const;
  /// What a shell completes its value with.
  Option completedBy(Values values) const;
  Option isFile() const { return completedBy({Values::File}); }

private:
  CLI::Option *option;
  ProgramState *state;
};

/// The program, one of its commands, or a group of options. Copies mean the same one.
class Command {
public:
  using Texts = std::vector<std::string>;

  Command(CLI::App &app, ProgramState &state) : app(&app), state(&state) {}

  Command addCommand(const std::string &name, const std::string &description) const;
  /// Options under a heading. At least `least` and at most `most` of them are given.
  Command addGroup(const std::string &heading, size_t least, size_t most) const;

  /// An option with a value. `store` takes the texts of all its uses, and may refuse them.
  Option addOption(const std::string &name, std::function<void(const Texts &)> store,
                   const std::string &valueName, const std::string &description) const;
  /// An option with two values, which may be given once.
  Option addPair(const std::string &name, Texts &values, const std::string &valueNames,
                 const std::string &description) const;
  /// What is not an option: one text, or any number.
  Option addOperand(const std::string &name, std::string &value,
                    const std::string &description) const;
  Option addOperands(const std::string &name, Texts &values, const std::string &description) const;
  /// All words from the first one on that is no option: a command line of its own.
  void addTrailing(const std::string &name, const std::string &description) const;
  /// An option without a value.
  Option addFlag(const std::string &name, bool &value, const std::string &description) const;
  Option addFlag(const std::string &name, std::function<void()> store,
                 const std::string &description) const;
  /// A flag that may have a file, always after '=': "--trace k.mlir" runs k.mlir. Without one the
  /// file is "-". It may be given once.
  Option addFileFlag(const std::string &name, std::string &file,
                     const std::string &description) const;

  void setFooter(const std::string &text) const;
  /// Called when all options are stored. It may refuse them.
  void onParsed(std::function<void()> complete) const;
  /// Executes the command and returns the exit status.
  void onRun(std::function<int()> run) const;

  /// Is this option given?
  bool has(const std::string &option) const;
  /// The words that addTrailing is about, when the command runs.
  Texts trailing() const;
  /// The program that the command belongs to.
  CommandRow programTable() const;

private:
  CLI::App *app;
  ProgramState *state;
};

/// What is written from CLI11's tables.
CommandRow tableOf(const CLI::App &app, const ProgramState &state);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMMAND_H
