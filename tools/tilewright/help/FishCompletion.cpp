// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the completion script for fish: one `complete` line for each command and option.

#include "tools/tilewright/help/CommandTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tilewright::tools;
using llvm::StringRef;

static constexpr const char *head =
    R"(# fish completion for tilewright, written by: tilewright completion fish

# Is this the command so far? Without an argument: is there none?
function __tilewright_in
    for word in (commandline -opc)[2..]
        if not string match -q -- '-*' $word
            test "$word" = "$argv[1]"
            return
        end
    end
    test -z "$argv[1]"
end

complete -c tilewright -f
)";

/// A word in single quotes.
static std::string quoted(StringRef text) {
  std::string word = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\')
      word += '\\';
    word += c;
  }
  return word + "'";
}

static std::string offer(const Values &values, bool isOptional) {
  const std::string names = llvm::join(values.names, " ");
  switch (values.kind) {
  case Values::Any:
    return isOptional ? "" : " -x";
  case Values::File:
    return isOptional ? "" : " -r -F";
  case Values::Choice:
    return " -x -a " + quoted(names);
  case Values::List:
    return " -x -a " + quoted("(__fish_append , " + names + ")");
  case Values::Program:
    return " -F -a " + quoted("(__fish_complete_command)");
  }
  return "";
}

static std::string lineOf(const OptionRow &option, const std::string &condition) {
  std::string text = condition;
  for (const std::string &name : option.names)
    text += StringRef(name).starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.isFlag())
    text += offer(option.values, option.valueIsOptional);
  return text + " -d " + quoted(shortDescription(option)) + "\n";
}

static std::string linesOf(const CommandRow &command, const std::string &name) {
  const std::string condition =
      "complete -c tilewright -n " +
      quoted(name.empty() ? "__tilewright_in" : "__tilewright_in " + name);
  std::string text;
  for (const OptionRow &option : command.options())
    text += lineOf(option, condition);
  for (const OptionRow &operand : command.operands) {
    const Values &values = operand.values;
    if (values.kind == Values::File)
      text += condition + " -F\n";
    else if (values.kind != Values::Any)
      text += condition + offer(values, false) + "\n";
  }
  return text;
}

std::string tilewright::tools::fishCompletion(const CommandRow &program) {
  std::string text = head + linesOf(program, "");
  for (const CommandRow &command : program.commands)
    text += "complete -c tilewright -n __tilewright_in -a " + command.name + " -d " +
            quoted(command.description) + "\n";
  for (const CommandRow &command : program.commands)
    text += linesOf(command, command.name);
  return text;
}
