// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits `scan`: a left fold that begins with the identity, element by element, or with lanes along
// another dimension. Along rows, if the order is free, it processes vectors as a member of a fusion
// group. The specification allows these orders (operations, 4.12), which are fixed at compile time
// (plan/Folds.h).

#ifndef TILEWRIGHT_CPU_EMIT_SCANS_H
#define TILEWRIGHT_CPU_EMIT_SCANS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/cpu/plan/Folds.h"

namespace tilewright::cpu {

struct InnerLoop;

class Scans : EmitContext {
public:
  Scans(const EmitContext &context, CombinerBodies &bodies)
      : EmitContext(context), bodies(bodies) {}

  void emit(tile::ScanOp op);

  // Scans by vectors, as members of an inner loop.

  /// The current prefixes of an inner loop's scans, in all lanes.
  using Prefixes = llvm::MapVector<mlir::Operation *, mlir::Value>;
  /// The identities, with which the prefixes begin.
  Prefixes identitiesOf(const InnerLoop &loop);
  /// The results for the next vector of a scan; updates its prefix.
  mlir::Value scanLanes(tile::ScanOp op, mlir::Value elements, mlir::Value &prefix);

private:
  mlir::Value identityOf(tile::ScanOp op, size_t operand, int64_t width);
  mlir::Value scanChunk(tile::ScanOp op, mlir::Value elements);

  CombinerBodies &bodies;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_SCANS_H
