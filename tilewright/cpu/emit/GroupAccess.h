// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a group access, in the version of its loops that is being emitted?

#ifndef TILEWRIGHT_CPU_EMIT_GROUPACCESS_H
#define TILEWRIGHT_CPU_EMIT_GROUPACCESS_H

#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/emit/PointerAccess.h"

namespace tilewright::cpu {

/// The tiles that the members of a group access, and whether they are contiguous and inside of
/// their tensors in the version that is being emitted.
struct GroupAccess {
  TileRegions regions;
  bool isContiguous = true;
  /// How far ahead a load's next tile lies, and the inner loop that fetches it, -1: none; whether
  /// that is only where it stores past the caches, and whether it goes into the first cache.
  llvm::MapVector<mlir::Operation *, mlir::Value> ahead;
  int64_t fetchingLoop = -1;
  bool fetchesIfPastCaches = false, fetchesNear = false;
  /// A row to come, for each dimension whose coordinates come from a tile: where it is in memory,
  /// only that tile knows. The last one of the tile, and false, where there is none.
  struct RowAhead {
    mlir::Value row, isInTile;
  };
  llvm::MapVector<unsigned, RowAhead> rowAhead;
  /// For stores through views that may be non-temporal: whether they are, an i1.
  llvm::MapVector<mlir::Operation *, mlir::Value> nonTemporal;
  /// For stores through pointers whose whole rows may be non-temporal: whether the launch stores
  /// enough for that, an i1.
  llvm::MapVector<mlir::Operation *, mlir::Value> large;
  /// Where rows behind pointers are whole: that which is being emitted.
  PointerRows pointerRows;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_GROUPACCESS_H
