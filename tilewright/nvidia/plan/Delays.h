// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Delayed products. In attention, lhs of the second product of an iteration is the softmax of the
// first one's result, so the tensor cores would be idle during the softmax. If the second product
// only adds to loop-carried accumulators, it is issued in the next iteration, right behind the
// first product of that one, its *cover*, and runs during the softmax:
//
//     issue the cover and the delayed product; wait for the cover
//     softmax
//     wait for the delayed product; rescale its accumulators; compute its next lhs
//
// In the first iteration, nothing is delayed yet; the product of the last iteration follows the
// loop. All sums are computed in the same order as without delay.

#ifndef TILEWRIGHT_NVIDIA_PLAN_DELAYS_H
#define TILEWRIGHT_NVIDIA_PLAN_DELAYS_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::nvidia {

struct Plan;

/// A product by `wgmma` in a `for` loop, whose lhs is passed in registers.
struct Delay {
  mlir::Operation *loop;
  tile::MatmulOpInterface product, cover;
  /// The loop-carried tile with the accumulators.
  mlir::Value sums;
  /// The first operation of an iteration that reads the accumulators or computes lhs.
  mlir::Operation *firstReader;
  /// The tiles from which lhs is computed, by an elementwise operation.
  llvm::SmallVector<mlir::Value, 2> sources;
};

struct Delays {
  llvm::SmallVector<Delay, 1> all;
  /// Why products are not delayed that have lhs in registers and add to a loop-carried tile.
  llvm::MapVector<mlir::Operation *, std::string> reasons;

  void add(Delay delay);
  /// The delay of which the operation is the loop, the product, the cover or the first reader.
  const Delay *of(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::Operation *, size_t> numbers;
};

/// PlanDelays.cpp: whether the program permits the delay.
bool mayBeDelayed(tile::MatmulOpInterface product);
/// Fills `delays`. Needs roles.
void chooseDelays(Plan &plan);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_DELAYS_H
