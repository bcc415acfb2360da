// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NVIDIA publishes about its GPUs: limits per multiprocessor, and the peaks of some products.

#ifndef TILEWRIGHT_API_EXPLORE_GPUS_H
#define TILEWRIGHT_API_EXPLORE_GPUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::api {

/// What a multiprocessor can hold. All have 64 K registers.
struct Multiprocessor {
  /// The name of the target: `sm_90a`.
  llvm::StringLiteral sm;
  int64_t threads, blocks, sharedBytes;
  /// Of the shared memory of a block: how much the system adds, and the multiple to which the sum
  /// is rounded up.
  int64_t reservedBytes, granularity;
};
llvm::ArrayRef<Multiprocessor> multiprocessors();

/// What a tile block needs.
struct BlockResources {
  int64_t threads, sharedBytes;
  /// Per thread; none if unknown.
  std::optional<int64_t> registers;
};

struct Occupancy {
  int64_t blocks, warps;
  /// Of the largest number of warps.
  double share;
  /// `threads`, `registers`, `shared memory` or `blocks`: what admits the fewest blocks.
  llvm::StringRef limiter;
  /// What else admits no more.
  llvm::SmallVector<llvm::StringRef, 3> also = {};
};
Occupancy occupancyOf(const BlockResources &block, const Multiprocessor &multiprocessor);

/// Operations per second, by the type of the operands; 0 if there are no units for it.
struct Peaks {
  double f64, f32;
  /// Matrix products without sparsity, accumulated in f32.
  double tf32, f16, f8;
};
struct Gpu {
  llvm::StringLiteral name, sm;
  /// Of its memory, in bytes per second.
  double bandwidth;
  Peaks peaks;
};
llvm::ArrayRef<Gpu> gpus();

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_GPUS_H
