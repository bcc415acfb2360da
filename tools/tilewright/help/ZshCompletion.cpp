// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the completion script for zsh, which describes the options for zsh's function
// _arguments.

#include "tools/tilewright/help/CommandTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tilewright::tools;
using llvm::StringRef;

static constexpr const char *head = R"(#compdef tilewright
# zsh completion for tilewright, written by: tilewright completion zsh

_tilewright() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C)";

static constexpr const char *commandsHead = R"( ':command:->command' '*::argument:->argument'
  case $state in
  command)
    local -a commands=(
)";

static constexpr const char *argumentsHead = R"(    )
    _describe -t commands command commands
    ;;
  argument)
    case $line[1] in
)";

// A script that is sourced registers the function; one that zsh autoloads from $fpath calls it.
static constexpr const char *foot = R"(    esac
    ;;
  esac
}

if [[ $funcstack[1] == _tilewright ]]; then
  _tilewright "$@"
else
  compdef _tilewright tilewright
fi
)";

/// A word in single quotes.
static std::string quoted(StringRef text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// Escapes a description for an option specification, in which brackets and colons would end it.
static std::string described(StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// The action of an option specification, which completes the value.
static std::string action(const Values &values, StringRef message) {
  switch (values.kind) {
  case Values::Any:
    return " ";
  case Values::File:
    return "_files";
  case Values::Choice:
    return "(" + llvm::join(values.names, " ") + ")";
  case Values::List:
    return "_values -s , " + message.lower() + " " + llvm::join(values.names, " ");
  case Values::Program:
    return " _normal";
  }
  return "";
}

/// `'*--arg=[the next parameter]:SPEC:_files'`
static std::string specification(const OptionRow &option, const std::string &name) {
  const bool isLong = StringRef(name).starts_with("--");
  std::string text = option.isRepeatable ? "*" + name : name;
  if (option.valueIsOptional)
    text += "=-";
  else if (!option.isFlag())
    text += isLong ? "=" : "+";
  text += "[" + described(shortDescription(option)) + "]";
  if (option.valueIsOptional)
    text += ":";
  if (!option.isFlag())
    text += ":" + described(option.value) + ":" + action(option.values, "value");
  return quoted(text);
}

static std::string operandOf(const OptionRow &operand) {
  // All words after a program are its arguments.
  const bool isProgram = operand.values.kind == Values::Program;
  const std::string place = isProgram ? "*::" : operand.isRepeatable ? "*:" : "1:";
  return quoted(place + described(operand.names.front()) + ":" +
                action(operand.values, operand.names.front()));
}

static std::string argumentsOf(const CommandRow &command, StringRef indent) {
  std::string text;
  for (const OptionRow &option : command.options())
    for (const std::string &name : option.names)
      text += (" \\\n" + indent).str() + specification(option, name);
  for (const OptionRow &operand : command.operands)
    text += (" \\\n" + indent).str() + operandOf(operand);
  return text;
}

std::string tilewright::tools::zshCompletion(const CommandRow &program) {
  std::string text = head + argumentsOf(program, "    ") + commandsHead;
  for (const CommandRow &command : program.commands)
    text += "      " + quoted(command.name + ":" + command.description) + "\n";
  text += argumentsHead;
  for (const CommandRow &command : program.commands)
    text += "    " + command.name + ")\n      _arguments -s" + argumentsOf(command, "        ") +
            "\n      ;;\n";
  return text + foot;
}
