// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which launches is a violation possible? All computed symbols are eliminated from the
// inequalities of a violation (Fourier and Motzkin), with each product of symbols as a variable of
// its own. What remains are inequalities between parameters. They may include launches that violate
// nothing, but none that violates something is missing.

#ifndef TILEWRIGHT_PROVE_PROJECTION_H
#define TILEWRIGHT_PROVE_PROJECTION_H

#include "tilewright/prove/Symbols.h"

#include <atomic>
#include <set>

namespace tilewright::prove {

class Projection {
public:
  /// If `cancelled` is not null and becomes true, answers come soon and mean nothing.
  explicit Projection(const Symbols &symbols, const std::atomic<bool> *cancelled = nullptr)
      : symbols(symbols), cancelled(cancelled) {}

  /// The launches in which the violation is possible.
  Cases launchesOf(const Cases &violation) const;
  /// Whether no launch satisfies all constraints, which are between parameters.
  bool isImpossible(const Conjunction &constraints) const;
  /// An operation that is not analysed, of which the violation depends; null if there is none.
  mlir::Operation *unknownIn(const Cases &violation) const;

private:
  Cases expanded(const Conjunction &conjunction) const;
  void expand(Conjunction one, std::set<SymbolId> defined, size_t most, Cases &all) const;
  Conjunction withProducts(Conjunction system) const;
  std::optional<Conjunction> eliminate(const Conjunction &system) const;
  Conjunction simplified(const Conjunction &launches) const;
  bool isParameter(const Monomial &monomial) const;

  bool isCancelled() const { return cancelled && *cancelled; }

  const Symbols &symbols;
  const std::atomic<bool> *cancelled;
};

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_PROJECTION_H
