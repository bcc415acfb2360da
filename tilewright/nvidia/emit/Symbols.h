// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the arrays of a module. Globals of the program are named by numbers, because their names
// may have characters that PTX does not allow; other arrays have separate numbers.

#ifndef TILEWRIGHT_NVIDIA_EMIT_SYMBOLS_H
#define TILEWRIGHT_NVIDIA_EMIT_SYMBOLS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

class Symbols {
public:
  explicit Symbols(tile::ModuleOp module) {
    for (auto global : module.getBody().getOps<tile::GlobalOp>())
      numbers.try_emplace(global.getSymNameAttr(), numbers.size());
  }

  /// The symbol of the global with this name.
  std::string of(mlir::StringAttr global) const {
    return "tw_global" + std::to_string(numbers.at(global));
  }
  std::string next(llvm::StringRef prefix) { return (prefix + llvm::Twine(given++)).str(); }

private:
  llvm::DenseMap<mlir::StringAttr, size_t> numbers;
  size_t given = 0;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_SYMBOLS_H
