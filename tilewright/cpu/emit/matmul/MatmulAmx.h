// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the tiles of AMX multiply matrices? A tile is a register of up to 16 rows of 64 bytes,
// and an instruction adds to a tile of sums the product of two others. Four tiles of sums need two
// of each factor at a time:
//
//              B0  B1         tiles 6, 7: 16 words along k, 16 columns each
//         A0   C0  C1         tiles 4, 5: 16 rows, 16 words along k
//         A1   C2  C3         tiles 0 to 3
//
// Factors lie in scratch memory as they do for other steps (MatmulOperands.h), those on the left
// maybe in their tensor: rows of words on the left, panels of as many columns as a block has on the
// right. A panel stays in the first cache while rows of the left factor pass by. Sums begin as
// zeros, or wait in the buffer of the result from iteration to iteration; those of the last one go
// into the tensor, if the product stores them itself. Shapes of tiles are configured for each
// product, and tiles released behind it: other users of them, and the operating system, find none
// in use.

#ifndef TILEWRIGHT_CPU_EMIT_MATMULAMX_H
#define TILEWRIGHT_CPU_EMIT_MATMULAMX_H

#include "tilewright/cpu/emit/matmul/MatmulProduct.h"

namespace tilewright::cpu {

class MatmulAmx {
public:
  MatmulAmx(LoopBuilder &b, ValueCache &cache, ModuleGlobals &globals, Buffers &buffers,
            Evaluator &evaluator, FinalStores &finalStores)
      : b(b), cache(cache), globals(globals), buffers(buffers), evaluator(evaluator),
        finalStores(finalStores) {}

  /// So many steps along k of the product.
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

  LoopBuilder &b;
  ValueCache &cache;
  ModuleGlobals &globals;
  Buffers &buffers;
  Evaluator &evaluator;
  FinalStores &finalStores;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMULAMX_H
