// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Symbols.h.

#include "tilewright/prove/Symbols.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::prove;

Symbols::Symbols(unsigned rank) : rank(rank) {
  for (unsigned dim = 0; dim < rank; ++dim) {
    const Polynomial id = Polynomial::symbol(dim);
    add({SymbolKind::Computed, "", {{atLeast(id, 0)}}}, /*dependsOnPosition=*/true);
  }
}

Polynomial Symbols::add(Symbol symbol, bool dependsOnPosition) {
  symbols.push_back(std::move(symbol));
  perElement.push_back(dependsOnPosition);
  return Polynomial::symbol(symbols.size() - 1);
}

Polynomial Symbols::addParameter(SymbolKind kind, std::string name,
                                 llvm::function_ref<Conjunction(const Polynomial &)> definition) {
  const Polynomial value = add({kind, std::move(name)}, /*dependsOnPosition=*/false);
  symbols.back().definition = {definition(value)};
  return value;
}

Polynomial Symbols::addComputed(llvm::function_ref<Cases(const Polynomial &)> definition,
                                mlir::Operation *unknown, bool perElement) {
  const size_t id = symbols.size();
  const Polynomial value = add({SymbolKind::Computed, "", {{}}, unknown}, perElement);
  Cases defined = definition(value);
  this->perElement[id] = perElement || dependsOnPosition(defined);
  symbols[id].definition = std::move(defined);
  return value;
}

Conjunction Symbols::insideOf(llvm::ArrayRef<int64_t> shape) {
  Conjunction inside;
  for (auto [dim, extent] : llvm::enumerate(shape))
    inside.push_back(lessThan(position(dim), extent));
  return inside;
}

//===-- Signs -------------------------------------------------------------------------------===//

bool Symbols::isNonNegative(SymbolId id) const {
  return llvm::all_of(symbols[id].definition, [&](const Conjunction &conjunction) {
    return llvm::any_of(
        conjunction, [&](const Constraint &constraint) { return boundsFromBelow(constraint, id); });
  });
}

bool Symbols::isNonNegative(const Polynomial &value) const {
  return llvm::all_of(value.terms(), [&](const auto &term) {
    return term.second >= 0 &&
           llvm::all_of(term.first, [&](SymbolId id) { return isNonNegative(id); });
  });
}

//===-- Moving ------------------------------------------------------------------------------===//

bool Symbols::dependsOnPosition(const Cases &cases) const {
  bool depends = false;
  for (const Conjunction &conjunction : cases)
    for (const Constraint &constraint : conjunction)
      constraint.value.forEachSymbol([&](SymbolId id) { depends |= perElement[id]; });
  return depends;
}

SymbolId Symbols::copyAt(SymbolId id, llvm::ArrayRef<Polynomial> positions) {
  const auto [found, isNew] = copies.try_emplace({id, positions.vec()}, symbols.size());
  const SymbolId copy = found->second;
  if (isNew) {
    add({SymbolKind::Computed, "", {{}}, symbols[id].unknown}, /*dependsOnPosition=*/true);
    Cases definition = moved(Cases(symbols[id].definition), positions);
    symbols[copy].definition = std::move(definition);
  }
  return copy;
}

Polynomial Symbols::moved(const Polynomial &value, llvm::ArrayRef<Polynomial> positions) {
  return value.substitute([&](SymbolId id) {
    if (id < rank)
      return id < positions.size() ? positions[id] : Polynomial::symbol(id);
    return Polynomial::symbol(perElement[id] ? copyAt(id, positions) : id);
  });
}

Cases Symbols::moved(const Cases &cases, llvm::ArrayRef<Polynomial> positions) {
  Cases result = cases;
  for (Conjunction &conjunction : result)
    for (Constraint &constraint : conjunction)
      constraint.value = moved(constraint.value, positions);
  return result;
}

Conjunction prove::rangeOf(const Polynomial &value, unsigned width) {
  const Integer limit(llvm::APInt::getOneBitSet(width + 1, width - 1));
  return {atLeast(value, Polynomial(-limit)), lessThan(value, Polynomial(limit))};
}
