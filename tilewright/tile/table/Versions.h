// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Tile IR version that a program requires (types, 12; arithmetic, 2.4).

#ifndef TILEWRIGHT_TILE_TABLE_VERSIONS_H
#define TILEWRIGHT_TILE_TABLE_VERSIONS_H

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

namespace tilewright::tile {

/// A part of a program that older versions lack.
struct Requirement {
  mlir::Operation *op;
  std::string what; ///< "operation 'pack'", "type 'f4E2M1FN'", "'fast_acc' of 'mmaf'"
  Version since;
  /// Older bytecode can store it, but older versions do not define its meaning.
  bool isMeaningOnly = false;
};

/// What `root` and the operations in it require beyond `version`, in program order.
llvm::SmallVector<Requirement> requirementsBeyond(mlir::Operation *root, Version version);

/// Emits a diagnostic for each requirement of `root` beyond `version`, on its operation, and fails
/// if there is any. With `warnOfMeanings`, a newer meaning is only a warning. Misfits, which no
/// version supports (Misfits.h), are reported first.
llvm::LogicalResult verifyFits(mlir::Operation *root, Version version, bool warnOfMeanings = false);

/// The oldest version that can express `root`, ignoring misfits.
Version minimumVersion(mlir::Operation *root);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TABLE_VERSIONS_H
