// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peaks of some GPUs, as NVIDIA publishes them.

#ifndef TILEWRIGHT_API_EXPLORE_GPUS_H
#define TILEWRIGHT_API_EXPLORE_GPUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::api {

/// Operations per second, by the type of the operands; 0 if there are no units for it.
struct Peaks {
  double f64, f32;
  /// Matrix products without sparsity, accumulated in f32, or in i32 for i8.
  double tf32, f16, f8, i8;
  /// f64 on the units for matrix products; 0 if they have no f64, or are as fast as the others.
  double f64Products = 0;
};
struct Gpu {
  llvm::StringLiteral name, sm;
  /// Of its memory, in bytes per second.
  double bandwidth;
  Peaks peaks;
  /// The number of its multiprocessors.
  int64_t multiprocessors;
};
llvm::ArrayRef<Gpu> gpus();

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_GPUS_H
