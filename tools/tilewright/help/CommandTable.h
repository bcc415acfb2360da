// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of the program and their options, as data. The page that --help prints, the manual
// pages and the completion scripts are written from this table, which is read from CLI11: so they
// agree with each other and with what the parser accepts.

#ifndef TILEWRIGHT_TOOLS_COMMANDTABLE_H
#define TILEWRIGHT_TOOLS_COMMANDTABLE_H

#include <string>
#include <vector>

namespace tilewright::tools {

/// What an option or operand may be given, as far as a shell can complete it.
struct Values {
  enum Kind {
    Any,     ///< Nothing that a shell knows.
    File,    ///< A file or folder.
    Choice,  ///< One of `names`.
    List,    ///< Some of `names`, separated by commas.
    Program, ///< The name of a program, and then its arguments.
  };
  Kind kind = Any;
  std::vector<std::string> names = {};
};

struct OptionRow {
  /// `--grid`, `-o`; the first one is the name in messages. Of an operand: `FILE`.
  std::vector<std::string> names;
  /// `X[,Y[,Z]]`; empty for a flag and for an operand.
  std::string value;
  /// The value may be left out, and otherwise follows after '='.
  bool valueIsOptional = false;
  bool isRequired = false;
  bool isRepeatable = false;
  std::string description;
  /// The options that it goes with, and those that it does not go with.
  std::vector<std::string> needs, excludes;
  Values values;

  bool isFlag() const { return value.empty(); }
};

/// Options under a heading.
struct OptionGroup {
  std::string heading;
  /// `exactly one of these`; may be empty.
  std::string rule;
  std::vector<OptionRow> options;
};

struct CommandRow {
  /// `tilewright`, or that of a command: `run`.
  std::string name;
  std::string description;
  /// Printed as it is, below the options.
  std::string footer;
  std::vector<OptionRow> operands;
  std::vector<OptionGroup> groups;
  /// Of the program.
  std::vector<CommandRow> commands = {};

  /// All of all groups.
  std::vector<OptionRow> options() const {
    std::vector<OptionRow> all;
    for (const OptionGroup &group : groups)
      all.insert(all.end(), group.options.begin(), group.options.end());
    return all;
  }
};

/// The names of all commands.
std::vector<std::string> namesOf(const CommandRow &program);

/// The page that --help prints; `program` is `tilewright` or `tilewright run`.
std::string helpPage(const CommandRow &command, const std::string &name);

/// A page for man, in roff: of the program, or of one of its commands.
std::string manPage(const CommandRow &program, const CommandRow &command);

/// Scripts that complete command lines.
std::string bashCompletion(const CommandRow &program);
std::string zshCompletion(const CommandRow &program);
std::string fishCompletion(const CommandRow &program);

/// The description up to the first semicolon or parenthesis, for the menu of a shell.
std::string shortDescription(const OptionRow &option);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMMANDTABLE_H
