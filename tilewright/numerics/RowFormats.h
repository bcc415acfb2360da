// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branch-free conversion between words and native values. There is one struct for each format that
// has row functions: its word, the native type that computes with it, and the conversions in both
// directions. Writing a float makes every NaN canonical and rounds to nearest even.
//
// f16 and bf16 are computed in f32. For sums, products, quotients and square roots, rounding twice
// gives the same result as rounding once, because f32 has more than twice their bits (arithmetic,
// 3.3).
//
// Internal to this room.

#ifndef TILEWRIGHT_NUMERICS_ROWFORMATS_H
#define TILEWRIGHT_NUMERICS_ROWFORMATS_H

#include "tilewright/numerics/RowLoop.h"
#include <bit>
#include <cmath>

namespace tilewright::numerics::rows {

//===-- Floats ------------------------------------------------------------------------===//

TILEWRIGHT_INLINE uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }
TILEWRIGHT_INLINE uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }

/// Rounds value + rest to odd, so that the result can be rounded again to a narrower format. Only
/// the sign of rest matters.
TILEWRIGHT_INLINE float oddFloat(double value, double rest) {
  float nearest = float(value);
  double away = value - double(nearest);
  away = away == 0 ? rest : away;
  uint32_t bits = bitsOf(nearest);
  bool isExact = away == 0 || away != away || std::fabs(value) > 0x1.fffffffffffffp1023;
  bool outward = (bitsOf(away) >> 63) == (bits >> 31);
  uint32_t odd = outward ? bits + 1 : bits - 1;
  return std::bit_cast<float>(isExact || (bits & 1) ? bits : odd);
}

/// Drops some low bits of an f32, rounding to nearest even.
template <unsigned dropped> TILEWRIGHT_INLINE uint32_t dropBits(uint32_t bits) {
  return (bits + ((1u << (dropped - 1)) - 1) + (bits >> dropped & 1)) >> dropped;
}

struct F32 {
  using Word = uint32_t;
  using Value = float;
  static constexpr Format format = Format::F32;
  TILEWRIGHT_INLINE static Value read(Word word) { return std::bit_cast<float>(word); }
  TILEWRIGHT_INLINE static Word write(float value) {
    return value != value ? 0x7FFFFFFF : bitsOf(value);
  }
  TILEWRIGHT_INLINE static Word write(double value) { return write(float(value)); }
};

/// Subnormal operands and results become zeros of the same sign.
struct FlushedF32 : F32 {
  TILEWRIGHT_INLINE static Word flush(Word word) {
    return (word & 0x7FFFFFFF) < 0x00800000 ? word & 0x80000000 : word;
  }
  TILEWRIGHT_INLINE static Value read(Word word) { return F32::read(flush(word)); }
  TILEWRIGHT_INLINE static Word write(float value) { return flush(F32::write(value)); }
};

struct F64 {
  using Word = uint64_t;
  using Value = double;
  static constexpr Format format = Format::F64;
  TILEWRIGHT_INLINE static Value read(Word word) { return std::bit_cast<double>(word); }
  TILEWRIGHT_INLINE static Word write(double value) {
    return value != value ? 0x7FF8000000000000 : bitsOf(value);
  }
};

struct BF16 {
  using Word = uint16_t;
  using Value = float;
  static constexpr Format format = Format::BF16;
  TILEWRIGHT_INLINE static Value read(Word word) {
    return std::bit_cast<float>(uint32_t(word) << 16);
  }
  TILEWRIGHT_INLINE static Word write(float value) {
    return Word(value != value ? 0x7FFF : dropBits<16>(bitsOf(value)));
  }
  TILEWRIGHT_INLINE static Word write(double value) { return write(oddFloat(value, 0)); }
};

struct TF32 {
  using Word = uint32_t;
  using Value = float;
  static constexpr Format format = Format::TF32;
  TILEWRIGHT_INLINE static Value read(Word word) { return std::bit_cast<float>(word << 13); }
  TILEWRIGHT_INLINE static Word write(float value) {
    return value != value ? 0x3FFFF : dropBits<13>(bitsOf(value));
  }
  TILEWRIGHT_INLINE static Word write(double value) { return write(oddFloat(value, 0)); }
};

struct F16 {
  using Word = uint16_t;
  using Value = float;
  static constexpr Format format = Format::F16;

  TILEWRIGHT_INLINE static Value read(Word word) {
    uint32_t magnitude = uint32_t(word & 0x7FFF) << 13, sign = uint32_t(word & 0x8000) << 16;
    // Multiplying by a power of two corrects the exponent, also for subnormals.
    uint32_t finite = bitsOf(std::bit_cast<float>(magnitude) * 0x1p112f);
    bool isFinite = magnitude < 0x7C00u << 13;
    return std::bit_cast<float>(sign | (isFinite ? finite : magnitude | 0x7F800000));
  }

