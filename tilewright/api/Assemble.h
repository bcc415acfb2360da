// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a loaded file to bytecode in memory. Who names no version gets the one that the file
// had, or the oldest that can hold what was written as text.

#ifndef TILEWRIGHT_API_ASSEMBLE_H
#define TILEWRIGHT_API_ASSEMBLE_H

#include "tilewright/api/Load.h"

namespace tilewright::api {

/// The one Tile IR module in the file that `loader` loaded last. Null, and diagnosed there, if
/// there is none or anything else beside it.
tile::ModuleOp theModule(Loader &loader, mlir::ModuleOp file);

/// Appends the bytes of that module. What `version` cannot express is diagnosed as errors on
/// its operations, and nothing is appended.
llvm::LogicalResult assemble(Loader &loader, mlir::ModuleOp file,
                             std::optional<tile::Version> version,
                             llvm::SmallVectorImpl<char> &bytes);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ASSEMBLE_H
