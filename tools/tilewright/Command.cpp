// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Command.h.

#include "Command.h"

#include <CLI/CLI.hpp>

using namespace tilewright::tools;

void tilewright::tools::refuse(const std::string &option, const std::string &message) {
  throw CLI::ValidationError(option, message);
}

Option Option::required() const { return Option(option->required(), *state); }

Option Option::needs(Option other) const { return Option(option->needs(other.option), *state); }

Option Option::excludes(Option other) const {
  return Option(option->excludes(other.option), *state);
}

Option Option::splitAt(char separator) const {
  return Option(option->delimiter(separator), *state);
}

Option Option::completedBy(Values values) const {
  state->facts[option].values = std::move(values);
  return *this;
}

Option Option::hidden() const { return Option(option->group(""), *state); }

Option Option::repeatable() const {
  state->facts[option].isRepeatable = true;
  return *this;
}

Command Command::addCommand(const std::string &name, const std::string &description) const {
  return Command(*app->add_subcommand(name, description), *state);
}

Command Command::addGroup(const std::string &heading, size_t least, size_t most) const {
  CLI::Option_group *group = app->add_option_group(heading);
  group->set_help_flag(); // no --help per group: the command has one
  group->require_option(least, most);
  return Command(*group, *state);
}

Option Command::addOption(const std::string &name, std::function<void(const Texts &)> store,
                          const std::string &valueName, const std::string &description) const {
  CLI::callback_t keep = [store = std::move(store)](const CLI::results_t &texts) {
    store(texts);
    return true;
  };
  return Option(app->add_option(name, std::move(keep), description)
                    ->expected(1)
                    ->allow_extra_args(false)
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                    ->option_text(valueName),
                *state);
}

Option Command::addPair(const std::string &name, Texts &values, const std::string &valueNames,
                        const std::string &description) const {
  return Option(app->add_option(name, values, description)->expected(2)->option_text(valueNames),
                *state);
}

Option Command::addOperand(const std::string &name, std::string &value,
                           const std::string &description) const {
  return Option(app->add_option(name, value, description), *state);
}

Option Command::addOperands(const std::string &name, Texts &values,
                            const std::string &description) const {
  return Option(app->add_option(name, values, description), *state);
}

void Command::addTrailing(const std::string &name, const std::string &description) const {
  app->prefix_command();
  // CLI11 leaves the words after "--" to the parent, the program.
  app->preparse_callback([program = app->get_parent()](size_t) { program->prefix_command(); });
  OptionRow &row = state->trailing[app];
  row.names = {name};
  row.description = description;
  row.isRequired = row.isRepeatable = true;
  row.values = {Values::Program};
}

Command::Texts Command::trailing() const {
  Texts words = app->remaining();
  if (words.empty())
    words = app->get_parent()->remaining();
  // CLI11 leaves unknown options among these words.
  if (!words.empty() && words.front().size() > 1 && words.front().front() == '-')
    throw CLI::ExtrasError(words);
  return words;
}

Option Command::addFlag(const std::string &name, bool &value,
                        const std::string &description) const {
  return Option(app->add_flag(name, value, description)->disable_flag_override(), *state);
}

Option Command::addFlag(const std::string &name, std::function<void()> store,
                        const std::string &description) const {
  return Option(
      app->add_flag_callback(name, std::move(store), description)->disable_flag_override(), *state);
}

Option Command::addFileFlag(const std::string &name, std::string &file,
                            const std::string &description) const {
  return addValueFlag(name, file, "-", "FILE", description).isFile();
}

Option Command::addValueFlag(const std::string &name, std::string &value,
                             const std::string &missing, const std::string &valueName,
                             const std::string &description) const {
  // CLI11's syntax for the value of a flag that is given without one.
  CLI::Option *flag = app->add_flag(name + "{" + missing + "}", value, description);
  // If the flag is given twice, one value would be ignored.
  flag->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  state->facts[flag].optionalValue = valueName;
  return Option(flag, *state);
}

void Command::setFooter(const std::string &text) const { app->footer(text); }

void Command::onParsed(std::function<void()> complete) const {
  app->parse_complete_callback(std::move(complete));
}

void Command::onRun(std::function<int()> run) const {
  app->callback([run = std::move(run), state = state] { state->exitStatus = run(); });
}

bool Command::has(const std::string &option) const { return app->count(option) != 0; }

CommandRow Command::programTable() const {
  const CLI::App *program = app;
  while (program->get_parent())
    program = program->get_parent();
  return tableOf(*program, *state);
}
