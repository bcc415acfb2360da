// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that a launch takes at least on a GPU, by each of the resources that it uses.

#ifndef TILEWRIGHT_API_ESTIMATE_BOUNDS_H
#define TILEWRIGHT_API_ESTIMATE_BOUNDS_H

#include "tilewright/api/explore/Gpus.h"
#include "tilewright/ptx/text/Type.h"

#include <map>
#include <optional>

namespace tilewright::api {

/// What all blocks of a launch do together.
struct LaunchCounts {
  /// Instructions of threads.
  double instructions;
  /// Sectors between caches and multiprocessors, and cycles of shared memory.
  double sectors, bankCycles;
  /// Multiply-adds of matrix products, by the type of the first operand.
  std::map<ptx::Type, double> products;
};

/// What a launch is, beside what its blocks do.
struct LaunchShape {
  int64_t blocks;
  /// Bytes of all arrays.
  int64_t arrayBytes;
};

/// Seconds.
struct Bounds {
  /// The busiest multiprocessor issues instructions, multiplies matrices, accesses shared memory,
  /// and exchanges sectors with the L2 cache. There is none for products that the GPU has no units
  /// for, or whose peak is not known.
  double instructions, shared, caches;
  std::optional<double> products;
  /// Every array moves once from or to memory, or less if the sectors are fewer.
  double memory;

  /// The longest.
  double time() const;
  /// Its name, as in the document.
  llvm::StringRef limiter() const;
};

Bounds boundsOf(const LaunchCounts &counts, const LaunchShape &launch, const Gpu &gpu);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ESTIMATE_BOUNDS_H
