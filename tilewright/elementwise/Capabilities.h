// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target capabilities that emitted code may rely on. If a capability is missing, other
// operations compute the same bits (or, for mathematical functions, results within the same
// bounds).

#ifndef TILEWRIGHT_ELEMENTWISE_CAPABILITIES_H
#define TILEWRIGHT_ELEMENTWISE_CAPABILITIES_H

namespace tilewright::elementwise {

struct Capabilities {
  /// A fused multiply-add instruction. Without it, fused multiply-adds are function calls per
  /// element.
  bool hasFma = false;
  /// Instructions that convert between f16 and f32.
  bool hasF16Conversion = false;
  /// An instruction that rounds f32 to bf16.
  bool hasBf16Rounding = false;
  /// AVX-512 instructions on vectors of 128 to 512 bits that scale by a power of two, extract
  /// exponents and significands, and select the minimum or maximum; used through LLVM intrinsics
  /// (Instructions.h).
  bool hasAvx512Floats = false;
  /// An instruction that rounds f32 vectors to bf16, treating subnormals as zeros.
  bool hasAvx512Bf16 = false;
  /// An exact float remainder, as an instruction or as a linked function.
  bool hasRemainder = true;
  /// f64 arithmetic is almost as fast as f32. Functions of f32 are then computed in f64, with fewer
  /// operations; otherwise in f32, with fused multiply-adds.
  bool hasFastF64 = true;
};

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_CAPABILITIES_H
