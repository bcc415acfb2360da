// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ConditionText.h.

#include "tilewright/prove/ConditionText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::prove;

static std::string textOf(const Integer &number) {
  std::string text;
  llvm::raw_string_ostream(text) << number;
  return text;
}

/// `2 * n * k`, for a factor that is not negative.
static std::string termText(const Symbols &symbols, const Monomial &monomial,
                            const Integer &factor) {
  std::vector<std::string> parts;
  if (factor != 1 || monomial.empty())
    parts.push_back(::textOf(factor));
  for (SymbolId id : monomial)
    parts.push_back(symbols[id].name);
  return llvm::join(parts, " * ");
}

std::string prove::textOf(const Symbols &symbols, const Polynomial &value) {
  std::string text;
  const auto add = [&](const Monomial &monomial, const Integer &factor) {
    const bool isNegative = factor < 0;
    if (text.empty())
      text = isNegative ? "-" : "";
    else
      text += isNegative ? " - " : " + ";
    text += termText(symbols, monomial, isNegative ? -factor : factor);
  };
  // A sum begins with what is added.
  for (bool isNegative : {false, true})
    for (const auto &[monomial, factor] : value.terms())
      if (!monomial.empty() && (factor < 0) == isNegative)
        add(monomial, factor);
  const Integer constant = value.factorOf({});
  if (constant != 0 || text.empty())
    add({}, constant);
  return text;
}

/// In parentheses if it is a sum.
static std::string operandText(const Symbols &symbols, const Polynomial &value) {
  const std::string text = prove::textOf(symbols, value);
  return value.terms().size() > 1 ? "(" + text + ")" : text;
}

/// The only term that is a symbol of this kind, with its factor.
static std::optional<std::pair<SymbolId, Integer>>
onlySymbol(const Symbols &symbols, const Polynomial &value, SymbolKind kind) {
  std::optional<std::pair<SymbolId, Integer>> found;
  unsigned count = 0;
  for (const auto &[monomial, factor] : value.terms())
    for (SymbolId id : monomial)
      if (symbols[id].kind == kind) {
        ++count;
        if (monomial.size() == 1)
          found = {id, factor};
      }
  return count == 1 ? found : std::nullopt;
}

/// `grid <= limit / factor`, rounded down.
static std::string gridText(const Symbols &symbols, SymbolId grid, const Integer &factor,
                            const Polynomial &limit) {
  const std::string begin = symbols[grid].name + " <= ";
  if (const auto constant = limit.constant())
    return begin + ::textOf(floorDiv(*constant, factor));
  if (factor == 1)
    return begin + prove::textOf(symbols, limit);
  const std::string divided = " / " + ::textOf(factor) + ")";
  const Integer constant = limit.factorOf({});
  if (constant >= factor - 1)
    return begin + "ceil(" + operandText(symbols, limit + Polynomial(1 - factor)) + divided;
  return begin + "floor(" + operandText(symbols, limit) + divided;
}

/// `value >= 0`
static std::string inequalityText(const Symbols &symbols, const Polynomial &value) {
  if (const auto length = onlySymbol(symbols, value, SymbolKind::Length);
      length && length->second == 1)
    return symbols[length->first].name +
           " >= " + prove::textOf(symbols, Polynomial::symbol(length->first) - value);
  if (const auto grid = onlySymbol(symbols, value, SymbolKind::Grid); grid && grid->second < 0)
    return gridText(symbols, grid->first, -grid->second,
                    value + Polynomial::symbol(grid->first) * Polynomial(-grid->second));
  Polynomial small, large;
  for (const auto &[monomial, factor] : value.terms())
    factor < 0 ? small += Polynomial::term(monomial, -factor)
               : large += Polynomial::term(monomial, factor);
  if (small.constant() && !large.constant())
    return prove::textOf(symbols, large) + " >= " + prove::textOf(symbols, small);
  return prove::textOf(symbols, small) + " <= " + prove::textOf(symbols, large);
}

/// Divides by the greatest common factor of the symbols, and rounds the constant down.
static Polynomial tightened(const Polynomial &value) {
  Integer common(0);
  for (const auto &[monomial, factor] : value.terms())
    if (!monomial.empty())
      common = gcd(common, abs(factor));
  if (common <= 1)
    return value;
  Polynomial result;
  for (const auto &[monomial, factor] : value.terms())
    result += Polynomial::term(monomial, floorDiv(factor, common));
  return result;
}

static std::string negatedText(const Symbols &symbols, const Constraint &constraint) {
  if (constraint.isEquality)
    return prove::textOf(symbols, constraint.value) + " != 0";
  return inequalityText(symbols, tightened(-constraint.value - 1));
}

std::string prove::textOfNegation(const Symbols &symbols, const Conjunction &constraints) {
  std::vector<std::string> alternatives;
  for (const Constraint &constraint : constraints)
    alternatives.push_back(negatedText(symbols, constraint));
  return constraints.empty() ? "never" : llvm::join(alternatives, " or ");
}
