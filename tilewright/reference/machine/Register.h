// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a register hold? A tile, a tensor view, or a token; and, where a schedule
// delays memory operations, the operation whose result the register will hold.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_REGISTER_H
#define TILEWRIGHT_REFERENCE_MACHINE_REGISTER_H

#include "tilewright/reference/machine/Tile.h"
#include "tilewright/reference/memory/Token.h"

#include <variant>

namespace tilewright::reference {

struct MemoryOperation;
using SharedOperation = std::shared_ptr<MemoryOperation>;

/// What comes before: what is known of it, and operations that have not been performed.
struct Token {
  VectorClock clock = {};
  llvm::SmallVector<SharedOperation, 0> pending = {};
};

/// The result of an operation that has not been performed.
struct PendingTile {
  SharedOperation operation;
};

using Register = std::variant<std::monostate, Tile, TensorView, Token, PendingTile>;

/// Do two contents of one register have the same elements, or the same view? Tokens carry none.
bool areEqual(const Register &one, const Register &other);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_REGISTER_H
