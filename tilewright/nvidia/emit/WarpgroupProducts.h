// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits products by `wgmma` (PTX ISA, 9.7.16). All steps along k that are in shared memory are one
// statement of inline PTX, from `wgmma.fence` to `wgmma.wait_group 0`: its accumulators are
// operands that are read and written, so no other instruction accesses them while `wgmma` runs,
// whatever LLVM makes of the code around. Only delayed products run longer than their statement
// (DelayedProducts.h). Sums that are promoted (MatrixProduct::isPromoted) come
// from several statements, with registers of their own: each adds its sums to the accumulators.

#ifndef TILEWRIGHT_NVIDIA_EMIT_WARPGROUPPRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_WARPGROUPPRODUCTS_H

#include "tilewright/nvidia/emit/Operands.h"

namespace tilewright::nvidia {

/// A product, with its operands and accumulators in place.
struct Multiplication {
  tile::MatmulOpInterface op;
  std::optional<Matrix> lhs; ///< None if it is in registers, as `lhsWords`.
  Matrix rhs;
  llvm::SmallVector<mlir::Value> lhsWords;
  int64_t steps; ///< Along k.
  Home sums;
  bool beginsWithZeros = false; ///< The accumulators are only written.
};

class WarpgroupProducts {
public:
  WarpgroupProducts(ThreadBuilder &b, const Plan &plan, Tiles &tiles)
      : b(b), plan(plan), tiles(tiles) {}

  /// Adds products to the accumulators.
  void multiply(const Multiplication &all);
  /// Begins both and waits for the first one. The second one is left out unless the condition
  /// holds.
  void multiplyBoth(const Multiplication &first, const Multiplication &second,
                    mlir::Value condition);
  /// Waits for all products. Elements of the tiles are not read or written before, and the words
  /// not written.
  void wait(llvm::ArrayRef<mlir::Value> tiles, mlir::ValueRange words);
  /// The words of an lhs in registers: pairs of its 16-bit elements, in the order of slots.
  llvm::SmallVector<mlir::Value> wordsOfLhs(mlir::Value tile);

private:
  mlir::Value warpgroup(const MatrixProduct &product);
  mlir::Value descriptorOf(const Matrix &matrix, mlir::Value row, mlir::Value byte);
  mlir::Value descriptorOfLines(const Matrix &matrix, mlir::Value first, int64_t bytes);
  mlir::Value descriptorOfLhs(const MatrixProduct &product, const Matrix &lhs);
  mlir::Value descriptorOfRhs(const MatrixProduct &product, const Matrix &rhs);
  llvm::SmallVector<mlir::Value> inputsOf(const Multiplication &all);
  llvm::SmallVector<mlir::Value> read(const Multiplication &all, llvm::ArrayRef<int64_t> slots);
  void write(const Home &sums, llvm::ArrayRef<int64_t> slots, mlir::ValueRange after);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_WARPGROUPPRODUCTS_H