  TILEWRIGHT_INLINE static Word write(float value) {
    uint32_t bits = bitsOf(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
    // Normal: drop 13 bits and change the exponent bias from 127 to 15. A carry into the exponent
    // gives the right result, up to infinity.
    uint32_t normal = dropBits<13>(magnitude - (112u << 23));
    // Subnormal: near 0.5, the unit of f32 is that of the f16 subnormals.
    uint32_t subnormal = bitsOf(std::bit_cast<float>(magnitude) + 0.5f) - bitsOf(0.5f);
    uint32_t result = magnitude < bitsOf(0x1p-14f) ? subnormal : normal;
    result = magnitude >= bitsOf(0x1p16f) ? 0x7C00 : result;
    return Word(magnitude > 0x7F800000 ? 0x7FFF : sign | result);
  }
  TILEWRIGHT_INLINE static Word write(double value) { return write(oddFloat(value, 0)); }
};

/// Calls make(struct of the format) for the formats with arithmetic; otherwise null.
template <typename Make> RowFunction forFloat(Format format, Make make) {
  switch (format) {
  case Format::F16:
    return make(F16());
  case Format::BF16:
    return make(BF16());
  case Format::F32:
    return make(F32());
  case Format::F64:
    return make(F64());
  default:
    return nullptr;
  }
}

//===-- Integers ----------------------------------------------------------------------===//

template <unsigned width> struct Int {
  static constexpr unsigned bits = width;
  template <typename A, typename B, typename C, typename D>
  using ByWidth =
      std::conditional_t<width <= 8, A,
                         std::conditional_t<width == 16, B, std::conditional_t<width == 32, C, D>>>;
  using Word = ByWidth<uint8_t, uint16_t, uint32_t, uint64_t>;
  using Signed = ByWidth<int8_t, int16_t, int32_t, int64_t>;
  /// Wraps around like a machine register, and holds a word.
  using Register = ByWidth<uint32_t, uint32_t, uint32_t, uint64_t>;
  /// Holds every sum and product of two words.
  using Wide = ByWidth<int64_t, int64_t, int64_t, __int128>;
  using UnsignedWide = ByWidth<uint64_t, uint64_t, uint64_t, unsigned __int128>;

  template <typename Value> TILEWRIGHT_INLINE static constexpr Word cut(Value value) {
    return width == 1 ? Word(value & 1) : Word(value);
  }
  TILEWRIGHT_INLINE static constexpr Signed asSigned(Word word) {
    return width == 1 ? Signed(-Signed(word)) : Signed(word);
  }
  /// The word in one of its two readings, as Signed or Word.
  template <Signedness signedness> TILEWRIGHT_INLINE static constexpr auto read(Word word) {
    if constexpr (signedness == Signedness::Signed)
      return asSigned(word);
    else
      return word;
  }
};

/// Calls make(struct of the format) for i1 to i64 except i4; otherwise null.
template <typename Make> RowFunction forInteger(Format format, Make make) {
  switch (format) {
  case Format::I1:
    return make(Int<1>());
  case Format::I8:
    return make(Int<8>());
  case Format::I16:
    return make(Int<16>());
  case Format::I32:
    return make(Int<32>());
  case Format::I64:
    return make(Int<64>());
  default:
    return nullptr;
  }
}

//===-- Modes -------------------------------------------------------------------------===//

/// A mode as a compile-time constant.
template <auto value> using Fixed = std::integral_constant<decltype(value), value>;

template <typename Make> RowFunction forSignedness(Signedness signedness, Make make) {
  return signedness == Signedness::Signed ? make(Fixed<Signedness::Signed>())
                                          : make(Fixed<Signedness::Unsigned>());
}

template <typename Make> RowFunction forPredicate(Predicate predicate, Make make) {
  switch (predicate) {
  case Predicate::Equal:
    return make(Fixed<Predicate::Equal>());
  case Predicate::NotEqual:
    return make(Fixed<Predicate::NotEqual>());
  case Predicate::LessThan:
    return make(Fixed<Predicate::LessThan>());
  case Predicate::LessThanOrEqual:
    return make(Fixed<Predicate::LessThanOrEqual>());
  case Predicate::GreaterThan:
    return make(Fixed<Predicate::GreaterThan>());
  case Predicate::GreaterThanOrEqual:
    return make(Fixed<Predicate::GreaterThanOrEqual>());
  }
  return nullptr;
}

} // namespace tilewright::numerics::rows

#endif // TILEWRIGHT_NUMERICS_ROWFORMATS_H
