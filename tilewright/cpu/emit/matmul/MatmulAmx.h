// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits matrix products with AMX tiles. A tile is a register of up to 16 rows of 64 bytes; an
// instruction adds the product of two tiles to a tile of accumulators. Four accumulator tiles use
// two tiles of each operand at a time:
//
//              B0  B1         tiles 6, 7: 16 words along k, 16 columns each
//         A0   C0  C1         tiles 4, 5: 16 rows, 16 words along k
//         A1   C2  C3         tiles 0 to 3
//
// Packed operands lie in scratch memory as for other instructions (MatmulOperands.h), lhs possibly
// in its tensor: lhs as rows of words, rhs as panels with the columns of a block. A panel stays in
// the L1 cache while rows of lhs stream past it. Accumulators begin as zeros, or stay in the
// result's buffer from iteration to iteration; those of the last iteration go to the tensor if the
// product stores them itself. Tile shapes are configured for each product, and tiles are released
// after it, so other users of tiles, and the operating system, find none in use.

#ifndef TILEWRIGHT_CPU_EMIT_MATMULAMX_H
#define TILEWRIGHT_CPU_EMIT_MATMULAMX_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/matmul/MatmulProduct.h"

namespace tilewright::cpu {

class MatmulAmx : EmitContext {
public:
  MatmulAmx(const EmitContext &context, FinalStores &finalStores)
      : EmitContext(context), finalStores(finalStores) {}

  /// Multiplies this number of steps along k.
  void multiply(const MatmulProduct &product, mlir::Value steps);

private:
  void writeInitialSums(const MatmulProduct &product);
  void multiplyBlock(const MatmulProduct &product, mlir::Value steps, mlir::Value words,
                     const BlockOfSums &block);
  void beginSums(const MatmulProduct &product, const BlockOfSums &block);
  void addProducts(const MatmulProduct &product, const BlockOfSums &block, mlir::Value step);
  void keepSums(const MatmulProduct &product, const BlockOfSums &block);
  void storeSums(const MatmulProduct &product, const BlockOfSums &block);

  mlir::Value number(int64_t tile);
  mlir::Value sumsInBuffer(const MatmulProduct &product, const Position &at);
  void call(llvm::StringRef instruction, llvm::ArrayRef<mlir::Value> arguments);

  FinalStores &finalStores;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMULAMX_H
