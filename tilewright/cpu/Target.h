// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target processor: LLVM's description, the capabilities that elementwise operations use, and
// what planning and loop generation need in addition. It includes the thresholds by which the
// compiler decides for this processor.

#ifndef TILEWRIGHT_CPU_TARGET_H
#define TILEWRIGHT_CPU_TARGET_H

#include "tilewright/codegen/TargetMachine.h"
#include "tilewright/cpu/Tuning.h"
#include "tilewright/support/Result.h"
#include <string_view>

namespace tilewright::cpu {

struct Target : codegen::TargetMachine {
  bool hasAmxBf16 = false, hasAmxInt8 = false;
  bool hasAvx512 = false, hasAvx512Vnni = false;
  /// Dot products of bf16 are faster than multiply-adds of f32. Processors with AMX have the
  /// instruction, too, but it is half as fast.
  bool hasFastBf16Dot = false;
  /// One instruction adds two products of i16 (PMADDWD).
  bool hasWordDot = false;

  /// Gather instructions are faster than a load per lane.
  bool hasFastGather = false;

  /// Size of the L1 data cache of each core; 32 KiB if unknown.
  int64_t firstCacheBytes = int64_t(32) << 10;
  /// Size of the last-level cache; 32 MiB if unknown.
  int64_t lastCacheBytes = int64_t(32) << 20;

  Tuning tuning = {};

  /// The processor of this machine.
  static Target host();
  /// `native`, `x86-64`, `x86-64-v3` (AVX2 and FMA), `x86-64-v4` (AVX-512), `znver4` (with dot
  /// products of bf16 and i8), `sapphirerapids` (AMX), `aarch64`; for x86, followed by any number
  /// of `+FEATURE` or `+noFEATURE`, with LLVM's names: `native+noamx-bf16`.
  static support::Result<Target> named(std::string_view name);
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_TARGET_H
