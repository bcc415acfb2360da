// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time for which a launch needs each resource of a GPU.

#ifndef TILEWRIGHT_API_ESTIMATE_BOUNDS_H
#define TILEWRIGHT_API_ESTIMATE_BOUNDS_H

#include "tilewright/api/explore/Gpus.h"
#include "tilewright/ptx/text/Type.h"

#include <array>
#include <map>
#include <optional>

namespace tilewright::api {

/// What all blocks of a launch do together.
struct LaunchCounts {
  /// PTX instructions of threads.
  double instructions;
  /// Distinct sectors (ptx/watch/Counters.h), and bank-conflict cycles of shared memory.
  double sectors, bankCycles;
  /// Multiply-adds of matrix products, by the type of the first operand.
  std::map<ptx::Type, double> products;
};

/// What a launch is, beside what its blocks do.
struct LaunchShape {
  int64_t ctas;
  /// Bytes of all arrays.
  int64_t arrayBytes;
};

/// Seconds, if blocks cost the same.
struct Bounds {
  /// The busiest multiprocessor issues instructions, multiplies matrices, accesses shared memory,
  /// and exchanges sectors with the L2 cache. `products` is empty if the GPU's peak for a type is
  /// unknown.
  double instructions, shared, caches;
  std::optional<double> products;
  /// Each array moves once from or to memory, at most the bytes of all sectors.
  double memory;

  /// With their names, as in the document.
  struct Named {
    llvm::StringRef name;
    std::optional<double> seconds;
  };
  std::array<Named, 5> all() const;
  /// The longest.
  double time() const;
  /// Its name.
  llvm::StringRef limiter() const;
};

Bounds boundsOf(const LaunchCounts &counts, const LaunchShape &launch, const Gpu &gpu);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ESTIMATE_BOUNDS_H
