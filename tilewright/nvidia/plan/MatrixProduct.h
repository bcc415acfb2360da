// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the tensor-core instruction for a matrix product. `mma.sync` takes fragments of a few
// rows, columns and steps along k from the threads of a warp (PTX ISA, 9.7.15). `wgmma` is executed
// by a warpgroup, that is four successive warps, for 64 rows and up to 256 columns; it reads both
// operands from shared memory, or lhs from registers (PTX ISA, 9.7.16). One thread executes
// `tcgen05.mma`, for 64 or 128 rows and up to 256 columns; its accumulators are in tensor memory
// (TensorMemory.h). The warps or warpgroups of a CTA divide the result into rows and columns. Every
// instruction here takes 32 bytes along k of each row and column.

#ifndef TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H
#define TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/plan/TileLayout.h"
#include "tilewright/tile/Ops.h"

#include <variant>

namespace tilewright::nvidia {

/// A matrix instruction.
struct MatrixForm {
  static constexpr int64_t bytesAlongK = 32;

  enum Kind : uint8_t {
    Sync,   ///< `mma.sync`
    Group,  ///< `wgmma`
    Tensor, ///< `tcgen05.mma`
  };

  /// LLVM's name without `llvm.nvvm.mma.`; the types of a `wgmma`: those of the result, of lhs and
  /// of rhs; or the kind of a `tcgen05.mma`.
  std::string name;
  /// The rows of a fragment; all have 8 columns.
  int64_t rows;
  /// Bytes along k that `name` takes; if that is half of `bytesAlongK`, it is called twice.
  int64_t bytesOfOne = bytesAlongK;
  unsigned ptxVersion = 70;
  Kind kind = Sync;
  /// The bits for types in the instruction descriptor of a `tcgen05.mma` (PTX ISA, 9.7.16.4.2).
  uint32_t typeBits = 0;
  /// Whether elements have 8 bits in shared memory, and become f16 when fragments are loaded.
  bool takesHalves = false;
  /// Whether the instruction takes scales, and applies them.
  bool takesScales = false;
  /// Whether it takes two elements of four bits from a byte of shared memory.
  bool isPacked = false;

  bool isOfWarpgroup() const { return kind == Group; }
  bool isOfTensorMemory() const { return kind == Tensor; }
  /// Whether it reads operands from shared memory itself, by the asynchronous proxy.
  bool readsSharedMemory() const { return kind != Sync; }
  /// The threads whose registers have the accumulators of a fragment.
  int64_t threads() const { return kind == Sync ? 32 : 128; }
};

/// A product computed by matrix instructions.
struct MatrixProduct {
  static constexpr int64_t columns = 8;
  /// The least interval that the DeepSeek-V3 report found to improve the precision of fp8 products
  /// on Hopper without much overhead (arXiv 2412.19437, 3.3.2).
  static constexpr int64_t stepsOfPromotion = 128;
  /// A thread's registers for sums that are not promoted yet.
  static constexpr int64_t mostPartialRegisters = 64;

  MatrixForm form;
  int64_t batches, m, n, k;
  int64_t elementBytes;
  /// The warps, or else the warpgroups, among which the result is divided. Any further ones have
  /// the same elements.
  int64_t warpsAlongM, warpsAlongN;
  /// Whether elements of rhs have 8 bits and are contiguous along n: they are loaded in pairs, so
  /// that one fragment has the even columns of 16, and the next one the odd ones.
  bool isPaired = false;
  /// Whether operands lie in shared memory as tensor maps and `wgmma` lay them out.
  bool hasPanels = false;
  /// Whether `wgmma` keeps fewer bits of sums than f32: sums of `stepsOfPromotion` steps along k
  /// are then added to the accumulators in f32.
  bool isPromoted = false;
  /// Elements along k that have the same scale; 0 if there are no scales. Products of such a block
  /// are summed, scaled, and then added to the accumulators.
  int64_t scaledBlock = 0;
  /// The CTAs of a cluster that divide the rows (cluster/Cluster.h).
  int64_t ctas = 1;
  /// Tuning::mostAccumulatorRegisters. More accumulators are in local memory, and are loaded into
  /// registers piece by piece.
  int64_t mostRegisters = Tuning().mostAccumulatorRegisters;

