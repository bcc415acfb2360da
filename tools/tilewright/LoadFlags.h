// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that all subcommands that read a program share, and the exit status when reading
// fails.

#ifndef TILEWRIGHT_TOOLS_LOADFLAGS_H
#define TILEWRIGHT_TOOLS_LOADFLAGS_H

#include "Commands.h"
#include "Options.h"
#include "tilewright/api/Load.h"

namespace tilewright::tools {

inline void addLoadFlags(Command command, api::LoadOptions &options) {
  addChoice<tile::HintMode>(
      command, "--hints", options.hints,
      {{"silent", tile::HintMode::Silent},
       {"warn", tile::HintMode::Warn},
       {"error", tile::HintMode::Error}},
      "MODE", "unknown or invalid optimization hints: silent (default), warn or error");
  command.addFlag("--strict", options.strict,
                  "also reject programs that only the specification's prose forbids");
  command.addFlag("--allow-unregistered-dialect", options.allowUnregistered,
                  "accept operations of unknown dialects in generic form");
}

/// Adds an option whose value is a released Tile IR version.
inline void addVersionOption(Command command, const char *name,
                             std::optional<tile::Version> &version, const char *description) {
  auto parse = [](const std::string &text) -> support::Result<tile::Version> {
    if (std::optional<tile::Version> parsed = tile::Version::parse(text))
      return *parsed;
    return expected("13.1 to 13.5", text);
  };
  addParsed(command, name, version, parse, "VERSION", description)
      .completedBy({Values::Choice, {"13.1", "13.2", "13.3", "13.4", "13.5"}});
}

/// The exit status after the loader has failed to return a module.
inline int exitStatusOf(const api::Loader &loader) {
  return loader.status() == api::LoadStatus::Unreadable ? ExitUsage : ExitInvalid;
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_LOADFLAGS_H
