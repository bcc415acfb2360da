// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact sums of products, before rounding. The sum is a fixed-point number that is wide enough for
// every bit of a product of two f64: 32-bit digits in 64-bit words, so that carries can be
// deferred.
//
// Internal to this room.

#ifndef TILEWRIGHT_NUMERICS_EXACTSUM_H
#define TILEWRIGHT_NUMERICS_EXACTSUM_H

#include "tilewright/numerics/Rounding.h"
#include <array>

namespace tilewright::numerics {

class ExactSum {
public:
  /// A NaN, a product of 0 and an infinity, or infinities of both signs make the sum NaN; otherwise
  /// an infinity makes it infinite.
  void add(double value) { addProduct(value, 1); }
  void addProduct(double lhs, double rhs);

  /// The sum, rounded once to nearest even. A sum of 0 is +0, unless all terms are -0.
  Element round(Format to) const;

private:
  /// 2^-2148 is the lowest bit of a product; sums of 2^60 products stay below 2^2108.
  static constexpr int lowestExponent = -2148;
  static constexpr int digitCount = (2108 - lowestExponent) / 32 + 2;
  using Digits = std::array<int64_t, digitCount>;

  /// Adds part * 2^exponent; part is negative if the term is.
  void addPart(uint64_t part, int exponent, bool negative);
  static void carry(Digits &digits);

  Digits digits = {};
  /// Additions since the last carry propagation.
  int64_t pending = 0;
  bool hasNan = false, hasPositiveInf = false, hasNegativeInf = false;
  bool onlyNegativeZeros = true;
};

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_EXACTSUM_H
