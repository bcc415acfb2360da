// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of arrays that one execution of an operation accesses.

#ifndef TILEWRIGHT_API_EXPLORE_ACCESSES_H
#define TILEWRIGHT_API_EXPLORE_ACCESSES_H

#include "tilewright/api/explore/ElementRuns.h"
#include "tilewright/reference/memory/Races.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::api {

struct Accesses {
  /// `load`, `store` or `update`.
  llvm::StringRef kind;
  reference::Semantics semantics = {};
  /// The shape of the accessed tile.
  llvm::SmallVector<int64_t, 4> tile;
  /// By index of the array; none for other memory.
  llvm::MapVector<std::optional<size_t>, ElementRuns, std::map<std::optional<size_t>, unsigned>>
      elements;

  bool empty() const { return elements.empty(); }
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_ACCESSES_H
