// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits transposes as shuffles that interleave two vectors: after log2(n) rounds, n vectors hold
// the transpose, in order. The inverse separates even and odd elements.

#ifndef TILEWRIGHT_CPU_EMIT_TRANSPOSES_H
#define TILEWRIGHT_CPU_EMIT_TRANSPOSES_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/plan/Transposes.h"

namespace tilewright::cpu {

class Transposes : EmitContext {
public:
  Transposes(const EmitContext &context, FusedLoads &loads) : EmitContext(context), loads(loads) {}

  /// Emits a permutation in the planned form.
  void emit(tile::PermuteOp op, const Transpose &form);

private:
  void transposeBlocks(tile::PermuteOp op, const Transpose &form);
  void interleave(tile::PermuteOp op, const Transpose &form);
  void separate(tile::PermuteOp op, const Transpose &form);

  FusedLoads &loads;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_TRANSPOSES_H
