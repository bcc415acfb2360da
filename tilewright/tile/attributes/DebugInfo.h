// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consistency of debug information (types, 10.2).

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_DEBUGINFO_H
#define TILEWRIGHT_TILE_ATTRIBUTES_DEBUGINFO_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// The entry and all operations in it lie in one subprogram, or none does.
llvm::LogicalResult verifyDebugInfo(EntryOp entry);

/// Nothing else that stands directly in a module lies in a scope.
llvm::LogicalResult verifyDebugInfo(ModuleOp module);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_DEBUGINFO_H
