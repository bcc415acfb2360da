// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consistency of debug information (types, 10.2).

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_DEBUGINFO_H
#define TILEWRIGHT_TILE_ATTRIBUTES_DEBUGINFO_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// Checks that the entry and all operations in it are in one subprogram, or none is.
llvm::LogicalResult verifyDebugInfo(EntryOp entry);

/// Checks that no other operation directly in a module has a scope.
llvm::LogicalResult verifyDebugInfo(ModuleOp module);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_DEBUGINFO_H
