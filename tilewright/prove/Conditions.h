// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The condition under which a set of obligations holds: clauses, each of which excludes some
// launches. Clauses that follow from others are left out.

#ifndef TILEWRIGHT_PROVE_CONDITIONS_H
#define TILEWRIGHT_PROVE_CONDITIONS_H

#include "tilewright/prove/Analysis.h"
#include "tilewright/prove/Projection.h"

namespace tilewright::prove {

struct Condition {
  /// Launches that are excluded.
  Cases excluded;
  std::vector<Divisibility> divisibilities;

  bool isTrue() const { return excluded.empty() && divisibilities.empty(); }
};

class Conditions {
public:
  /// If `cancelled` is not null and becomes true, answers come soon and mean nothing.
  Conditions(const Analysis &analysis, const std::atomic<bool> *cancelled)
      : analysis(analysis), projection(analysis.symbols, cancelled) {}

  /// All obligations that these rest on.
  std::set<unsigned> closure(const std::set<unsigned> &obligations) const;
  /// Under which these hold; sets `unknown` if an obligation cannot be expressed.
  Condition of(const std::set<unsigned> &obligations, mlir::Operation *&unknown);
  /// Whether a launch may satisfy it.
  bool isPossible(const Condition &condition) const;
  mlir::Operation *unknownIn(const std::set<unsigned> &obligations) const;
  /// The launches that may violate an obligation.
  const Cases &launchesOf(unsigned obligation);
  std::vector<std::string> textOf(const Condition &condition) const;

private:
  bool follows(const Conjunction &excluded, const Cases &others) const;
  Cases minimal(Cases clauses) const;
  Cases withoutAlternatives(Cases clauses) const;

  const Analysis &analysis;
  const Projection projection;
  std::map<unsigned, Cases> known;
};

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_CONDITIONS_H
