// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes a loaded file as bytecode in memory. The default version is that of the file if it is
// bytecode, and otherwise the oldest one that can represent the module.

#ifndef TILEWRIGHT_API_ASSEMBLE_H
#define TILEWRIGHT_API_ASSEMBLE_H

#include "tilewright/api/Load.h"

namespace tilewright::api {

/// The only Tile IR module in the file that `loader` loaded last. If there is none, or anything
/// else beside it, reports an error and returns null.
tile::ModuleOp theModule(Loader &loader, mlir::ModuleOp file);

/// Appends the bytecode of that module to `bytes`. If `version` cannot represent it, reports an
/// error on each operation that the version lacks, and appends nothing.
llvm::LogicalResult assemble(Loader &loader, mlir::ModuleOp file,
                             std::optional<tile::Version> version,
                             llvm::SmallVectorImpl<char> &bytes);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ASSEMBLE_H
