// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates the entries of a module to loops in upstream MLIR dialects, one function per entry,
// with the kernel ABI (runtime/Kernel.h): `llvm.func`, `cf` branches for control flow with early
// exits, `scf.for` over tiles, `arith`, `math` and one-dimensional `vector` operations on lanes,
// and all memory accesses through `!llvm.ptr`. plan/Plan.h decides which tiles are in memory.

#ifndef TILEWRIGHT_CPU_LOOPS_H
#define TILEWRIGHT_CPU_LOOPS_H

#include "tilewright/cpu/Target.h"
#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"

#include <deque>
#include <string>
#include <vector>

namespace tilewright::cpu {

struct Plan;

/// What a launch must know about a compiled entry.
struct KernelInfo {
  std::string name;
  /// Bytes of arena per running block, aligned to a cache line.
  int64_t arenaBytes = 0;
  unsigned parameterCount = 0;
  /// Whether a block may wait for another one, that is, polls memory in a `loop`.
  bool mayWait = false;
  bool prints = false;
  bool usesAmx = false;
  /// Rasterization order: columns of tile blocks to interleave (twColumnsInTurnShift).
  int64_t columnsInTurn = 1;
};

struct Loops {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelInfo> kernels;
};

/// The dialects of the operations that `emitLoops` creates; its context must have loaded them.
void registerLoopDialects(mlir::DialectRegistry &registry);

/// The module must be verified; `plans` are the plans of its entries, in order. Fails at operations
/// that cannot be compiled, with their location.
support::Result<Loops> emitLoops(tile::ModuleOp module, const std::deque<Plan> &plans,
                                 const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_LOOPS_H
