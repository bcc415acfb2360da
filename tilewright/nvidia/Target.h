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

/// How a kernel gets more shared memory than `ptxas` accepts in an array of a known size
/// (docs/decisions/gpu-shared-memory.md).
enum class SharedMemoryForm : uint8_t {
  Static,  ///< It does not: any launcher can start it, also from PTX text.
  Dynamic, ///< The launch requests it, after it has raised the limit of the kernel.
  InCubin, ///< The cubin declares it; PTX text cannot.
};

struct Target : codegen::TargetMachine {
  /// 75 to 121.
  unsigned capability = 0;
  /// The version of emitted PTX, 63 for 6.3: the first one that supports the target, unless a
  /// kernel needs a later one.
  unsigned ptxVersion = 0;
  /// The limit for a CTA's shared memory in the form that code is planned for, and in each form.
  int64_t sharedBytes = 0;
  int64_t staticSharedBytes = 0, mostSharedBytes = 0;
  SharedMemoryForm sharedForm = SharedMemoryForm::Static;
  /// How code for it is planned.
  Tuning tuning = {};
  /// Registers of a multiprocessor, for all of its CTAs.
  static constexpr int64_t registers = 64 << 10;

  /// Plans for this form.
  void use(SharedMemoryForm form);
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
