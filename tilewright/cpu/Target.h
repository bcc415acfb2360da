// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which processor is code generated? One is described by LLVM's triple, CPU name and
// feature string; what our own code generation asks of it is spelled out here.

#ifndef TILEWRIGHT_CPU_TARGET_H
#define TILEWRIGHT_CPU_TARGET_H

#include "tilewright/elementwise/Capabilities.h"
#include "tilewright/support/Result.h"
#include <string>
#include <string_view>

namespace tilewright::cpu {

struct Target : elementwise::Capabilities {
  std::string triple, cpu, features;

  /// Bytes of a vector register.
  unsigned vectorBytes = 16;
  bool hasAmxBf16 = false, hasAmxInt8 = false;
  bool hasAvx512 = false, hasAvx512Vnni = false;
  /// Dot products of bf16 that are faster than multiply-adds of f32. Processors with AMX have
  /// the instruction, too, at half their speed.
  bool hasFastBf16Dot = false;
  /// Sums of two products of i16 in one instruction (PMADDWD).
  bool hasWordDot = false;

  /// Gathers by one instruction that are faster than a load per lane.
  bool hasFastGather = false;

  /// Bytes of the last cache: of 32 MiB, where it is not known.
  int64_t lastCacheBytes = int64_t(32) << 20;

  /// The processor that this program runs on, by the features that it reports: its model
  /// name may be masked by a hypervisor.
  static Target host();
  /// `native`, `x86-64`, `x86-64-v3` (AVX2 and FMA), `x86-64-v4` (AVX-512), `znver4`
  /// (with dot products of bf16 and i8), `sapphirerapids` (AMX), `aarch64`; then, for x86, any
  /// number of `+FEATURE` or `+noFEATURE`, by LLVM's names: `native+noamx-bf16`.
  static support::Result<Target> named(std::string_view name);

  /// Whether its instructions are of the same kind as those of this program's processor.
  bool isForThisArchitecture() const;

  /// Succeeds if code for this target runs on the processor of this program; else says what
  /// that one has not.
  support::Result<void> runsHere() const;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_TARGET_H
