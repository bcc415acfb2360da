// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module to bytes (bytecode format, 16). Sections and indexes are laid out as the
// public tools do, so that equal modules give equal files.

#ifndef TILEWRIGHT_BYTECODE_WRITER_H
#define TILEWRIGHT_BYTECODE_WRITER_H

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

namespace tilewright::bytecode {

/// The oldest version that can hold the module, its producer string included.
tile::Version lowestVersion(tile::ModuleOp module);

/// Appends the file to `bytes`. The module must be verified. What `version` cannot express is
/// diagnosed on its operation and nothing is appended; only the producer string is dropped
/// silently below 13.3, a combination whose encoding is older than its meaning (`addf` on
/// bf16 of atomic_rmw_tko) is written with a warning, and locations that are no debug locations
/// become unknown.
llvm::LogicalResult writeModule(tile::ModuleOp module, tile::Version version,
                                llvm::SmallVectorImpl<char> &bytes);

/// The one Tile IR module in `module`; null, and diagnosed, if there is none or another
/// operation beside it.
tile::ModuleOp findTileModule(mlir::ModuleOp module);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_WRITER_H
