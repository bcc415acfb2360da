// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory accesses of a group, in the version of its loops that is being emitted.

#ifndef TILEWRIGHT_CPU_EMIT_GROUPACCESS_H
#define TILEWRIGHT_CPU_EMIT_GROUPACCESS_H

#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/emit/PointerAccess.h"

namespace tilewright::cpu {

/// The tiles that the group's members access, and whether they are contiguous and inside their
/// tensors in the version that is being emitted.
struct GroupAccess {
  TileRegions regions;
  bool isContiguous = true;
  /// The distance from each load's tile to the next one that is prefetched.
  llvm::MapVector<mlir::Operation *, mlir::Value> ahead;
  /// A later row of the tile, for each dimension whose coordinates a tile supplies, as only these
  /// coordinates determine its address. Past the end: the last row, and `isInTile` is false.
  struct RowAhead {
    mlir::Value row, isInTile;
  };
  llvm::MapVector<unsigned, RowAhead> rowAhead;
  /// For view stores that may be non-temporal: whether they are, as an i1.
  llvm::MapVector<mlir::Operation *, mlir::Value> nonTemporal;
  /// For pointer stores whose contiguous rows may be non-temporal: whether the launch stores
  /// enough, as an i1.
  llvm::MapVector<mlir::Operation *, mlir::Value> large;
  /// The current rows of accesses through pointers, in the version where rows are contiguous.
  PointerRows pointerRows;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_GROUPACCESS_H
