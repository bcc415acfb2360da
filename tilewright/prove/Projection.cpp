// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Projection.h.

#include "tilewright/prove/Projection.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::prove;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

/// Larger systems of inequalities are cut off, which only makes the answer weaker.
static constexpr size_t mostRows = 400;

static std::set<SymbolId> symbolsOf(const Conjunction &conjunction) {
  std::set<SymbolId> all;
  for (const Constraint &constraint : conjunction)
    constraint.value.forEachSymbol([&](SymbolId id) { all.insert(id); });
  return all;
}

static void append(Conjunction &system, const Conjunction &more) {
  system.insert(system.end(), more.begin(), more.end());
}

//===-- Definitions -------------------------------------------------------------------------===//

static std::optional<SymbolId> undefinedIn(const Conjunction &conjunction,
                                           const std::set<SymbolId> &defined) {
  for (SymbolId id : symbolsOf(conjunction))
    if (!defined.contains(id))
      return id;
  return std::nullopt;
}

/// A definition holds only where its symbol is computed, so each alternative gets those of the
/// symbols that it mentions itself. It is left out if it has more alternatives than `most`.
void Projection::expand(Conjunction one, std::set<SymbolId> defined, size_t most,
                        Cases &all) const {
  while (const auto id = undefinedIn(one, defined)) {
    defined.insert(*id);
    const Cases &definition = symbols[*id].definition;
    if (definition.size() == 1)
      append(one, definition.front());
    if (definition.size() == 1 || definition.size() > most)
      continue;
    for (const Conjunction &alternative : definition) {
      Conjunction more = one;
      append(more, alternative);
      expand(std::move(more), defined, most / definition.size(), all);
    }
    return;
  }
  all.push_back(std::move(one));
}

/// With the definitions of all symbols, and of those that these mention.
Cases Projection::expanded(const Conjunction &conjunction) const {
  Cases all;
  expand(conjunction, {}, mostCases, all);
  return all;
}

mlir::Operation *Projection::unknownIn(const Cases &violation) const {
  for (const Conjunction &conjunction : violation)
    for (const Conjunction &one : expanded(conjunction))
      for (SymbolId id : symbolsOf(one))
        if (symbols[id].unknown)
          return symbols[id].unknown;
  return nullptr;
}

//===-- Products ----------------------------------------------------------------------------===//

bool Projection::isParameter(const Monomial &monomial) const {
  return llvm::all_of(monomial, [&](SymbolId id) { return symbols[id].isParameter(); });
}

static Monomial without(Monomial monomial, SymbolId id) {
  monomial.erase(llvm::find(monomial, id));
  return monomial;
}

/// Whether this only says that an integer fits its type.
static bool isRange(const Constraint &constraint) {
  const Integer constant = constraint.value.factorOf({});
  return constraint.value.terms().size() == 2 && constant >= (int64_t(1) << 30);
}

/// Products `a * b` are variables, so each bound of `a` is multiplied by `b`, if that is not
/// negative.
Conjunction Projection::withProducts(Conjunction system) const {
  std::set<Monomial> products;
  for (const Constraint &constraint : system)
    for (const auto &[monomial, factor] : constraint.value.terms())
      if (monomial.size() > 1)
        products.insert(monomial);
  const auto isNonNegative = [&](SymbolId id) {
    return symbols.isNonNegative(id) || llvm::any_of(system, [&](const Constraint &constraint) {
             return boundsFromBelow(constraint, id);
           });
  };
  Conjunction more;
  for (const Monomial &product : products)
    for (SymbolId id : std::set<SymbolId>(product.begin(), product.end())) {
      const Monomial rest = without(product, id);
      const bool hasSign = llvm::all_of(rest, isNonNegative);
      for (const Constraint &row : system)
        if (row.value.degree() == 1 && row.value.factorOf({id}) != 0 && !isRange(row) &&
            (hasSign || row.isEquality))
          more.push_back({row.value * Polynomial::term(rest, Integer(1)), row.isEquality});
    }
  append(system, more);
  llvm::sort(system);
  system.erase(llvm::unique(system), system.end());
  return system;
}

//===-- Elimination -------------------------------------------------------------------------===//

namespace {
/// Inequalities whose variables are monomials; the first `computed` are to be eliminated.
struct System {
  std::vector<Monomial> columns;
  IntegerPolyhedron rows;
  unsigned computed;

