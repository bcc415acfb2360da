// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UsageErrors.h. Rewrites CLI11's messages in the form of our other messages. Unknown options
// are reported first: a misspelt option may be the reason why a required one is missing.

#include "UsageErrors.h"
#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include <CLI/CLI.hpp>

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;

//===-- Unknown options and commands --------------------------------------------------------===//

static std::vector<std::string> optionNames(const CommandRow &command) {
  std::vector<std::string> names;
  for (const OptionRow &option : command.options())
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// The option as the user typed it. CLI11 parses `-grid` as `-g` and reports `-rid` as unknown.
static StringRef asTyped(StringRef option, llvm::ArrayRef<StringRef> words) {
  if (option.starts_with("--"))
    return option;
  for (StringRef word : words)
    if (word.starts_with("-") && !word.starts_with("--") && word.ends_with(option.drop_front()))
      return word;
  return option;
}

/// `; 'tilewright compile' has it`, if another command has this option.
static std::string ownerOf(StringRef option, const CommandRow &program) {
  for (const CommandRow &command : program.commands)
    if (llvm::is_contained(optionNames(command), option))
      return "; '" + program.name + " " + command.name + "' has it";
  return "";
}

static std::string unexpected(StringRef word, const CommandRow &program, const CommandRow &command,
                              llvm::ArrayRef<StringRef> words) {
  if (!word.starts_with("-") || word.size() < 2) {
    if (&command == &program)
      return unknownName("command", word, namesOf(program));
    return "unexpected argument " + quoted(word);
  }
  const StringRef option = asTyped(word, words).split('=').first;
  const std::string message = unknownName("option", option, optionNames(command));
  return message + (message.back() == '?' ? "" : ownerOf(option, program));
}

//===-- Other errors ------------------------------------------------------------------------===//

/// The message for a group of options of which too few or too many are given; empty if there is
/// none.
static std::string wrongNumber(const CommandRow &command, const CLI::App &app) {
  for (const OptionGroup &group : command.groups) {
    if (group.rule.empty())
      continue;
    std::vector<std::string> names, given;
    for (const OptionRow &option : group.options) {
      names.push_back(option.names.front());
      if (app.count(option.names.front()))
        given.push_back(option.names.front());
    }
    if (given.size() != 1 && (given.size() > 1 || StringRef(group.rule).starts_with("exactly")))
      return "expected " + group.rule + ": " + llvm::join(names, ", ") + "; but got " +
             (given.empty() ? "none" : llvm::join(given, " and "));
  }
  return "";
}

static std::string mismatch(StringRef message, const CommandRow &command, const CLI::App &app) {
  const StringRef option = message.take_until([](char c) { return c == ':' || c == ' '; });
  if (message.ends_with(" missing"))
    return option.str() + ": expected a value, but got none";
  if (message.ends_with("was given a disallowed flag override"))
    // CLI11's message has the name without its dashes.
    return (option.size() == 1 ? "-" : "--") + option.str() + ": expected no value, but got one";
  if (message.contains(": At least"))
    for (const OptionRow &row : command.options())
      if (row.names.front() == option)
        return option.str() + ": expected " + row.value + ", but got " +
               tools::quoted(llvm::join(app.get_option(option.str())->results(), " "));
  if (message.contains(": At Most"))
    return repeated(app.count(option.str())).at(option.str()).message;
  return message.str();
}

std::string tools::explained(const CLI::Error &error, const CLI::App &app, const CLI::App &part,
                             const ProgramState &state, llvm::ArrayRef<StringRef> words) {
  const CommandRow program = tableOf(app, state);
  const CommandRow *command = &program;
  for (const CommandRow &row : program.commands)
    if (row.name == part.get_name())
      command = &row;
  const std::string kind = error.get_name();
  const std::vector<std::string> unknown = part.remaining();
  // If the command takes another command line, the remaining words belong to that.
  if (!unknown.empty() && (kind == "ExtrasError" || !part.get_prefix_command()))
    return unexpected(unknown.front(), program, *command, words);
  if (kind == "RequiredError" && command == &program)
    return "expected a command";
  if (kind == "RequiredError")
    if (std::string message = wrongNumber(*command, part); !message.empty())
      return message;
  if (kind == "ArgumentMismatch")
    return mismatch(error.what(), *command, part);
  return error.what();
}
