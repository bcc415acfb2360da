// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of commands and options. It is created from CLI11's description of them, and the output
// of --help, the manual pages and the completion scripts are generated from it. So these agree with
// each other and with the parser.

#ifndef TILEWRIGHT_TOOLS_COMMANDTABLE_H
#define TILEWRIGHT_TOOLS_COMMANDTABLE_H

#include <string>
#include <vector>

namespace tilewright::tools {

/// The possible values of an option or operand, for shell completion.
struct Values {
  enum Kind {
    Any,     ///< No completion.
    File,    ///< A file or folder.
    Choice,  ///< One of `names`.
    List,    ///< Some of `names`, separated by commas.
    Program, ///< The name of a program, and then its arguments.
  };
  Kind kind = Any;
  std::vector<std::string> names = {};
};

struct OptionRow {
  /// `--grid`, `-o`; for an operand, `FILE`. Messages use the first name.
  std::vector<std::string> names;
  /// `X[,Y[,Z]]`; empty for a flag and for an operand.
  std::string value;
  /// The value may be omitted; otherwise it follows '='.
  bool valueIsOptional = false;
  bool isRequired = false;
  bool isRepeatable = false;
  std::string description;
  /// The options that it requires, and those that it cannot be combined with.
  std::vector<std::string> needs, excludes;
  Values values;

  bool isFlag() const { return value.empty(); }
};

/// Options with a common heading.
struct OptionGroup {
  std::string heading;
  /// `exactly one of these`; may be empty.
  std::string rule;
  std::vector<OptionRow> options;
};

struct CommandRow {
  /// `tilewright`, or the name of a command, such as `run`.
  std::string name;
  std::string description;
  /// Printed unchanged, below the options.
  std::string footer;
  std::vector<OptionRow> operands;
  std::vector<OptionGroup> groups;
  /// Subcommands; only the program has any.
  std::vector<CommandRow> commands = {};

  /// The options of all groups.
  std::vector<OptionRow> options() const {
    std::vector<OptionRow> all;
    for (const OptionGroup &group : groups)
      all.insert(all.end(), group.options.begin(), group.options.end());
    return all;
  }
};

/// The names of all commands.
std::vector<std::string> namesOf(const CommandRow &program);

/// The output of --help; `name` is `tilewright` or `tilewright run`.
std::string helpPage(const CommandRow &command, const std::string &name);

/// A manual page in roff, for the program or one of its commands.
std::string manPage(const CommandRow &program, const CommandRow &command);

/// Scripts that complete command lines.
std::string bashCompletion(const CommandRow &program);
std::string zshCompletion(const CommandRow &program);
std::string fishCompletion(const CommandRow &program);

/// The description up to the first semicolon, colon or parenthesis, for completion menus.
std::string shortDescription(const OptionRow &option);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMMANDTABLE_H
