// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry of a file, and arguments for it from the command line, for commands that the library
// runs: `explore`, `estimate` and `diff`.

#ifndef TILEWRIGHT_TOOLS_ENTRYARGUMENTS_H
#define TILEWRIGHT_TOOLS_ENTRYARGUMENTS_H

#include "Command.h"
#include "Commands.h"
#include "tilewright/api/Array.h"
#include "tilewright/api/Module.h"
#include "tilewright/api/Options.h"
#include "tilewright/nvidia/Target.h"
#include "tools/tilewright/run/Arguments.h"

namespace tilewright::tools {

/// The first entry of the file that has one of these names; an empty one means the only entry.
/// Sets `exitStatus` after a failure.
support::Result<api::Entry> readEntry(const std::string &file, llvm::ArrayRef<std::string> names,
                                      int &exitStatus);

/// The options of such a command for an entry and its launch.
struct LaunchFlags {
  std::string file, entry, grid;
  std::vector<std::string> arguments;
};
void addLaunchFlags(Command command, LaunchFlags &flags);

/// Adds --target, a GPU.
void addGpu(Command command, nvidia::Target &target);

/// The exit status of a command that ends with this outcome.
int statusOf(api::Outcome outcome);

class EntryArguments {
public:
  /// Reads the file, selects the entry and binds the arguments.
  support::Result<void> load(const LaunchFlags &flags);
  /// The exit status after `load` has failed.
  int status() const { return exitStatus; }

  const api::Entry &entry() const { return *chosen; }
  const Arguments &bound() const { return values; }
  /// They refer to the arrays of this object.
  const std::vector<api::Argument> &arguments() const { return forLibrary; }

private:
  int exitStatus = ExitUsage;
  std::optional<api::Entry> chosen;
  Arguments values;
  std::vector<api::Argument> forLibrary;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_ENTRYARGUMENTS_H
