// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which Tile IR version does a program need? (types, 12; arithmetic, 2.4)

#ifndef TILEWRIGHT_TILE_TABLE_VERSIONS_H
#define TILEWRIGHT_TILE_TABLE_VERSIONS_H

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

namespace tilewright::tile {

/// Something in a program that older versions lack.
struct Requirement {
  mlir::Operation *op;
  std::string what; ///< "operation 'pack'", "type 'f4E2M1FN'", "'fast_acc' of 'mmaf'"
  Version since;
  /// Older bytecode can hold it all the same: only its meaning is younger.
  bool isMeaningOnly = false;
};

/// What `root` and the operations in it need beyond `version`, in program order.
llvm::SmallVector<Requirement> requirementsBeyond(mlir::Operation *root, Version version);

/// Diagnoses on its operation what `root` needs beyond `version`; fails if there is anything.
/// A younger meaning may be worth a warning only. What no version has (Misfits.h) comes first.
llvm::LogicalResult verifyFits(mlir::Operation *root, Version version, bool warnOfMeanings = false);

/// The oldest version that can express `root`, misfits aside.
Version minimumVersion(mlir::Operation *root);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TABLE_VERSIONS_H
