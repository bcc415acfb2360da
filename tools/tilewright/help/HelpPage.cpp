// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the output of --help: usage, operands, options and commands in two columns, and the
// footer.

#include "tools/tilewright/help/CommandTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tilewright::tools;
using llvm::StringRef;

static constexpr size_t lineWidth = 100, descriptionColumn = 30;

/// `  TERM    description`, broken into lines of at most `lineWidth` characters.
static std::string paragraph(const std::string &term, StringRef description) {
  std::string text = "  " + term;
  size_t column = text.size();
  if (column >= descriptionColumn) {
    text += "\n";
    column = 0;
  }
  text.append(descriptionColumn - column, ' ');
  column = descriptionColumn;
  llvm::SmallVector<StringRef> words;
  description.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (column > descriptionColumn && column + 1 + word.size() > lineWidth) {
      text += "\n" + std::string(descriptionColumn, ' ');
      column = descriptionColumn;
    } else if (column > descriptionColumn) {
      text += " ";
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + "\n";
}

/// `-o FILE`, `--trace[=FILE]`
static std::string termOf(const OptionRow &option) {
  const std::string names = llvm::join(option.names, ", ");
  if (option.valueIsOptional)
    return names + "[=" + option.value + "]";
  return option.isFlag() ? names : names + " " + option.value;
}

static std::string descriptionOf(const OptionRow &option) {
  std::string text = option.description;
  if (!option.needs.empty())
    text += " (only with " + llvm::join(option.needs, " and ") + ")";
  if (!option.excludes.empty())
    text += " (not with " + llvm::join(option.excludes, ", ") + ")";
  return text;
}

static std::string usageOf(const CommandRow &command, const std::string &name) {
  std::string usage = "Usage: " + name + " [OPTIONS]";
  for (const OptionRow &option : command.options())
    if (option.isRequired)
      usage += " " + option.names.front() + " " + option.value;
  for (const OptionRow &operand : command.operands) {
    const std::string words = operand.names.front() + (operand.isRepeatable ? "..." : "");
    usage += operand.isRequired ? " " + words : " [" + words + "]";
  }
  return usage + (command.commands.empty() ? "\n" : " COMMAND\n");
}

std::string tilewright::tools::helpPage(const CommandRow &command, const std::string &name) {
  std::string page = command.description + "\n" + usageOf(command, name);
  if (!command.operands.empty())
    page += "\nOperands:\n";
  for (const OptionRow &operand : command.operands)
    page += paragraph(operand.names.front(), operand.description);
  for (const OptionGroup &group : command.groups) {
    page += "\n" + group.heading + (group.rule.empty() ? "" : " (" + group.rule + ")") + ":\n";
    for (const OptionRow &option : group.options)
      page += paragraph(termOf(option), descriptionOf(option));
  }
  if (!command.commands.empty())
    page += "\nCommands:\n";
  for (const CommandRow &row : command.commands)
    page += paragraph(row.name, row.description);
  return command.footer.empty() ? page : page + "\n" + command.footer + "\n";
}