  bool canBePaired() const {
    return elementBytes == 1 && fragmentsAlongN() > 1 && !form.readsSharedMemory();
  }
  /// Bytes of successive elements in shared memory.
  int64_t bytesOfRun(int64_t elements) const {
    return elements * elementBytes / (form.isPacked ? 2 : 1);
  }
  /// Steps along k per instruction.
  int64_t steps() const { return MatrixForm::bytesAlongK / elementBytes * (form.isPacked ? 2 : 1); }
  bool isScaled() const { return scaledBlock > 0; }
  int64_t rowsOfCta() const { return m / ctas; }
  /// The columns of rhs in the shared memory of a CTA: with `wgmma`, all.
  int64_t columnsOfCta() const { return form.isOfTensorMemory() ? n / ctas : n; }
  /// Bytes for the scales in the memory of exchanges; those of `tcgen05.mma` are in pipeline
  /// stages.
  int64_t scaleBytes() const {
    return isScaled() && !form.isOfTensorMemory() ? batches * (m + n) * (k / scaledBlock) : 0;
  }
  /// Bytes of a CTA's shared memory for this number of steps along k.
  int64_t bytesOf(int64_t steps) const {
    return batches * (rowsOfCta() + columnsOfCta()) * bytesOfRun(steps);
  }
  /// The layout of the accumulators: per fragment, a thread has two adjacent elements of one or two
  /// rows; per pair of fragments, four. Of 128 rows in tensor memory, a thread has one.
  TileLayout layout(int64_t threads) const;
  /// The layout in which instructions take lhs of 16-bit elements from the registers of the threads
  /// that multiply it, or in which threads store lhs to tensor memory. None if several warps
  /// multiply the same rows of registers, or if a thread has no whole words of 32 bits.
  std::optional<TileLayout> lhsLayout(int64_t threads) const;
  /// The rows of one instruction: with `tcgen05.mma`, in all CTAs of a pair.
  int64_t rowsOfOne() const { return form.rows * (form.isOfTensorMemory() ? ctas : 1); }
  /// The columns of one `wgmma` or `tcgen05.mma`.
  int64_t columnsOfOne() const {
    return std::min<int64_t>(isPromoted ? 2 * mostPartialRegisters : 256,
                             form.isOfTensorMemory() ? n : n / warpsAlongN);
  }
  /// The columns of a CTA's tensor memory that the accumulators take.
  int64_t tensorColumns() const { return rowsOfCta() / form.rows * n; }
  /// Lhs in tensor memory, as if its words of 32 bits were accumulators.
  MatrixProduct wordsOfLhs() const;
  /// Whether threads can store lhs to tensor memory.
  bool storesLhs() const;
  /// The registers with the accumulators of a fragment.
  llvm::SmallVector<int64_t, 4> slotsOf(int64_t batch, int64_t i, int64_t j) const;
  /// A thread's accumulators in a fragment.
  int64_t sumsOfFragment() const { return form.rows * columns / form.threads(); }
  /// Fragments per warp or warpgroup.
  int64_t fragmentsAlongM() const { return m / form.rows / warpsAlongM; }
  int64_t fragmentsAlongN() const { return n / columns / warpsAlongN; }
  /// A thread's accumulators in a row of fragments of a batch.
  int64_t sumsOfRow() const { return fragmentsAlongN() * sumsOfFragment(); }
  int64_t mostInRegisters() const { return elementBytes == 8 ? mostRegisters / 2 : mostRegisters; }
  /// The registers of a thread for the accumulators that are there at a time.
  int64_t registersOfSums(int64_t threads) const {
    return std::min(layout(threads).slots(), mostInRegisters()) * (elementBytes == 8 ? 2 : 1);
  }
  /// The rows of fragments whose accumulators are in registers at a time.
  int64_t rowsOfPiece(int64_t threads) const;
};

/// By `mma.sync`. None if the target has no instruction that computes what the specification
/// requires (arithmetic, 4.30 and 4.31), or if the tiles are too small or far too large for it: the
/// product is then computed by multiply-adds.
std::optional<MatrixProduct> matrixProductOf(tile::MatmulOpInterface op, const Target &target,
                                             int64_t threads);
/// By `wgmma`. None if the target does not have it, or if the tiles have too few rows or too many
/// accumulators.
std::optional<MatrixProduct> warpgroupProductOf(tile::MatmulOpInterface op, const Target &target,
                                                int64_t threads);
/// By `tcgen05.mma`, or why not; an empty reason if the target does not have it. Whether its
/// accumulators can stay in tensor memory is not known yet (TensorMemory.h).
using ProductOrReason = std::variant<MatrixProduct, std::string>;
ProductOrReason tensorProductOf(tile::MatmulOpInterface op, const Target &target, int64_t threads);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_MATRIXPRODUCT_H
