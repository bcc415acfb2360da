// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials with integer coefficients over symbols, and conditions that compare them with zero.
// Coefficients have any size, so that no arithmetic of the proof wraps around.

#ifndef TILEWRIGHT_PROVE_POLYNOMIAL_H
#define TILEWRIGHT_PROVE_POLYNOMIAL_H

#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <vector>

namespace tilewright::prove {

using Integer = llvm::DynamicAPInt;
using SymbolId = unsigned;
/// A product of symbols in ascending order; empty: 1.
using Monomial = std::vector<SymbolId>;

Monomial operator*(const Monomial &a, const Monomial &b);

class Polynomial {
public:
  Polynomial() = default;
  Polynomial(Integer constant);
  Polynomial(int64_t constant) : Polynomial(Integer(constant)) {}
  static Polynomial symbol(SymbolId id) { return term({id}, Integer(1)); }
  static Polynomial term(Monomial monomial, Integer factor);

  /// Without zero factors.
  const std::map<Monomial, Integer> &terms() const { return factors; }
  Integer factorOf(const Monomial &monomial) const;
  /// None if it has symbols.
  std::optional<Integer> constant() const;
  size_t degree() const;

  Polynomial &operator+=(const Polynomial &other);
  Polynomial operator*(const Polynomial &other) const;
  Polynomial operator-() const { return *this * Polynomial(-1); }
  bool operator==(const Polynomial &other) const { return factors == other.factors; }
  bool operator<(const Polynomial &other) const { return factors < other.factors; }

  /// Replaces each symbol by a polynomial.
  Polynomial substitute(llvm::function_ref<Polynomial(SymbolId)> replacement) const;
  Integer evaluate(llvm::function_ref<Integer(SymbolId)> value) const;
  void forEachSymbol(llvm::function_ref<void(SymbolId)> visit) const;

private:
  std::map<Monomial, Integer> factors;
};

inline Polynomial operator+(Polynomial a, const Polynomial &b) { return a += b; }
inline Polynomial operator-(Polynomial a, const Polynomial &b) { return a += -b; }

/// `value >= 0`, or `value == 0`.
struct Constraint {
  Polynomial value;
  bool isEquality = false;

  bool operator<(const Constraint &other) const {
    return std::tie(isEquality, value) < std::tie(other.isEquality, other.value);
  }
  bool operator==(const Constraint &) const = default;
};

/// Whether it says that the symbol is at least some number that is not negative.
bool boundsFromBelow(const Constraint &constraint, SymbolId id);

Constraint atLeast(const Polynomial &a, const Polynomial &b);
Constraint lessThan(const Polynomial &a, const Polynomial &b);
Constraint equal(const Polynomial &a, const Polynomial &b);

using Conjunction = std::vector<Constraint>;
/// A disjunction of conjunctions: no case is false, an empty conjunction is true.
using Cases = std::vector<Conjunction>;

/// More cases than this are not told apart.
inline constexpr size_t mostCases = 64;

/// These may include more than the exact answer if there were too many cases: every use asks
/// whether something bad is possible, where more is safe. `both` then returns `a`.
Cases both(const Cases &a, const Cases &b);
Cases either(const Cases &a, const Cases &b);
/// Where a constraint does not hold.
Cases negation(const Constraint &constraint);

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_POLYNOMIAL_H
