// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be launched, and what does it take? An entry of a module has a name and parameters,
// each of which is a scalar or a pointer.

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
  /// Of the scalar, or of what the pointer points to. None: nothing can be passed.
  std::optional<numerics::Format> format;
  /// As Tile IR writes it: `!cuda_tile.tile<ptr<f32>>`.
  std::string type;
  /// It is a pointer, and the kernel may write to what it points to.
  bool isWritten = false;
};

/// An entry of a module, which it keeps alive. Any thread may use it.
class Entry {
public:
  const std::string &name() const { return entryName; }
  const std::vector<Parameter> &parameters() const { return entryParameters; }
  /// In the source; in bytecode, as debug information says.
  const Place &place() const { return entryPlace; }

private:
  friend class Module;
  friend class Kernel;
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
