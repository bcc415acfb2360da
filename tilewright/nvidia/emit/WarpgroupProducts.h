// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits products by `wgmma` (PTX ISA, 9.7.16). All steps along k that are in shared memory are one
// statement of inline PTX, from `wgmma.fence` to `wgmma.wait_group 0`: its accumulators are
// operands that are read and written, so no other instruction accesses them while `wgmma` runs,
// whatever LLVM makes of the code around. Sums that are promoted (MatrixProduct::isPromoted) come
// from several statements, with registers of their own: each adds its sums to the accumulators.

#ifndef TILEWRIGHT_NVIDIA_EMIT_WARPGROUPPRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_WARPGROUPPRODUCTS_H

#include "tilewright/nvidia/emit/Operands.h"

namespace tilewright::nvidia {

class WarpgroupProducts {
public:
  WarpgroupProducts(ThreadBuilder &b, const Plan &plan, Tiles &tiles)
      : b(b), plan(plan), tiles(tiles) {}

  /// Adds the products of these steps along k to the accumulators. Without `lhs`, lhs is in
  /// registers.
  void multiply(tile::MatmulOpInterface op, const std::optional<Matrix> &lhs, const Matrix &rhs,
                int64_t steps, const Home &sums);
  /// The words of an lhs in registers: pairs of its 16-bit elements, in the order of slots.
  llvm::SmallVector<mlir::Value> wordsOfLhs(mlir::Value tile);

private:
  mlir::Value warpgroup(const MatrixProduct &product);
  mlir::Value descriptorOf(const Matrix &matrix, mlir::Value row, mlir::Value byte);
  mlir::Value descriptorOfLines(const Matrix &matrix, mlir::Value first, int64_t bytes);
  mlir::Value descriptorOfLhs(const MatrixProduct &product, const Matrix &lhs);
  mlir::Value descriptorOfRhs(const MatrixProduct &product, const Matrix &rhs);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_WARPGROUPPRODUCTS_H
