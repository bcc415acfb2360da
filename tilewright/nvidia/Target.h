// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target GPUs, one row per compute capability: what LLVM needs to know, what plans can rely on,
// and the thresholds by which they are made.

#ifndef TILEWRIGHT_NVIDIA_TARGET_H
#define TILEWRIGHT_NVIDIA_TARGET_H

#include "tilewright/codegen/TargetMachine.h"
#include "tilewright/nvidia/Tuning.h"
#include "tilewright/support/Result.h"

#include <string_view>
#include <vector>

namespace tilewright::nvidia {

struct Target : codegen::TargetMachine {
  /// 75 to 121.
  unsigned capability = 0;
  /// The version of emitted PTX, 63 for 6.3: the first one that supports the target, unless a
  /// kernel needs a later one.
  unsigned ptxVersion = 0;
  /// The limit for a CTA's static shared memory.
  int64_t sharedBytes = 0;
  /// How code for it is planned.
  Tuning tuning = {};
  /// Registers of a multiprocessor, for all of its CTAs.
  static constexpr int64_t registers = 64 << 10;

  /// `sm_75` to `sm_121`. From sm_90 on, some instructions are specific to an architecture; `sm_90`
  /// and `sm_90a` both mean the target with these instructions.
  static support::Result<Target> named(std::string_view name);
  /// In the order of compute capabilities.
  static std::vector<Target> all();
};

/// The target of `tilewright run`.
inline constexpr std::string_view defaultTarget = "sm_90a";

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_TARGET_H
