// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy: how many CTAs a multiprocessor runs at a time, by the limits that NVIDIA publishes.

#ifndef TILEWRIGHT_NVIDIA_OCCUPANCY_H
#define TILEWRIGHT_NVIDIA_OCCUPANCY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::nvidia {

/// What a multiprocessor can hold. All have 64 K registers.
struct Multiprocessor {
  /// The name of the target: `sm_90a`.
  llvm::StringLiteral sm;
  int64_t threads, blocks, sharedBytes;
  /// Of the shared memory of a CTA: how much the system adds, and the multiple to which the sum is
  /// rounded up.
  int64_t reservedBytes, granularity;

  /// The most shared memory of each of this number of CTAs; negative if there is not even enough
  /// for what the system adds.
  int64_t sharedBytesOfEach(int64_t ctas) const;
};
llvm::ArrayRef<Multiprocessor> multiprocessors();
/// That of a target.
const Multiprocessor &multiprocessorOf(llvm::StringRef cpu);

/// What a CTA needs.
struct BlockResources {
  int64_t threads, sharedBytes;
  /// Per thread; none if unknown.
  std::optional<int64_t> registers;
};

struct Occupancy {
  int64_t blocks, warps;
  /// Of the largest number of warps.
  double share;
  /// `threads`, `registers`, `shared memory` or `blocks`: what admits the fewest CTAs.
  llvm::StringRef limiter;
  /// What else admits no more.
  llvm::SmallVector<llvm::StringRef, 3> also = {};
};
Occupancy occupancyOf(const BlockResources &block, const Multiprocessor &multiprocessor);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_OCCUPANCY_H
