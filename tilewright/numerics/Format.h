// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of element formats. Each element format of Tile IR is one row, with its spelling, its
// widths and, for floats, the parameters that determine encoding, decoding and rounding (types, 2.1
// and 2.2; arithmetic, 3.2).

#ifndef TILEWRIGHT_NUMERICS_FORMAT_H
#define TILEWRIGHT_NUMERICS_FORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cassert>
#include <cstdint>
#include <optional>

namespace llvm {
struct fltSemantics;
} // namespace llvm

namespace tilewright::numerics {

enum class Format : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F4E2M1FN,
  F8E5M3FNU,
  Pointer,
};
inline constexpr unsigned formatCount = 17;

enum class FormatKind : uint8_t { Integer, Float, Pointer };

struct FormatInfo {
  const char *spelling;
  Format format;
  FormatKind kind;
  /// The MLIR width, used by rules that compare widths; 19 for tf32.
  uint8_t bits;
  /// Bits of one element in memory; 0 for i4, which cannot be in memory.
  uint8_t storageBits;

  // The remaining members are zero for integers and pointers.
  uint8_t exponentBits = 0;
  uint8_t mantissaBits = 0;
  int16_t bias = 0;
  bool hasSign = false;
  /// Whether it has zero and subnormals: every float format except f8E8M0FNU.
  bool hasZero = false;
  bool hasInf = false;
  bool hasNan = false;
  /// Bit pattern of the largest finite value.
  uint64_t largest = 0;
  /// The only NaN that operations produce (arithmetic, 3.3).
  uint64_t canonicalNan = 0;

  constexpr bool isInteger() const { return kind == FormatKind::Integer; }
  constexpr bool isFloat() const { return kind == FormatKind::Float; }
  constexpr bool isPointer() const { return kind == FormatKind::Pointer; }
  /// Whether LLVM has this float format, too.
  constexpr bool isInLLVM() const { return isFloat() && format != Format::F8E5M3FNU; }

  /// The bits that a pattern of this format may use.
  constexpr uint64_t mask() const { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
  /// The sign bit of a float or the top bit of an integer; 0 for a float without sign.
  constexpr uint64_t signBit() const {
    return isFloat() && !hasSign ? 0 : uint64_t(1) << (bits - 1);
  }
  /// The bits of a pattern other than the sign.
  constexpr uint64_t magnitudeMask() const { return mask() & ~signBit(); }
  /// Bit pattern of +Inf, for formats that have one: the pattern after the largest finite one.
  constexpr uint64_t infinity() const { return largest + 1; }
  /// Exponent of the smallest normal number. In a format without zero and subnormals, the biased
  /// exponent 0 is a normal one.
  constexpr int minExponent() const { return hasZero ? 1 - bias : -bias; }
  /// Exponent of the largest finite number.
  constexpr int maxExponent() const { return int(largest >> mantissaBits) - bias; }
  /// Significant bits of a normal number, including the hidden bit.
  constexpr int precision() const { return mantissaBits + 1; }
};

/// The table, indexed by Format.
extern const FormatInfo formatTable[formatCount];

inline const FormatInfo &info(Format format) { return formatTable[unsigned(format)]; }
llvm::ArrayRef<FormatInfo> allFormats();

/// The element type with this (case-sensitive) spelling. Pointers have no spelling and are never
/// found.
std::optional<Format> formatNamed(llvm::StringRef spelling);

/// The integer format with this width, if there is one.
std::optional<Format> integerFormat(unsigned bits);

/// LLVM's semantics for the same float format, if LLVM has it.
const llvm::fltSemantics &semantics(Format format);

/// The float format with these LLVM semantics, if Tile IR has it.
std::optional<Format> floatFormat(const llvm::fltSemantics &description);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_FORMAT_H
