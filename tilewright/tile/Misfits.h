// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Misfits: what the verifier accepts although it is not part of a Tile IR program. Text can contain
// operations and types of other dialects, modules in entries, and operations directly in a module
// (textual format, 3 and 11.1). Bytecode cannot store them, and nothing can execute them, so the
// writer and the compilers check for them first.

#ifndef TILEWRIGHT_TILE_MISFITS_H
#define TILEWRIGHT_TILE_MISFITS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

struct Misfit {
  mlir::Operation *op;
  std::string what; ///< "operation 'x.y' is not part of Tile IR"
};

/// The first misfit below `root`, a file or a module, in the order of the text.
std::optional<Misfit> findMisfit(mlir::Operation *root);

/// Emits a diagnostic for the first misfit, on its operation.
llvm::LogicalResult verifyHasNoMisfit(mlir::Operation *root);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_MISFITS_H
