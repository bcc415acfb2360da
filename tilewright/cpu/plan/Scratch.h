// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What scratch memory does an operation need while it runs, and what is where in it?

#ifndef TILEWRIGHT_CPU_PLAN_SCRATCH_H
#define TILEWRIGHT_CPU_PLAN_SCRATCH_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

struct Fold;

/// Alignment of a buffer in the arena: a cache line, and any vector.
inline constexpr int64_t arenaAlignment = 64;

/// Scratch memory, all in bytes: what an operation keeps there begins at these offsets.
struct Scratch {
  int64_t bytes = 0; ///< 0: none, and no parts.
  llvm::SmallVector<int64_t, 2> parts;

  void add(int64_t size) {
    parts.push_back(bytes);
    bytes += size;
  }
};

/// The results of the lowest level of a reduction's tree: a part for each operand.
Scratch treeScratch(tile::ReduceOp op, const Fold &fold);

/// Pointers to the elements of each argument, then a part for the elements of each, as C promotes
/// them, 8 bytes each.
Scratch printScratch(tile::PrintOp op);

/// A `continue` keeps operands that are themselves carried, before it overwrites any: a part for
/// each of these.
Scratch continueScratch(tile::ContinueOp op);

/// At least one byte, and what it takes to begin at a multiple of the alignment wherever the
/// scratch memory begins. Less than 2^63 whatever the program asks for.
Scratch allocaScratch(tile::AllocaOp op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SCRATCH_H
