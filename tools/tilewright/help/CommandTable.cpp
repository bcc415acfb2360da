// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandTable.h. Converts CLI11's commands, options and groups to rows.

#include "Command.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace tilewright::tools;

static std::vector<std::string> namesOf(const std::set<CLI::Option *> &options) {
  std::vector<std::string> names;
  for (const CLI::Option *option : options)
    names.push_back(option->get_name());
  std::sort(names.begin(), names.end()); // CLI11 orders them by address
  return names;
}

/// `-h`, `--help`
static std::vector<std::string> namesOf(const CLI::Option &option) {
  if (!option.nonpositional())
    return {option.get_name(/*positional=*/true)};
  std::vector<std::string> names;
  for (const std::string &name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    names.push_back("--" + name);
  return names;
}

static OptionRow rowOf(const CLI::Option &option, const ProgramState &state) {
  OptionRow row;
  row.names = namesOf(option);
  row.description = option.get_description();
  row.isRequired = option.get_required();
  row.needs = namesOf(option.get_needs());
  row.excludes = namesOf(option.get_excludes());
  row.value = option.get_option_text();
  row.isRepeatable = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  const auto known = state.facts.find(&option);
  if (known == state.facts.end())
    return row;
  row.values = known->second.values;
  row.isRepeatable |= known->second.isRepeatable;
  row.valueIsOptional = !known->second.optionalValue.empty();
  if (row.valueIsOptional)
    row.value = known->second.optionalValue;
  return row;
}

/// `exactly one of these`; empty if any number is allowed.
static std::string ruleOf(const CLI::App &group) {
  const size_t least = group.get_require_option_min(), most = group.get_require_option_max();
  if (most != 1)
    return "";
  return least == 1 ? "exactly one of these" : "at most one of these";
}

static void add(CommandRow &row, const CLI::App &app, const std::string &heading,
                const ProgramState &state) {
  OptionGroup group{heading, ruleOf(app), {}};
  for (const CLI::Option *option : app.get_options({}))
    if (!option->get_group().empty()) // else it is hidden
      (option->nonpositional() ? group.options : row.operands).push_back(rowOf(*option, state));
  if (!group.options.empty())
    row.groups.push_back(std::move(group));
}

CommandRow tilewright::tools::tableOf(const CLI::App &app, const ProgramState &state) {
  CommandRow row{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  add(row, app, "Options", state);
  if (const auto trailing = state.trailing.find(&app); trailing != state.trailing.end())
    row.operands.push_back(trailing->second);
  for (const CLI::App *part : app.get_subcommands({}))
    if (part->get_name().empty())
      add(row, *part, part->get_group(), state);
    else if (!part->get_group().empty()) // hidden commands have no group
      row.commands.push_back(tableOf(*part, state));
  return row;
}

std::vector<std::string> tilewright::tools::namesOf(const CommandRow &program) {
  std::vector<std::string> names;
  for (const CommandRow &row : program.commands)
    names.push_back(row.name);
  return names;
}

std::string tilewright::tools::shortDescription(const OptionRow &option) {
  const std::string &text = option.description;
  return text.substr(0, std::min({text.find(';'), text.find(" ("), text.find(": ")}));
}
