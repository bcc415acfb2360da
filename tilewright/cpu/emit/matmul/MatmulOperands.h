// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs the operands of matrix products: lhs in rows with words along k, rhs in panels with the
// columns of a block of accumulators, so that a panel is read from its first word to its last.
// Operands that lie in a buffer as f32, f64 or i32 are read there. All others are computed into
// scratch memory, including fused operations: conversions and loads need no buffer of their own.
//
//     lhs, 2 in a word: a(0,1)a(0,0) a(0,3)a(0,2) ...    the upper half of a word comes first
//     rhs, 2 in a word: b(1,0)b(0,0) b(1,1)b(0,1) ...    with VDPBF16PS, to keep the chain order

#ifndef TILEWRIGHT_CPU_EMIT_MATMULOPERANDS_H
#define TILEWRIGHT_CPU_EMIT_MATMULOPERANDS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/emit/matmul/MatmulProduct.h"
#include "tilewright/cpu/emit/matmul/SharedFactors.h"

namespace tilewright::cpu {

class MatmulOperands : EmitContext {
public:
  MatmulOperands(const EmitContext &context, FusedLoads &loads, SharedFactors &shared,
                 CacheHints &hints)
      : EmitContext(context), loads(loads), shared(shared), hints(hints) {}

  /// Packs the operands, unless they lie in buffers.
  void provide(MatmulProduct &product);

private:
  void pack(MatmulProduct &product, unsigned operand);
  mlir::Value isInTensor(const MatmulProduct &product, unsigned operand, size_t dim,
                         TileRegion &region);
  mlir::Value findLeftRows(MatmulProduct &product, const TileRegions &located);
  mlir::Value findRightWords(MatmulProduct &product, const TileRegions &located);
  void addStreams(MatmulProduct &product, unsigned operand, const FactorPlace &place,
                  const TileRegions &located);
  void writeLeft(const MatmulProduct &product, const Position &position, mlir::Value words);
  void clearCorrections(const MatmulProduct &product);
  void packLeft(const MatmulProduct &product);
  void packRight(const MatmulProduct &product);
  mlir::Value rightWords(const MatmulProduct &product, mlir::Value batch, mlir::Value step,
                         mlir::Value column);
  mlir::Value addCorrection(const MatmulProduct &product, mlir::Value words, mlir::Value so);
  mlir::Value asFactors(const MatmulProduct &product, unsigned operand, mlir::Value elements);
  mlir::Value scalesAt(const MatmulProduct &product, unsigned operand, Position position);
  mlir::Value factorsAt(const MatmulProduct &product, unsigned operand, const Position &position);
  void writeFactors(const MatmulProduct &product, mlir::Value base, mlir::Value linear,
                    mlir::Value words);

  FusedLoads &loads;
  SharedFactors &shared;
  CacheHints &hints;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMULOPERANDS_H
