// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are rows turned into columns? By shuffles that interleave two vectors: after log2(n) rounds
// of them n vectors, one behind the other, are the transpose. The other way round even and odd
// elements are separated.

#ifndef TILEWRIGHT_CPU_EMIT_TRANSPOSES_H
#define TILEWRIGHT_CPU_EMIT_TRANSPOSES_H

#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/plan/Transposes.h"

namespace tilewright::cpu {

class Transposes {
public:
  Transposes(LoopBuilder &b, const Target &target, Buffers &buffers, Evaluator &evaluator,
             FusedLoads &loads)
      : b(b), target(target), buffers(buffers), evaluator(evaluator), loads(loads) {}

  /// A permutation that is computed at once, in the form that the plan says.
  void emit(tile::PermuteOp op, const Transpose &form);

private:
  void transposeBlocks(tile::PermuteOp op, const Transpose &form);
  void interleave(tile::PermuteOp op, const Transpose &form);
  void separate(tile::PermuteOp op, const Transpose &form);

  LoopBuilder &b;
  const Target &target;
  Buffers &buffers;
  Evaluator &evaluator;
  FusedLoads &loads;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_TRANSPOSES_H
