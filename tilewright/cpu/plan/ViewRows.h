// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time facts about the tile that a view accesses. Elements of a row are contiguous if the
// tensor's stride is 1; the tile lies inside the tensor if the tensor's extent is a multiple of the
// tile's. Facts that are unknown are tested once per tile at run time, and the loops are emitted in
// two versions.

#ifndef TILEWRIGHT_CPU_PLAN_VIEWROWS_H
#define TILEWRIGHT_CPU_PLAN_VIEWROWS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// What is known about one dimension of the accessed tile.
struct KnownAxis {
  bool isSparse = false; ///< A tile supplies the coordinates.
  /// Whether tiles are adjacent, and the tensor's extent is known to be a multiple of theirs.
  bool fits = false;
  std::optional<int64_t> stride; ///< In elements; none if it is known only at run time.
};

using KnownAxes = llvm::SmallVector<KnownAxis, 4>;

/// One axis per dimension of the tile that a view loads, stores or updates.
KnownAxes knownAxesOf(tile::MemoryAccessOpInterface access);

/// Whether all coordinates are known to lie inside the tensor, except for those that tiles supply.
bool areKnownInside(const KnownAxes &axes);

/// The versions of the loops in which tiles are accessed together.
enum class Rows : uint8_t {
  Contiguous, ///< One: all rows are contiguous and inside their tensors.
  Tested,     ///< Two, selected by a test at run time: for contiguous rows inside, and for others.
  Apart,      ///< One: rows are known not to be contiguous.
};

/// The versions for view accesses in the same loops.
Rows rowsOf(llvm::ArrayRef<mlir::Operation *> accesses);

/// How the lanes of a vector along a row lie in memory.
enum class Lanes : uint8_t {
  Contiguous,       ///< Contiguous, and the tile is inside the tensor.
  ContiguousMasked, ///< Contiguous, with a mask.
  Gathered,         ///< Each lane has its own address.
};

/// The lanes of this access in the version for rows that are not all contiguous and inside.
Lanes lanesOutside(tile::MemoryAccessOpInterface access);

/// The loads that are fused into the computation of a tile, and versioned together.
struct TileLoads {
  llvm::SmallVector<mlir::Operation *, 2> loads;
  Rows rows = Rows::Contiguous;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_VIEWROWS_H
