// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a `scan` emitted? It is a left fold that starts from the identity: element after element,
// or with lanes along another dimension. Along rows, where the order does not matter, it goes
// vector by vector, as a member of a fusion group. The specification allows these orders
// (operations, 4.12); they depend on nothing but the shape.

#ifndef TILEWRIGHT_CPU_EMIT_SCANS_H
#define TILEWRIGHT_CPU_EMIT_SCANS_H

#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/cpu/plan/Folds.h"

namespace tilewright::cpu {

struct InnerLoop;

class Scans {
public:
  Scans(LoopBuilder &b, ValueCache &cache, const Folds &folds, Frame &frame, Buffers &buffers,
        Evaluator &evaluator, CombinerBodies &bodies)
      : b(b), cache(cache), folds(folds), frame(frame), buffers(buffers), evaluator(evaluator),
        bodies(bodies) {}

  void emit(tile::ScanOp op);

  // By vectors, as members of an inner loop.

  /// The scans of an inner loop begin with their identities.
  void begin(const InnerLoop &loop);
  /// The results for the next elements of a scan.
  mlir::Value scanLanes(tile::ScanOp op, mlir::Value elements);
  /// What the scans of the inner loop have come to so far, in all lanes.
  llvm::SmallVector<mlir::Value> accumulators() const;
  void setAccumulators(mlir::ValueRange values);

private:
  mlir::Value identityOf(tile::ScanOp op, size_t operand, int64_t width);
  mlir::Value scanChunk(tile::ScanOp op, mlir::Value elements);

  LoopBuilder &b;
  ValueCache &cache;
  const Folds &folds;
  Frame &frame;
  Buffers &buffers;
  Evaluator &evaluator;
  CombinerBodies &bodies;
  llvm::MapVector<mlir::Operation *, mlir::Value> scanned;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_SCANS_H
