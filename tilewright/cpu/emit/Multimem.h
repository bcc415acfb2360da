// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits accesses to multicast memory. The base of the view is an address that stands for several
// arrays registered with the runtime, or for itself alone (runtime/Kernel.h, tw_copies): one call
// per operation returns their addresses. Each element is then read, updated or written in all of
// them, one after the other (13.5, section 9.2).

#ifndef TILEWRIGHT_CPU_EMIT_MULTIMEM_H
#define TILEWRIGHT_CPU_EMIT_MULTIMEM_H

#include "tilewright/cpu/emit/Atomics.h"
#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/ViewAccess.h"

namespace tilewright::cpu {

class Multimem : EmitContext {
public:
  Multimem(const EmitContext &context, Atomics &atomics) : EmitContext(context), atomics(atomics) {}

  void emit(tile::MultimemLoadReduceViewOp op);
  void emit(tile::MultimemReduceViewOp op);
  void emit(tile::MultimemStoreViewOp op);

private:
  /// The number of arrays, and a pointer to their distances.
  struct Copies {
    mlir::Value count, distances;
  };
  Copies copiesOf(const TileRegion &region);
  mlir::Value distanceOf(const Copies &copies, mlir::Value number);
  /// Calls `body` for the region in each of the arrays.
  void forEachCopy(const TileRegion &region, llvm::function_ref<void(const TileRegion &)> body);
  mlir::Value combined(tile::MultimemReductionKind kind, mlir::Type elementType, mlir::Value a,
                       mlir::Value b);

  Atomics &atomics;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MULTIMEM_H
