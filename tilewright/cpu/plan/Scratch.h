// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the size and layout of the scratch memory that an operation needs while it runs.

#ifndef TILEWRIGHT_CPU_PLAN_SCRATCH_H
#define TILEWRIGHT_CPU_PLAN_SCRATCH_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

struct Fold;

/// Alignment of a buffer in the arena: a cache line, which suits any vector.
inline constexpr int64_t arenaAlignment = 64;

/// Scratch memory in bytes, with the offset of each of its parts.
struct Scratch {
  int64_t bytes = 0; ///< If 0, there are no parts.
  llvm::SmallVector<int64_t, 2> parts;

  void add(int64_t size) {
    parts.push_back(bytes);
    bytes += size;
  }
};

/// The results of the lowest level of the reduction tree: one part per operand.
Scratch treeScratch(tile::ReduceOp op, const Fold &fold);

/// An array of pointers to the elements of each argument, then one part per argument: its elements
/// after C's default promotions, 8 bytes each.
Scratch printScratch(tile::PrintOp op);

/// A `continue` copies those operands that are loop-carried themselves before it overwrites any:
/// one part per copy.
Scratch continueScratch(tile::ContinueOp op);

/// At least one byte, plus padding that aligns the allocation wherever the scratch memory begins.
/// Less than 2^63 for any program.
Scratch allocaScratch(tile::AllocaOp op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SCRATCH_H
