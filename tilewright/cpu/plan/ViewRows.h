// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the tile that a view reads or writes, before the kernel runs? Along a row,
// elements are neighbours in memory if the stride of the tensor is 1; the tile lies inside of the
// tensor if its extent is a multiple of the tile's. What is not known is tested once per tile, and
// there are two versions of the loops.

#ifndef TILEWRIGHT_CPU_PLAN_VIEWROWS_H
#define TILEWRIGHT_CPU_PLAN_VIEWROWS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// One dimension of a tile in its tensor.
struct KnownAxis {
  bool isSparse = false; ///< Coordinates come from a tile.
  /// Tiles lie side by side, and the extent is known to be a multiple of theirs.
  bool fits = false;
  std::optional<int64_t> stride; ///< In elements; none if only the kernel knows it.
};

using KnownAxes = llvm::SmallVector<KnownAxis, 4>;

/// Of a load, a store or an update through a view: an axis per dimension of its tile.
KnownAxes knownAxesOf(tile::MemoryAccessOpInterface access);

/// Whether the coordinates of the tile are known to be inside of the tensor, but for those that
/// come from tiles.
bool areKnownInside(const KnownAxes &axes);

/// In which versions of their loops tiles are accessed together.
enum class Rows : uint8_t {
  Contiguous, ///< One: all rows are vectors of neighbours, inside of their tensors.
  Tested,     ///< Two: such rows, and others, by a test at run time.
  Apart,      ///< One: neighbours of a row are known to be apart in memory.
};

/// Of accesses through views that are done together.
Rows rowsOf(llvm::ArrayRef<mlir::Operation *> accesses);

/// How the lanes of a vector along a row lie in memory.
enum class Lanes : uint8_t {
  Contiguous,       ///< Neighbours in memory, and the tile is inside of the tensor.
  ContiguousMasked, ///< Neighbours in memory.
  Gathered,         ///< Each lane has its own address.
};

/// In the version where not all rows are contiguous and inside: those of this access.
Lanes lanesOutside(tile::MemoryAccessOpInterface access);

/// The loads that are fused with a tile, and are done together where it is computed.
struct TileLoads {
  llvm::SmallVector<mlir::Operation *, 2> loads;
  Rows rows = Rows::Contiguous;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_VIEWROWS_H
