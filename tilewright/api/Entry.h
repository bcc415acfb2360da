// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry of a module: what can be launched. It has a name and parameters, each of which is a
// scalar or a pointer.

#ifndef TILEWRIGHT_API_ENTRY_H
#define TILEWRIGHT_API_ENTRY_H

#include "tilewright/api/Diagnostic.h"
#include "tilewright/numerics/Format.h"

#include <memory>
#include <string>
#include <vector>

namespace tilewright::api {

struct Parameter {
  bool isPointer;
  /// The format of the scalar, or of the elements that the pointer points to. None: no argument can
  /// be passed for this type.
  std::optional<numerics::Format> format;
  /// In Tile IR syntax: `!cuda_tile.tile<ptr<f32>>`.
  std::string type;
  /// A pointer through which the kernel may write.
  bool isWritten = false;
};

/// An entry of a module. It keeps the module alive. Any thread may use it.
class Entry {
public:
  const std::string &name() const { return entryName; }
  const std::vector<Parameter> &parameters() const { return entryParameters; }
  /// The place in the source; for bytecode, as the debug information says.
  const Place &place() const { return entryPlace; }

private:
  friend class Module;
  friend class Kernel;
  friend class ExploredProgram;
  Entry(std::shared_ptr<struct ModuleState> module, std::string name,
        std::vector<Parameter> parameters, Place place)
      : module(std::move(module)), entryName(std::move(name)),
        entryParameters(std::move(parameters)), entryPlace(std::move(place)) {}

  std::shared_ptr<ModuleState> module;
  std::string entryName;
  std::vector<Parameter> entryParameters;
  Place entryPlace;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ENTRY_H
