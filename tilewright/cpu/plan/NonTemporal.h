// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which stores of fusion groups are non-temporal where a test at run time finds that they
// write more than the last-level cache keeps. A non-temporal store writes a whole cache line
// without reading it first, so each vector must consist of whole lines.

#ifndef TILEWRIGHT_CPU_PLAN_NONTEMPORAL_H
#define TILEWRIGHT_CPU_PLAN_NONTEMPORAL_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

struct FusionGroup;
struct Target;

/// The size of a cache line of all targets.
inline constexpr int64_t cacheLineBytes = 64;

/// Why a store may be non-temporal, or not.
enum class NonTemporalReason : uint8_t {
  NoGroup,      ///< Not: it is no store, or no member of a group.
  Scattered,    ///< Not: its rows are not known to be contiguous, or a tile supplies coordinates.
  ByProduct,    ///< Not: a product performs it where rows are contiguous (FinalStore).
  PartialLines, ///< Not: its vectors do not consist of whole cache lines.
  NarrowRegisters, ///< Not: a line would take four instructions, or the target has no fence.
  LargeTensor,     ///< Through a view: if the tensor is large, and rows begin at cache lines.
  /// Through pointers, to memory of unknown size: if all tile blocks together store much, as each
  /// is assumed to store to other addresses.
  LargeLaunch,
};

struct NonTemporal {
  NonTemporalReason reason = NonTemporalReason::NoGroup;
  /// The fewest bytes of the tensor or the launch, with one thread and with several.
  int64_t leastBytes = 0, leastBytesOfThreads = 0;

  bool isPossible() const {
    return reason == NonTemporalReason::LargeTensor || reason == NonTemporalReason::LargeLaunch;
  }
};

/// `hasRows`: whether the member stores rows that are contiguous in one version of the loops.
NonTemporal nonTemporalOf(mlir::Operation *member, const FusionGroup &group, bool hasRows,
                          const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_NONTEMPORAL_H
