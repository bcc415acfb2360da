// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes a module as bytecode (bytecode format, 16). Sections and indexes have the same order as
// in the public tools, so that equal modules give equal files.

#ifndef TILEWRIGHT_BYTECODE_WRITER_H
#define TILEWRIGHT_BYTECODE_WRITER_H

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

namespace tilewright::bytecode {

/// The oldest version that can store the module, including its producer string.
tile::Version lowestVersion(tile::ModuleOp module);

/// Appends the file to `bytes`. The module must be verified. Anything that `version` cannot express
/// is diagnosed on its operation, and nothing is appended, with three exceptions: below 13.3 the
/// producer string is dropped silently, a combination whose encoding is older than its meaning
/// (`addf` on bf16 in atomic_rmw_tko) is written with a warning, and locations other than debug
/// locations become unknown.
llvm::LogicalResult writeModule(tile::ModuleOp module, tile::Version version,
                                llvm::SmallVectorImpl<char> &bytes);

/// The only Tile IR module in `module`. If there is none, or there are other operations beside it,
/// emits a diagnostic and returns null.
tile::ModuleOp findTileModule(mlir::ModuleOp module);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_WRITER_H
