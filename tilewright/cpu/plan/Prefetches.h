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

/// The next tile of a `load_view_tko` or `load_ptr_tko`; none if it is not known in advance, or
/// does not change.
std::optional<NextTile> nextTileOf(mlir::Operation *load);
/// Whether `nextTileOf` gives the tile of the next tile block (else that of the next iteration).
bool isNextOfBlock(mlir::Operation *load);

/// Why a group prefetches the data of the next iteration, or not.
enum class PrefetchReason : uint8_t {
  OnePass,      ///< No prefetch: the hardware prefetcher predicts a single pass over a row.
  RowLoop,      ///< No prefetch: it updates register-resident accumulators (RowLoop::prefetch).
  Apart,        ///< No prefetch: rows are known not to be contiguous.
  LittleWork,   ///< No prefetch: later passes do little but store, and never wait for memory.
  UnknownTiles, ///< No prefetch: the next tiles are unknown, or the same.
  LaterPass,    ///< In a pass after the first one: the earliest that has enough work to hide the
                ///< prefetches, or has no store.
  WaitingPass,  ///< In the last pass, if its stores are non-temporal: it then waits for memory.
  PartsOfRows, ///< In a single pass over parts of several rows, which the next iteration continues.
};

/// What a group prefetches. Applies to the loop version for contiguous rows.
struct GroupPrefetch {
  PrefetchReason reason = PrefetchReason::OnePass;
  /// The number of the inner loop that prefetches the next tiles; -1 if there are none.
  int64_t loop = -1;
  llvm::SmallVector<NextTile, 2> tiles;
  /// Whether it prefetches into L1 instead of L2: in a pass that waits for memory, or if there are
  /// several passes and all next tiles fit into L1.
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
