// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Polynomial.h.

#include "tilewright/prove/Polynomial.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::prove;

Monomial prove::operator*(const Monomial &a, const Monomial &b) {
  Monomial product;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(product));
  return product;
}

Polynomial::Polynomial(Integer constant) {
  if (constant != 0)
    factors[{}] = constant;
}

Polynomial Polynomial::term(Monomial monomial, Integer factor) {
  Polynomial made;
  if (factor != 0)
    made.factors[std::move(monomial)] = factor;
  return made;
}

Integer Polynomial::factorOf(const Monomial &monomial) const {
  const auto found = factors.find(monomial);
  return found == factors.end() ? Integer(0) : found->second;
}

std::optional<Integer> Polynomial::constant() const {
  if (degree() > 0)
    return std::nullopt;
  return factorOf({});
}

size_t Polynomial::degree() const {
  size_t most = 0;
  for (const auto &[monomial, factor] : factors)
    most = std::max(most, monomial.size());
  return most;
}

Polynomial &Polynomial::operator+=(const Polynomial &other) {
  for (const auto &[monomial, factor] : other.factors) {
    const Integer sum = factorOf(monomial) + factor;
    if (sum == 0)
      factors.erase(monomial);
    else
      factors[monomial] = sum;
  }
  return *this;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial product;
  for (const auto &[a, factorOfA] : factors)
    for (const auto &[b, factorOfB] : other.factors)
      product += term(a * b, factorOfA * factorOfB);
  return product;
}

Polynomial Polynomial::substitute(llvm::function_ref<Polynomial(SymbolId)> replacement) const {
  Polynomial sum;
  for (const auto &[monomial, factor] : factors) {
    Polynomial product(factor);
    for (SymbolId id : monomial)
      product = product * replacement(id);
    sum += product;
  }
  return sum;
}

Integer Polynomial::evaluate(llvm::function_ref<Integer(SymbolId)> value) const {
  Integer sum(0);
  for (const auto &[monomial, factor] : factors) {
    Integer product = factor;
    for (SymbolId id : monomial)
      product = product * value(id);
    sum = sum + product;
  }
  return sum;
}

void Polynomial::forEachSymbol(llvm::function_ref<void(SymbolId)> visit) const {
  for (const auto &[monomial, factor] : factors)
    for (SymbolId id : monomial)
      visit(id);
}

//===-- Conditions --------------------------------------------------------------------------===//

bool prove::boundsFromBelow(const Constraint &constraint, SymbolId id) {
  const Integer factor = constraint.value.factorOf({id}), constant = constraint.value.factorOf({});
  const size_t terms = constraint.value.terms().size();
  return factor > 0 && constant <= 0 && terms == (constant == 0 ? 1 : 2);
}

Constraint prove::atLeast(const Polynomial &a, const Polynomial &b) { return {a - b}; }
Constraint prove::lessThan(const Polynomial &a, const Polynomial &b) { return {b - a - 1}; }
Constraint prove::equal(const Polynomial &a, const Polynomial &b) { return {a - b, true}; }

Cases prove::both(const Cases &a, const Cases &b) {
  if (a.size() * b.size() > mostCases)
    return a;
  Cases product;
  for (const Conjunction &left : a)
    for (const Conjunction &right : b) {
      product.push_back(left);
      product.back().insert(product.back().end(), right.begin(), right.end());
    }
  return product;
}

Cases prove::either(const Cases &a, const Cases &b) {
  if (a.size() + b.size() > mostCases)
    return {{}};
  Cases sum = a;
  sum.insert(sum.end(), b.begin(), b.end());
  return sum;
}

Cases prove::negation(const Constraint &constraint) {
  if (constraint.isEquality)
    return {{{constraint.value - 1}}, {{-constraint.value - 1}}};
  return {{{-constraint.value - 1}}};
}
