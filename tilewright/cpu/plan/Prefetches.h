// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what a fusion group prefetches: the data of the next iteration of the surrounding loop,
// or of the next tile block, while an inner loop computes; and later rows of a gathered tile. The
// hardware prefetcher predicts a single pass over consecutive data, but neither of these.

#ifndef TILEWRIGHT_CPU_PLAN_PREFETCHES_H
#define TILEWRIGHT_CPU_PLAN_PREFETCHES_H

#include "tilewright/analysis/Induction.h"
#include "tilewright/cpu/plan/Accesses.h"

namespace tilewright::cpu {

struct FusionGroup;

/// A load whose next tile is prefetched.
struct NextTile {
  mlir::Operation *load;
  /// The change of the load's indices, one per dimension, or of its pointers.
  llvm::SmallVector<analysis::InductionStep, 2> steps;
};

/// The next tile of a `load_view_tko` or `load_ptr_tko`; none if it is unknown before the next
/// iteration, or the same.
std::optional<NextTile> nextTileOf(mlir::Operation *load);
/// Whether that is the tile of the next tile block, and not of the surrounding `for`.
bool isNextOfBlock(mlir::Operation *load);

/// Why a group prefetches the data of the next iteration, or not.
enum class PrefetchReason : uint8_t {
  OnePass,      ///< Not: the hardware prefetcher predicts a single pass over a row.
  RowLoop,      ///< Not: it updates register-resident accumulators (RowLoop::prefetch).
  Apart,        ///< Not: rows are known not to be contiguous.
  LittleWork,   ///< Not: later passes do little but store, and never wait for memory.
  UnknownTiles, ///< Not: the next tiles are unknown, or the same.
  LaterPass,    ///< In the first pass after the first that does not only store.
  WaitingPass,  ///< In the last pass, if its stores are non-temporal: it then waits for memory.
  PartsOfRows, ///< In a single pass over parts of several rows, which the next iteration continues.
};

/// In the version of the group's loops for contiguous rows.
struct GroupPrefetch {
  PrefetchReason reason = PrefetchReason::OnePass;
  /// The number of the inner loop that prefetches the next tiles; -1 if there are none.
  int64_t loop = -1;
  llvm::SmallVector<NextTile, 2> tiles;
  /// Whether it prefetches into the L1 cache, and not into L2: if all of the next tiles fit there,
  /// or in a pass that waits for memory.
  bool isNear = false;

  /// A dimension whose coordinates a tile supplies: each row prefetches the one that is `rows`
  /// later, into L1.
  struct Gather {
    unsigned dim;
    int64_t rows;
  };
  llvm::SmallVector<Gather, 1> gathers;

  /// How many rows ahead a gathered row prefetches along this dimension; 0: none.
  int64_t rowsAheadAlong(unsigned dim) const;
};

/// `isRowLoop`: whether the group updates register-resident accumulators.
GroupPrefetch prefetchOf(const FusionGroup &group, bool isRowLoop, const Accesses &accesses,
                         const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PREFETCHES_H
