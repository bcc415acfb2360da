// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many bytes of scratch memory does an operation need while it runs?

#ifndef TILEWRIGHT_CPU_PLAN_SCRATCH_H
#define TILEWRIGHT_CPU_PLAN_SCRATCH_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// Alignment of a buffer in the arena: a cache line, and any vector.
inline constexpr int64_t arenaAlignment = 64;

/// Elements that go through the tree of a reduction together: lanes, unless these would be along
/// the reduced dimension.
int64_t treeWidth(tile::ReduceOp op);
/// The results of the lowest level of the tree, operand by operand; 0 if it needs no tree.
int64_t treeScratchBytes(tile::ReduceOp op);

/// Elements as C promotes them, 8 bytes each, after pointers to those of each argument.
int64_t printScratchBytes(tile::PrintOp op);

/// At least one byte, and what it takes to begin at a multiple of the alignment wherever the
/// scratch memory begins. Less than 2^63 whatever the program asks for.
int64_t allocaBytes(tile::AllocaOp op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SCRATCH_H
