// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Command.h.

#include "Command.h"

#include <CLI/CLI.hpp>

using namespace tilewright::tools;

void tilewright::tools::refuse(const std::string &option, const std::string &message) {
  throw CLI::ValidationError(option, message);
}

Option Option::required() const { return Option(option->required()); }

Option Option::needs(Option other) const { return Option(option->needs(other.option)); }

Option Option::excludes(Option other) const { return Option(option->excludes(other.option)); }

Option Option::splitAt(char separator) const { return Option(option->delimiter(separator)); }

Command Command::addCommand(const std::string &name, const std::string &description) const {
  return Command(*app->add_subcommand(name, description), *exitStatus);
}

Command Command::addGroup(const std::string &heading, size_t least, size_t most) const {
  CLI::Option_group *group = app->add_option_group(heading);
  group->require_option(least, most);
  return Command(*group, *exitStatus);
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
                    ->option_text(valueName));
}

Option Command::addPair(const std::string &name, Texts &values, const std::string &valueNames,
                        const std::string &description) const {
  return Option(app->add_option(name, values, description)->expected(2)->option_text(valueNames));
}

Option Command::addOperand(const std::string &name, std::string &value,
                           const std::string &description) const {
  return Option(app->add_option(name, value, description));
}

Option Command::addOperands(const std::string &name, Texts &values,
                            const std::string &description) const {
  return Option(app->add_option(name, values, description));
}

Option Command::addFlag(const std::string &name, bool &value,
                        const std::string &description) const {
  return Option(app->add_flag(name, value, description)->disable_flag_override());
}

Option Command::addFlag(const std::string &name, std::function<void()> store,
                        const std::string &description) const {
  return Option(
      app->add_flag_callback(name, std::move(store), description)->disable_flag_override());
}

Option Command::addFileFlag(const std::string &name, std::string &file,
                            const std::string &description) const {
  return Option(app->add_flag(name, file, description)->transform([](const std::string &text) {
    return text == "true" ? "-" : text;
  }));
}

void Command::setFooter(const std::string &text) const { app->footer(text); }

void Command::onParsed(std::function<void()> complete) const {
  app->parse_complete_callback(std::move(complete));
}

void Command::onRun(std::function<int()> run) const {
  app->callback([run = std::move(run), status = exitStatus] { *status = run(); });
}

bool Command::has(const std::string &option) const { return app->count(option) != 0; }
