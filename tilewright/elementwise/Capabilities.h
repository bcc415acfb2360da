// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may emitted code take for granted of the machine that executes it? Where a machine lacks
// one of these, other operations compute the same bits (or, of mathematical functions, results
// within the same bounds).

#ifndef TILEWRIGHT_ELEMENTWISE_CAPABILITIES_H
#define TILEWRIGHT_ELEMENTWISE_CAPABILITIES_H

namespace tilewright::elementwise {

struct Capabilities {
  /// A fused multiply-add in one instruction (else it is a call per element).
  bool hasFma = false;
  /// Conversions between f16 and f32 in one instruction.
  bool hasF16Conversion = false;
  /// f32 is rounded to bf16 in one instruction.
  bool hasBf16Rounding = false;
  /// Vectors of 128 to 512 bits are multiplied by powers of two, and taken apart into exponents
  /// and significands, and the larger or smaller of two is found, in one instruction each: LLVM's
  /// intrinsics of AVX-512 (Instructions.h).
  bool hasAvx512Floats = false;
  /// Vectors of f32 are rounded to bf16 in one instruction that takes subnormal numbers for zeros.
  bool hasAvx512Bf16 = false;
  /// An exact remainder of floats, by an instruction or by a function that is linked.
  bool hasRemainder = true;
  /// Arithmetic in f64 takes little more time than in f32. Functions of f32 are computed in f64
  /// then, with fewer operations; else in f32, with fused multiply-adds.
  bool hasFastF64 = true;
};

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_CAPABILITIES_H
