// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the tensor-core instruction for a matrix product. `mma.sync` takes fragments of a few
// rows, columns and steps along k from the threads of a warp (PTX ISA, 9.7.15). The warps of a CTA
// divide the result into rows and columns. Every instruction here takes 32 bytes along k of each
// row and column.

#ifndef TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H
#define TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/plan/TileLayout.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// A matrix instruction.
struct MatrixForm {
  static constexpr int64_t bytesAlongK = 32;

  /// LLVM's name without `llvm.nvvm.mma.`, and the rows of a fragment; all have 8 columns.
  std::string name;
  int64_t rows;
  /// Bytes along k that `name` takes; if that is half of `bytesAlongK`, it is called twice.
  int64_t bytesOfOne = bytesAlongK;
  unsigned ptxVersion = 70;
};

/// A product computed by matrix instructions.
struct MatrixProduct {
  static constexpr int64_t columns = 8;

  MatrixForm form;
  int64_t batches, m, n, k;
  int64_t elementBytes;
  int64_t warpsAlongM, warpsAlongN; ///< Any further warps compute the same.
  /// Whether elements of rhs have 8 bits and are contiguous along n: they are loaded in pairs, so
  /// that one fragment has the even columns of 16, and the next one the odd ones.
  bool isPaired = false;
  /// Tuning::mostAccumulatorRegisters. More accumulators are in local memory, and are loaded into
  /// registers piece by piece.
  int64_t mostRegisters = Tuning().mostAccumulatorRegisters;

  bool canBePaired() const { return elementBytes == 1 && fragmentsAlongN() > 1; }
  /// Steps along k per instruction.
  int64_t steps() const { return MatrixForm::bytesAlongK / elementBytes; }
  /// Bytes of shared memory for this number of steps along k.
  int64_t bytesOf(int64_t steps) const { return batches * (m + n) * steps * elementBytes; }
  /// The layout of the accumulators: per fragment, a thread has two adjacent elements of one or two
  /// rows; per pair of fragments, four.
  TileLayout layout(int64_t threads) const;
  /// The registers with the accumulators of a fragment.
  llvm::SmallVector<int64_t, 4> slotsOf(int64_t batch, int64_t i, int64_t j) const;
  /// Fragments per warp.
  int64_t fragmentsAlongM() const { return m / form.rows / warpsAlongM; }
  int64_t fragmentsAlongN() const { return n / columns / warpsAlongN; }
  /// A thread's accumulators in a row of fragments of a batch.
  int64_t sumsOfRow() const { return fragmentsAlongN() * form.rows / 4; }
  int64_t mostInRegisters() const { return elementBytes == 8 ? mostRegisters / 2 : mostRegisters; }
  /// The rows of fragments whose accumulators are in registers at a time.
  int64_t rowsOfPiece(int64_t threads) const;
};

/// None if the target has no instruction that computes what the specification requires (arithmetic,
/// 4.30 and 4.31), or if the tiles are too small or far too large for it: the product is then
/// computed by multiply-adds.
std::optional<MatrixProduct> matrixProductOf(tile::MatmulOpInterface op, const Target &target,
                                             int64_t threads);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H
