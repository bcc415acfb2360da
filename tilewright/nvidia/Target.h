// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which GPU is code generated? A row per compute capability: what LLVM has to know of it, and
// what plans may count on.

#ifndef TILEWRIGHT_NVIDIA_TARGET_H
#define TILEWRIGHT_NVIDIA_TARGET_H

#include "tilewright/codegen/TargetMachine.h"
#include "tilewright/support/Result.h"

#include <string_view>
#include <vector>

namespace tilewright::nvidia {

struct Target : codegen::TargetMachine {
  /// 75 to 121.
  unsigned capability = 0;
  /// Of PTX that is written, 63 for 6.3: the first one that knows the target, unless a kernel needs
  /// a later one.
  unsigned ptxVersion = 0;
  /// Bytes of static shared memory that a CTA can have.
  int64_t sharedBytes = usualSharedBytes;
  /// Of a multiprocessor, for all of its CTAs.
  static constexpr int64_t registers = 64 << 10;
  /// As many as all targets have. Who takes more leaves less to other CTAs.
  static constexpr int64_t usualSharedBytes = 48 << 10;

  /// `sm_75` to `sm_121`. From sm_90 on there are instructions that later GPUs do not have, and
  /// `sm_90` and `sm_90a` mean the target with those of its own.
  static support::Result<Target> named(std::string_view name);
  /// By capability.
  static std::vector<Target> all();
};

/// Of `tilewright run`.
inline constexpr std::string_view defaultTarget = "sm_90a";

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_TARGET_H