  bool isEmpty() const {
    return rows.isObviouslyEmpty() || mlir::presburger::Simplex(rows).isEmpty();
  }
  unsigned cheapest() const;
  Conjunction constraints() const;
};
} // namespace

static System systemOf(const Conjunction &constraints,
                       llvm::function_ref<bool(const Monomial &)> isParameter) {
  std::set<Monomial> computed, parameters;
  for (const Constraint &constraint : constraints)
    for (const auto &[monomial, factor] : constraint.value.terms())
      if (!monomial.empty())
        (isParameter(monomial) ? parameters : computed).insert(monomial);
  std::vector<Monomial> columns(computed.begin(), computed.end());
  columns.insert(columns.end(), parameters.begin(), parameters.end());
  IntegerPolyhedron rows(PresburgerSpace::getSetSpace(columns.size()));
  for (const Constraint &constraint : constraints) {
    std::vector<Integer> row;
    for (const Monomial &column : columns)
      row.push_back(constraint.value.factorOf(column));
    row.push_back(constraint.value.factorOf({}));
    constraint.isEquality ? rows.addEquality(row) : rows.addInequality(row);
  }
  return {std::move(columns), std::move(rows), unsigned(computed.size())};
}

/// The computed variable whose elimination makes the fewest inequalities.
unsigned System::cheapest() const {
  unsigned best = 0;
  size_t least = SIZE_MAX;
  for (unsigned column = 0; column < computed; ++column) {
    size_t lower = 0, upper = 0, equalities = 0;
    for (unsigned row = 0; row < rows.getNumInequalities(); ++row) {
      lower += rows.atIneq(row, column) > 0;
      upper += rows.atIneq(row, column) < 0;
    }
    for (unsigned row = 0; row < rows.getNumEqualities(); ++row)
      equalities += rows.atEq(row, column) != 0;
    const size_t cost = equalities ? 0 : lower * upper;
    if (cost < least)
      std::tie(best, least) = std::pair(column, cost);
  }
  return best;
}

Conjunction System::constraints() const {
  Conjunction all;
  const auto add = [&](llvm::ArrayRef<Integer> row, bool isEquality) {
    Polynomial value(row.back());
    for (const auto &[column, factor] : llvm::zip_equal(columns, row.drop_back()))
      value += Polynomial::term(column, factor);
    all.push_back({std::move(value), isEquality});
  };
  for (unsigned row = 0; row < rows.getNumInequalities(); ++row)
    add(rows.getInequality(row), false);
  for (unsigned row = 0; row < rows.getNumEqualities(); ++row)
    add(rows.getEquality(row), true);
  return all;
}

/// What is left for the parameters; none if there is no solution.
std::optional<Conjunction> Projection::eliminate(const Conjunction &constraints) const {
  System system =
      systemOf(constraints, [&](const Monomial &monomial) { return isParameter(monomial); });
  while (!isCancelled() && !system.isEmpty()) {
    system.rows.removeRedundantConstraints();
    if (!system.computed || system.rows.getNumConstraints() > mostRows)
      break;
    const unsigned column = system.cheapest();
    system.rows.projectOut(column, 1);
    system.columns.erase(system.columns.begin() + column);
    --system.computed;
  }
  if (isCancelled() || system.isEmpty())
    return std::nullopt;
  if (system.computed)
    return Conjunction();
  return system.constraints();
}

//===-- Launches ----------------------------------------------------------------------------===//

bool Projection::isImpossible(const Conjunction &constraints) const {
  if (isCancelled())
    return true;
  Conjunction system = constraints;
  for (SymbolId id : symbolsOf(constraints))
    append(system, symbols[id].definition.front());
  System known = systemOf(withProducts(system), [](const Monomial &) { return true; });
  return known.isEmpty() || known.rows.isEmpty();
}

/// Without what holds for all launches.
Conjunction Projection::simplified(const Conjunction &launches) const {
  Conjunction left;
  for (const Constraint &constraint : launches)
    if (!llvm::all_of(negation(constraint),
                      [&](const Conjunction &beyond) { return isImpossible(beyond); }))
      left.push_back(constraint);
  llvm::sort(left);
  return left;
}

Cases Projection::launchesOf(const Cases &violation) const {
  std::set<Conjunction> all;
  for (const Conjunction &conjunction : violation)
    for (const Conjunction &one : expanded(conjunction))
      if (const auto left = eliminate(withProducts(one)))
        if (!isImpossible(*left))
          all.insert(simplified(*left));
  return Cases(all.begin(), all.end());
}
