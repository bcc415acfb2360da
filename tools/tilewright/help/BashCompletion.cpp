// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the completion script for bash. The script does not need the package bash-completion:
// one function finds the command, determines the candidates for the current word, and fills
// COMPREPLY.

#include "tools/tilewright/help/CommandTable.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright::tools;

// Bash splits --coverage=FILE and json=FILE into three words, because '=' separates words.
static constexpr const char *head =
    R"(# bash completion for tilewright, written by: tilewright completion bash

_tilewright() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= has_equals=
  if [[ $word == = ]]; then
    word= has_equals=1
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]} has_equals=1
  fi
  local i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  COMPREPLY=()

  # What the word may be: an option, one of `choices`, some of `list`, a file, a program.
  local options= choices= list= files= programs=
  _tilewright_words "$command" "$before" "$has_equals"
  if [[ -n $has_equals && $before != -* ]]; then
    choices= list= files=1 # --report json=FILE
  fi

  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  if [[ -n $list ]]; then
    local first=
    [[ $word == *,* ]] && first=${word%,*},
    COMPREPLY=($(compgen -P "$first" -W "$list" -- "${word##*,}"))
    compopt -o nospace
  fi
  [[ -n $choices ]] && COMPREPLY=($(compgen -W "$choices" -- "$word"))
  if [[ -n $files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
  [[ -n $programs ]] && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$word")
}

# COMMAND BEFORE HAS_EQUALS
_tilewright_words() {
  case $1 in
)";

static constexpr const char *foot = R"(  esac
}

complete -F _tilewright tilewright
)";

/// An assignment to one of the variables above; empty if there are no candidates.
static std::string offer(const Values &values) {
  switch (values.kind) {
  case Values::Any:
    return "";
  case Values::File:
    return "files=1";
  case Values::Choice:
    return "choices='" + llvm::join(values.names, " ") + "'";
  case Values::List:
    return "list='" + llvm::join(values.names, " ") + "'";
  case Values::Program:
    return "programs=1 files=1";
  }
  return "";
}

/// The case for the word after an option. If the value is optional, as for --trace, it is completed
/// only after '='.
static std::string caseOf(const OptionRow &option) {
  std::string text = "    " + llvm::join(option.names, "|") + ")\n";
  const std::string offered = offer(option.values);
  if (option.valueIsOptional)
    return text + "      if [[ -n $3 ]]; then " + (offered.empty() ? "" : offered + "; ") +
           "return; fi\n      ;;\n";
  return text + "      " + (offered.empty() ? "" : offered + "; ") + "return\n      ;;\n";
}

static std::string caseOf(const CommandRow &command) {
  std::string options, cases;
  for (const OptionRow &option : command.options()) {
    options += (options.empty() ? "" : " ") + llvm::join(option.names, " ");
    if (!option.isFlag())
      cases += caseOf(option);
  }
  std::string text = "    options='" + options + "'\n";
  if (!cases.empty())
    text += "    case $2 in\n" + cases + "    esac\n";
  if (!command.operands.empty())
    if (std::string offered = offer(command.operands.front().values); !offered.empty())
      text += "    " + offered + "\n";
  if (!command.commands.empty())
    text += "    choices='" + llvm::join(namesOf(command), " ") + "'\n";
  return text + "    ;;\n";
}

std::string tilewright::tools::bashCompletion(const CommandRow &program) {
  std::string text = head;
  text += "  '')\n" + caseOf(program);
  for (const CommandRow &command : program.commands)
    text += "  " + command.name + ")\n" + caseOf(command);
  return text + foot;
}
