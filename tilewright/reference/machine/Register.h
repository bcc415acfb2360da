// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a register: a tile, a tensor view, or a token; or, if the schedule delays memory
// operations, the pending operation that will produce the contents.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_REGISTER_H
#define TILEWRIGHT_REFERENCE_MACHINE_REGISTER_H

#include "tilewright/reference/machine/Tile.h"
#include "tilewright/reference/memory/Token.h"

#include <variant>

namespace tilewright::reference {

struct MemoryOperation;
using SharedOperation = std::shared_ptr<MemoryOperation>;

/// A token: the operations known to happen before it, and pending operations that it waits for.
struct Token {
  VectorClock clock = {};
  llvm::SmallVector<SharedOperation, 0> pending = {};
};

/// The result of a pending operation.
struct PendingTile {
  SharedOperation operation;
};

using Register = std::variant<std::monostate, Tile, TensorView, Token, PendingTile>;

/// Whether two contents of one register have equal elements, or are equal views. Tokens are always
/// equal.
bool areEqual(const Register &one, const Register &other);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_REGISTER_H
