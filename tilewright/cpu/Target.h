// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which processor is code generated? To the description that LLVM is given, and to what
// elementwise operations may use, this adds what our own plans and loops ask of it.

#ifndef TILEWRIGHT_CPU_TARGET_H
#define TILEWRIGHT_CPU_TARGET_H

#include "tilewright/codegen/TargetMachine.h"
#include "tilewright/support/Result.h"
#include <string_view>

namespace tilewright::cpu {

struct Target : codegen::TargetMachine {
  bool hasAmxBf16 = false, hasAmxInt8 = false;
  bool hasAvx512 = false, hasAvx512Vnni = false;
  /// Dot products of bf16 that are faster than multiply-adds of f32. Processors with AMX have
  /// the instruction, too, at half their speed.
  bool hasFastBf16Dot = false;
  /// Sums of two products of i16 in one instruction (PMADDWD).
  bool hasWordDot = false;

  /// Gathers by one instruction that are faster than a load per lane.
  bool hasFastGather = false;

  /// Bytes of the first cache for data of each processor: of 32 KiB, where it is not known.
  int64_t firstCacheBytes = int64_t(32) << 10;
  /// Bytes of the last cache: of 32 MiB, where it is not known.
  int64_t lastCacheBytes = int64_t(32) << 20;

  /// The processor that this program runs on.
  static Target host();
  /// `native`, `x86-64`, `x86-64-v3` (AVX2 and FMA), `x86-64-v4` (AVX-512), `znver4`
  /// (with dot products of bf16 and i8), `sapphirerapids` (AMX), `aarch64`; then, for x86, any
  /// number of `+FEATURE` or `+noFEATURE`, by LLVM's names: `native+noamx-bf16`.
  static support::Result<Target> named(std::string_view name);
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_TARGET_H
