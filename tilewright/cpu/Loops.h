// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the entries of a module look like as loops? A function each, with the kernel ABI
// (runtime/Kernel.h), of upstream MLIR: `llvm.func`, branches of `cf` for what can be left
// early, `scf.for` over tiles, `arith`, `math` and one-dimensional `vector` operations on
// lanes, and all memory through `!llvm.ptr`. plan/Plan.h says which tiles have memory at all.

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

/// What a launch has to know of a compiled entry.
struct KernelInfo {
  std::string name;
  /// Bytes that each running block needs, aligned to a cache line.
  int64_t arenaBytes = 0;
  unsigned parameterCount = 0;
  /// A block may wait for another one: it polls memory in a `loop`.
  bool mayWait = false;
  bool prints = false;
  bool usesAmx = false;
  /// Columns of tile blocks that should take turns (twColumnsInTurnShift).
  int64_t columnsInTurn = 1;
};

struct Loops {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelInfo> kernels;
};

/// The dialects that `emitLoops` makes operations of; its context must have loaded them.
void registerLoopDialects(mlir::DialectRegistry &registry);

/// The module has been verified, and `plans` are those of its entries, in their order. Fails for
/// what cannot be compiled, and says where it is.
support::Result<Loops> emitLoops(tile::ModuleOp module, const std::deque<Plan> &plans,
                                 const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_LOOPS_H
