// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a sum of products before anything is rounded? A number of fixed point, wide
// enough for every bit that a product of two f64 can have: digits of 32 bits in words
// of 64, so that carries wait until the end.
//
// Only for the sources of this room.

#ifndef TILEWRIGHT_NUMERICS_EXACTSUM_H
#define TILEWRIGHT_NUMERICS_EXACTSUM_H

#include "tilewright/numerics/Rounding.h"
#include <array>

namespace tilewright::numerics {

class ExactSum {
public:
  /// A NaN, the product of 0 and an infinity, and infinities of both signs make the sum
  /// NaN; one infinity makes it infinite.
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
  /// Additions since carries were last taken care of.
  int64_t pending = 0;
  bool hasNan = false, hasPositiveInf = false, hasNegativeInf = false;
  bool onlyNegativeZeros = true;
};

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_EXACTSUM_H
