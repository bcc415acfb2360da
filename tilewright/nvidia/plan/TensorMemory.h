// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by `tcgen05.mma` (PTX ISA, 9.7.16), whose accumulators are in tensor memory while a loop
// runs: 128 lanes of 512 columns of 32 bits. A further warp, the multiplier, executes the same
// slice of the entry as the producer (Roles.h). One thread of it waits for a stage of operands,
// issues the instructions, and commits them to the empty mbarrier of the stage. After the loop, it
// commits to the mbarrier *done*; consumers wait there, and load the accumulators to registers, a
// warp from its quarter of the lanes. They arrive at the mbarrier *ready* when the columns may be
// written: after their loads, or, if the loop does not begin with zeros, after they have stored the
// initial accumulators.
//
// Accumulators are held during the loop if a producer copies both operands, and if the loop only
// carries them from product to product. Otherwise they are in tensor memory during each product
// only: consumers write the other operand, store the accumulators, arrive at *ready*, wait for
// *done*, and load the result. They write rhs to shared memory; lhs goes to columns of tensor
// memory, if a thread holds whole words of it in the lanes that it can store to.
//
// A product is computed so if a producer copies an operand. Otherwise the entry is planned again
// with `mma.sync` for it.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TENSORMEMORY_H
#define TILEWRIGHT_NVIDIA_PLAN_TENSORMEMORY_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace tilewright::nvidia {

/// The accumulators of a product.
struct TensorAccumulators {
  tile::MatmulOpInterface product;
  tile::ForOp loop;    ///< The loop around the product.
  bool isHeld = false; ///< Whether they stay in tensor memory during the loop.
  unsigned number = 0; ///< Then, among the values that the loop carries.
  int64_t column = 0;  ///< The first column, relative to the allocation.
  /// That of lhs, if this is in tensor memory (Staging.h), or why it is not although threads
  /// compute it in the loop.
  int64_t lhsColumn = 0;
  std::string lhsReason = {};
  /// Offsets of mbarriers in shared memory.
  int64_t ready = 0, done = 0;

  /// What products are added to.
  mlir::Value initial() const {
    return isHeld ? tile::ForOp(loop).getInitValues()[number]
                  : tile::MatmulOpInterface(product).getAcc();
  }
  /// The tile in registers that is stored before, and loaded afterwards.
  mlir::Value loaded() const {
    return isHeld ? mlir::Value(tile::ForOp(loop).iterArgs()[number])
                  : tile::MatmulOpInterface(product)->getResult(0);
  }
  /// Whether these are zeros, which need not be stored: the first instruction adds to nothing.
  bool beginWithZeros() const;
};

struct TensorMemory {
  static constexpr int64_t mostColumns = 512, leastColumns = 32;
  /// The most shared memory for the mbarriers of a product and the address of the allocation.
  static constexpr int64_t mostBytes = 64;

  /// By product. While layouts are chosen: those that may be computed so.
  llvm::MapVector<mlir::Operation *, TensorAccumulators> products;
  /// Why others are not, where the target could.
  llvm::MapVector<mlir::Operation *, std::string> reasons;
  /// Products whose accumulators are not held, although their loop only carries them: threads write
  /// an operand in each iteration.
  llvm::DenseSet<mlir::Operation *> notHeld;
  /// Block-scaled products of which consumers write all scales, although an array has them in the
  /// order of a pipeline stage: the producer cannot copy them.
  llvm::DenseSet<mlir::Operation *> written;
  int64_t columns = 0; ///< Of the allocation, in the end a power of two; 0 if there is none.
  /// The offset in shared memory of the allocation's address.
  int64_t address = 0;

  bool isUsed() const { return !products.empty(); }
  const TensorAccumulators *find(mlir::Operation *product) const {
    auto found = products.find(product);
    return found == products.end() ? nullptr : &found->second;
  }
};

/// The number of threads of the multiplier.
inline constexpr int64_t multiplierThreads = 32;

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TENSORMEMORY_H
