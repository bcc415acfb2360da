// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of every subcommand that reads a program, and what it exits with when that
// fails.

#ifndef TILEWRIGHT_TOOLS_LOADFLAGS_H
#define TILEWRIGHT_TOOLS_LOADFLAGS_H

#include "Commands.h"
#include "tilewright/driver/Load.h"

#include <CLI/CLI.hpp>

namespace tilewright::tools {

inline void addLoadFlags(CLI::App &command, driver::LoadOptions &options) {
  const std::map<std::string, tile::HintMode> hintModes = {{"silent", tile::HintMode::Silent},
                                                           {"warn", tile::HintMode::Warn},
                                                           {"error", tile::HintMode::Error}};
  command
      .add_option("--hints", options.hints,
                  "unknown or odd optimization hints: silent (default), warn or error")
      ->transform(CLI::CheckedTransformer(hintModes).description(""))
      ->option_text("MODE");
  command.add_flag("--strict", options.strict,
                   "also reject what only the prose of the specification forbids");
  command.add_flag("--allow-unregistered-dialect", options.allowUnregistered,
                   "accept operations of unknown dialects in generic form");
}

/// An option whose value is a released version of Tile IR.
inline void addVersionOption(CLI::App &command, const char *name, std::string &version,
                             const char *description) {
  command.add_option(name, version, description)
      ->option_text("VERSION")
      ->check([](const std::string &text) {
        return tile::Version::parse(text) ? ""
                                          : "expected 13.1, 13.2 or 13.3, but got '" + text + "'";
      });
}

/// After a load that gave no module.
inline int exitStatusOf(const driver::Loader &loader) {
  return loader.status() == driver::LoadStatus::Unreadable ? ExitUsage : ExitInvalid;
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_LOADFLAGS_H
