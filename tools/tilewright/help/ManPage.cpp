// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates manual pages in roff (man(7)): tilewright.1 for the program, tilewright-run.1 and so on
// for its commands.

#include "tilewright/support/Version.h"
#include "tools/tilewright/help/CommandTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tilewright::tools;
using llvm::StringRef;

/// Escapes text for roff, so that '-' is not printed as a hyphen, and lines that start with '.' are
/// not requests.
static std::string escaped(StringRef text) {
  std::string roff;
  bool startsLine = true;
  for (char c : text) {
    if (startsLine && (c == '.' || c == '\''))
      roff += "\\&";
    startsLine = c == '\n';
    if (c == '\\')
      roff += "\\e";
    else if (c == '-')
      roff += "\\-";
    else
      roff += c;
  }
  return roff;
}

static std::string bold(StringRef text) { return "\\fB" + escaped(text) + "\\fR"; }
static std::string italic(StringRef text) { return "\\fI" + escaped(text) + "\\fR"; }

static std::string valueOf(const OptionRow &option) {
  if (option.valueIsOptional)
    return "[=" + italic(option.value) + "]";
  return option.isFlag() ? "" : " " + italic(option.value);
}

static std::string synopsisOf(const CommandRow &command, const std::string &name) {
  std::string text = bold(name) + " [" + italic("OPTIONS") + "]";
  for (const OptionRow &option : command.options())
    if (option.isRequired)
      text += " " + bold(option.names.front()) + valueOf(option);
  for (const OptionRow &operand : command.operands) {
    const std::string words = italic(operand.names.front()) + (operand.isRepeatable ? " ..." : "");
    text += operand.isRequired ? " " + words : " [" + words + "]";
  }
  return text + (command.commands.empty() ? "" : " " + italic("COMMAND") + " ...");
}

static std::string paragraphOf(const OptionRow &option) {
  std::vector<std::string> names;
  for (const std::string &name : option.names)
    names.push_back(name.front() == '-' ? bold(name) : italic(name));
  std::string text =
      ".TP\n" + llvm::join(names, ", ") + valueOf(option) + "\n" + escaped(option.description);
  if (!option.needs.empty())
    text += "; only with " + bold(llvm::join(option.needs, ", "));
  if (!option.excludes.empty())
    text += "; not with " + bold(llvm::join(option.excludes, ", "));
  return text + "\n";
}

/// The name of a command's page: `tilewright-run`.
static std::string pageName(const CommandRow &program, const CommandRow &command) {
  return &program == &command ? program.name : program.name + "-" + command.name;
}

static std::string seeAlso(const CommandRow &program, const CommandRow &command) {
  std::vector<std::string> others;
  if (&program != &command)
    others.push_back(bold(program.name) + "(1)");
  else
    for (const CommandRow &row : program.commands)
      others.push_back(bold(pageName(program, row)) + "(1)");
  return ".SH SEE ALSO\n" + llvm::join(others, ",\n") + "\n";
}

std::string tilewright::tools::manPage(const CommandRow &program, const CommandRow &command) {
  const std::string page = pageName(program, command),
                    name = &program == &command ? program.name : program.name + " " + command.name;
  std::string text = ".TH " + StringRef(page).upper() + " 1 \"\" \"" + program.name + " " +
                     support::version + "\" \"Tilewright\"\n";
  text += ".SH NAME\n" + escaped(page) + " \\- " + escaped(command.description) + "\n";
  text += ".SH SYNOPSIS\n" + synopsisOf(command, name) + "\n";
  if (!command.operands.empty())
    text += ".SH OPERANDS\n";
  for (const OptionRow &operand : command.operands)
    text += paragraphOf(operand);
  for (const OptionGroup &group : command.groups) {
    text += ".SH \"" + StringRef(group.heading).upper() + "\"\n";
    if (!group.rule.empty())
      text += escaped("Give " + group.rule + ".\n");
    for (const OptionRow &option : group.options)
      text += paragraphOf(option);
  }
  if (!command.commands.empty())
    text += ".SH COMMANDS\n";
  for (const CommandRow &row : command.commands)
    text += ".TP\n" + bold(row.name) + "\n" + escaped(row.description) + "\n";
  if (!command.footer.empty())
    text += ".SH NOTES\n.nf\n" + escaped(StringRef(command.footer).trim('\n')) + "\n.fi\n";
  return text + seeAlso(program, command);
}
