// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instruction multiplies matrices? `mma.sync` takes fragments of a few rows, columns and
// steps along k from the threads of a warp (PTX ISA, 9.7.15). The warps of a CTA share the result
// in rows and columns. Every instruction here takes 32 bytes along k of each row and column.

#ifndef TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H
#define TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/plan/TileLayout.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// What a product is multiplied by.
struct MatrixForm {
  static constexpr int64_t bytesAlongK = 32;

  /// Of LLVM, without `llvm.nvvm.mma.`, and its rows; all have 8 columns.
  std::string name;
  int64_t rows;
  /// That `name` takes; where two of them make `bytesAlongK`, it is called twice.
  int64_t bytesOfOne = bytesAlongK;
  unsigned ptxVersion = 70;
};

/// A product that is computed by them.
struct MatrixProduct {
  static constexpr int64_t columns = 8;
  /// Words of sums that a thread holds in registers. Where it has more, they are in local memory,
  /// and come to registers piece by piece.
  static constexpr int64_t mostSums = 128, mostPieces = 8;

  MatrixForm form;
  int64_t batches, m, n, k;
  int64_t elementBytes;
  int64_t warpsAlongM, warpsAlongN; ///< Others compute the same.
  /// Elements of 8 bits of rhs that follow each other along n: they come to registers in pairs, so
  /// that one fragment has the even columns of 16, and the next one the odd ones.
  bool isPaired = false;

  bool canBePaired() const { return elementBytes == 1 && fragmentsAlongN() > 1; }
  /// Steps along k that one instruction takes.
  int64_t steps() const { return MatrixForm::bytesAlongK / elementBytes; }
  /// Of shared memory, of so many steps along k.
  int64_t bytesOf(int64_t steps) const { return batches * (m + n) * steps * elementBytes; }
  /// Of the sums: for each fragment, a thread has one or two rows of two neighbours; of two paired
  /// ones, of four.
  TileLayout layout(int64_t threads) const;
  /// Where it has the sums of a fragment.
  llvm::SmallVector<int64_t, 4> slotsOf(int64_t batch, int64_t i, int64_t j) const;
  /// Fragments of a warp.
  int64_t fragmentsAlongM() const { return m / form.rows / warpsAlongM; }
  int64_t fragmentsAlongN() const { return n / columns / warpsAlongN; }
  /// Sums that a thread has of a batch in a row of fragments.
  int64_t sumsOfRow() const { return fragmentsAlongN() * form.rows / 4; }
  int64_t mostInRegisters() const { return elementBytes == 8 ? mostSums / 2 : mostSums; }
  /// Fragments along m whose sums are in registers at a time.
  int64_t rowsOfPiece(int64_t threads) const;
};

/// None if the target has no instruction that computes what the specification says (arithmetic,
/// 4.30 and 4.31), or if the tiles are too small or much too large for it: then there are chains of
/// multiply-adds.
std::optional<MatrixProduct> matrixProductOf(tile::MatmulOpInterface op, const Target &target,
                                             int64_t threads);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H
