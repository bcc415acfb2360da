// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Conditions.h.

#include "tilewright/prove/Conditions.h"
#include "tilewright/prove/ConditionText.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::prove;

std::set<unsigned> Conditions::closure(const std::set<unsigned> &obligations) const {
  std::set<unsigned> all;
  std::vector<unsigned> left(obligations.begin(), obligations.end());
  while (!left.empty()) {
    const unsigned next = left.back();
    left.pop_back();
    if (all.insert(next).second)
      llvm::append_range(left, analysis.obligations[next].support.obligations);
  }
  return all;
}

const Cases &Conditions::launchesOf(unsigned obligation) {
  const auto [found, isNew] = known.try_emplace(obligation);
  if (isNew)
    found->second = projection.launchesOf(analysis.obligations[obligation].violation);
  return found->second;
}

mlir::Operation *Conditions::unknownIn(const std::set<unsigned> &obligations) const {
  for (unsigned number : obligations) {
    const Obligation &obligation = analysis.obligations[number];
    if (obligation.support.unknown)
      return obligation.support.unknown;
    if (mlir::Operation *unknown = projection.unknownIn(obligation.violation))
      return unknown;
  }
  return nullptr;
}

//===-- Clauses -----------------------------------------------------------------------------===//

/// Whether this says that a scalar argument is not negative: `n >= 0`, or positive: `n - 1 >= 0`,
/// `m * n - m >= 0`.
static bool saysNotEmpty(const Symbols &symbols, const Constraint &constraint) {
  const auto &terms = constraint.value.terms();
  if (terms.size() == 1)
    return terms.begin()->second > 0 && constraint.value.degree() == 1 && !constraint.isEquality &&
           symbols[terms.begin()->first.front()].kind == SymbolKind::Scalar;
  if (constraint.isEquality || terms.size() != 2)
    return false;
  const auto &first = *terms.begin(), &last = *terms.rbegin();
  const bool isAscending = first.first.size() < last.first.size();
  const auto &[few, factorOfFew] = isAscending ? first : last;
  const auto &[many, factorOfMany] = isAscending ? last : first;
  Monomial more;
  std::set_difference(many.begin(), many.end(), few.begin(), few.end(), std::back_inserter(more));
  return factorOfMany > 0 && factorOfMany + factorOfFew == 0 && many.size() == few.size() + 1 &&
         more.size() == 1 && symbols[more.front()].kind == SymbolKind::Scalar;
}

/// That empty tensors and negative arguments allow more launches is left out: it makes conditions
/// longer than it is worth.
static Conjunction withoutEmptiness(const Symbols &symbols, Conjunction excluded) {
  Conjunction kept;
  for (const Constraint &constraint : excluded)
    if (!saysNotEmpty(symbols, constraint))
      kept.push_back(constraint);
  return kept.empty() ? excluded : kept;
}

/// What clauses of a single inequality say.
static Conjunction requiredBy(const Cases &clauses) {
  Conjunction required;
  for (const Conjunction &clause : clauses)
    if (clause.size() == 1 && !clause.front().isEquality)
      required.push_back(negation(clause.front()).front().front());
  return required;
}

/// Whether the launches are excluded by other clauses.
bool Conditions::follows(const Conjunction &excluded, const Cases &others) const {
  Conjunction constraints = excluded;
  llvm::append_range(constraints, requiredBy(others));
  return projection.isImpossible(constraints) ||
         llvm::any_of(others, [&](const Conjunction &other) {
           return llvm::all_of(other, [&](const Constraint &constraint) {
             return llvm::all_of(negation(constraint), [&](const Conjunction &beyond) {
               return projection.isImpossible(both({excluded}, {beyond}).front());
             });
           });
         });
}

/// Earlier clauses are left out first.
Cases Conditions::minimal(Cases clauses) const {
  for (size_t at = 0; at < clauses.size();) {
    const Conjunction clause = clauses[at];
    clauses.erase(clauses.begin() + at);
    if (!follows(clause, clauses))
      clauses.insert(clauses.begin() + at++, clause);
  }
  return clauses;
}

/// Alternatives that other clauses rule out are left out.
Cases Conditions::withoutAlternatives(Cases clauses) const {
  const Conjunction required = requiredBy(clauses);
  for (Conjunction &clause : clauses)
    for (size_t at = 0; clause.size() > 1 && at < clause.size();) {
      const Cases beyond = both({required}, negation(clause[at]));
      if (llvm::all_of(beyond, [&](const auto &one) { return projection.isImpossible(one); }))
        clause.erase(clause.begin() + at);
      else
        ++at;
    }
  return clauses;
}

/// Whether each value of the polynomial is a multiple, because each factor is.
static bool isMultiple(const Divisibility &divisibility) {
  return llvm::all_of(divisibility.value.terms(),
                      [&](const auto &term) { return term.second % divisibility.divisor == 0; });
}

static Cases longestFirst(const std::set<Conjunction> &clauses) {
  Cases sorted(clauses.begin(), clauses.end());
  llvm::sort(sorted, [](const Conjunction &a, const Conjunction &b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  return sorted;
}

Condition Conditions::of(const std::set<unsigned> &obligations, mlir::Operation *&unknown) {
  Condition condition;
  std::set<Conjunction> wrapping, others;
  for (unsigned number : obligations) {
    const Obligation &obligation = analysis.obligations[number];
    for (const Conjunction &launches : launchesOf(number))
      (obligation.kind == ObligationKind::Range ? wrapping : others)
          .insert(withoutEmptiness(analysis.symbols, launches));
    if (!obligation.divisibility || isMultiple(*obligation.divisibility))
      continue;
    bool isKnown = true;
    obligation.divisibility->value.forEachSymbol(
        [&](SymbolId id) { isKnown &= analysis.symbols[id].isParameter(); });
    if (isKnown)
      condition.divisibilities.push_back(*obligation.divisibility);
    else
      unknown = obligation.op;
  }
  Cases clauses = longestFirst(wrapping);
  llvm::append_range(clauses, longestFirst(others));
  condition.excluded = minimal(withoutAlternatives(minimal(std::move(clauses))));
  return condition;
}

bool Conditions::isPossible(const Condition &condition) const {
  return !llvm::is_contained(condition.excluded, Conjunction()) &&
         !projection.isImpossible(requiredBy(condition.excluded));
}

std::vector<std::string> Conditions::textOf(const Condition &condition) const {
  std::set<std::string> texts;
  for (const Conjunction &excluded : condition.excluded)
    texts.insert(textOfNegation(analysis.symbols, excluded));
  for (const Divisibility &divisibility : condition.divisibilities) {
    const std::string value = prove::textOf(analysis.symbols, divisibility.value);
    const bool isSum = divisibility.value.terms().size() > 1;
    const std::string divisor = prove::textOf(analysis.symbols, Polynomial(divisibility.divisor));
    texts.insert((isSum ? "(" + value + ")" : value) + " % " + divisor + " == 0");
  }
  return {texts.begin(), texts.end()};
}
