// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program that an explored kernel belongs to, read again: operations in a context of their own,
// which no other thread uses. In bytecode without debug information, locations have byte offsets.

#ifndef TILEWRIGHT_API_EXPLORE_PROGRAM_H
#define TILEWRIGHT_API_EXPLORE_PROGRAM_H

#include "tilewright/api/Array.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/runtime/Grid.h"

namespace tilewright::api {

class ExploredProgram {
public:
  static support::Result<std::unique_ptr<ExploredProgram>> of(const Entry &entry);

  tile::EntryOp entry() const { return entryOp; }
  tile::ModuleOp module() const { return state->module; }
  /// All of the file, with its module.
  mlir::ModuleOp contents() const { return *state->file; }
  llvm::StringRef file() const { return state->name; }
  /// How the text of the file names its values.
  const ValueNames &valueNames() const { return state->loader.valueNames(); }
  /// The text of the file; empty for bytecode.
  llvm::StringRef text() const { return state->fileVersion ? "" : state->loader.bytes(); }

private:
  explicit ExploredProgram(std::unique_ptr<ModuleState> state) : state(std::move(state)) {}

  std::unique_ptr<ModuleState> state;
  tile::EntryOp entryOp;
};

/// Fails unless the reference machine can launch the entry on these arguments. Runs nothing.
support::Result<void> verifyLaunch(const Entry &entry, const runtime::Grid &grid,
                                   const std::vector<Argument> &arguments);

/// `tile<4xf32>`, as Tile IR text has it.
std::string typeText(mlir::Type type);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_PROGRAM_H
