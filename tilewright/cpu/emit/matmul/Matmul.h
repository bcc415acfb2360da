// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits matrix products. Each accumulator is a chain of fused multiply-adds with k ascending that
// starts from the initial accumulator and is kept in f32, f64 or i32: the bits of the reference
// machine (arithmetic, 4.30 to 4.32). Registers hold a block of accumulators (rows by vectors of
// columns) for all of k before it is written. Instructions that add several products are used if
// they give the same chain (MatmulForm.h), and AMX tiles if the processor has them (MatmulAmx.h).

#ifndef TILEWRIGHT_CPU_EMIT_MATMUL_H
#define TILEWRIGHT_CPU_EMIT_MATMUL_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/matmul/MatmulAmx.h"
#include "tilewright/cpu/emit/matmul/MatmulOperands.h"

namespace tilewright::cpu {

class Matmul : EmitContext {
public:
  Matmul(const EmitContext &context, CacheHints &hints, FinalStores &finalStores,
         MatmulOperands &operands, MatmulAmx &amx)
      : EmitContext(context), hints(hints), finalStores(finalStores), operands(operands), amx(amx) {
  }

  /// One of the three operations that multiply matrices.
  void emit(mlir::Operation *op, const MatmulPlan &plan);

private:
  mlir::Value leftWord(const MatmulProduct &product, mlir::Value row, mlir::Value step);
  void multiply(const MatmulProduct &product, mlir::Value steps);
  void multiplyBlock(const MatmulProduct &product, mlir::Value steps, const BlockOfSums &block);

  CacheHints &hints;
  FinalStores &finalStores;
  MatmulOperands &operands;
  MatmulAmx &amx;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMUL_H
