// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks projections by hand, and random ones against enumeration: a launch that violates something
// must never be missing.

#include "tilewright/prove/ConditionText.h"
#include "tilewright/prove/Projection.h"

#include <gtest/gtest.h>
#include <random>

using namespace tilewright::prove;

namespace {

/// Two parameters and two computed values between -3 and 3.
struct Small {
  static constexpr int64_t limit = 3;

  Small() {
    const auto range = [](const Polynomial &value) -> Conjunction {
      return {atLeast(value, -limit), atLeast(limit, value)};
    };
    const auto anyOf = [&](const Polynomial &value) -> Cases { return {range(value)}; };
    for (const char *name : {"m", "n"})
      variables.push_back(symbols.addParameter(SymbolKind::Scalar, name, range));
    variables.push_back(symbols.addComputed(anyOf));
    variables.push_back(symbols.addComputed(anyOf));
  }

  /// Linear, or with one product.
  Constraint random(std::mt19937 &random) const {
    const auto small = [&] { return int64_t(random() % 7) - 3; };
    Polynomial value(small());
    for (const Polynomial &variable : variables)
      value += variable * Polynomial(small());
    if (random() % 2)
      value += variables[random() % 4] * variables[random() % 4];
    return {value, random() % 5 == 0};
  }

  bool holds(const Conjunction &conjunction, const std::vector<int64_t> &point) const {
    return llvm::all_of(conjunction, [&](const Constraint &constraint) {
      const Integer value = constraint.value.evaluate([&](SymbolId id) {
        for (size_t at = 0; at < variables.size(); ++at)
          if (variables[at] == Polynomial::symbol(id))
            return Integer(point[at]);
        return Integer(0);
      });
      return constraint.isEquality ? value == 0 : value >= 0;
    });
  }

  bool isPossible(const Conjunction &violation, int64_t m, int64_t n) const {
    for (int64_t a = -limit; a <= limit; ++a)
      for (int64_t b = -limit; b <= limit; ++b)
        if (holds(violation, {m, n, a, b}))
          return true;
    return false;
  }

  Symbols symbols;
  std::vector<Polynomial> variables;
};

} // namespace

TEST(Projection, LosesNoLaunch) {
  std::mt19937 random(7);
  unsigned possible = 0, excluded = 0;
  for (unsigned round = 0; round < 300; ++round) {
    Small small;
    const Conjunction violation = {small.random(random), small.random(random),
                                   small.random(random)};
    const Cases launches = Projection(small.symbols).launchesOf({violation});
    for (int64_t m = -Small::limit; m <= Small::limit; ++m)
      for (int64_t n = -Small::limit; n <= Small::limit; ++n) {
        const bool isFound = llvm::any_of(
            launches, [&](const Conjunction &launch) { return small.holds(launch, {m, n, 0, 0}); });
        const bool isViolated = small.isPossible(violation, m, n);
        ASSERT_TRUE(isFound || !isViolated) << "m = " << m << ", n = " << n;
        possible += isViolated;
        excluded += !isFound;
      }
  }
  // The test would be worth nothing if everything were possible.
  EXPECT_GT(possible, 1000u);
  EXPECT_GT(excluded, 1000u);
}

/// A parameter that is not negative.
static Polynomial addCount(Symbols &symbols, SymbolKind kind, const char *name) {
  return symbols.addParameter(
      kind, name, [](const Polynomial &value) -> Conjunction { return {atLeast(value, 0)}; });
}

static Polynomial addBelow(Symbols &symbols, const Polynomial &limit) {
  return symbols.addComputed([&](const Polynomial &value) -> Cases {
    return {{atLeast(value, 0), lessThan(value, limit)}};
  });
}

// Tile b of 256 elements begins behind the last of n elements: 256 b >= n for some b < grid.
TEST(Projection, EliminatesBlocks) {
  Symbols symbols;
  const Polynomial grid = addCount(symbols, SymbolKind::Grid, "grid.x");
  const Polynomial n = addCount(symbols, SymbolKind::Scalar, "n");
  const Polynomial block = addBelow(symbols, grid);
  const Cases launches = Projection(symbols).launchesOf({{atLeast(block * Polynomial(256), n)}});
  ASSERT_EQ(launches.size(), 1u);
  bool isFound = false;
  for (const Constraint &left : launches.front())
    isFound |= textOfNegation(symbols, {left}) == "grid.x <= ceil(n / 256)";
  EXPECT_TRUE(isFound) << textOfNegation(symbols, launches.front());
}

// Row r < m of k elements each: the largest offset is (m - 1) k.
TEST(Projection, MultipliesBounds) {
  Symbols symbols;
  const Polynomial m = addCount(symbols, SymbolKind::Scalar, "m");
  const Polynomial k = addCount(symbols, SymbolKind::Scalar, "k");
  const Polynomial length = addCount(symbols, SymbolKind::Length, "len(x)");
  const Polynomial row = addBelow(symbols, m);
  const Projection projection(symbols);
  const Cases launches = projection.launchesOf({{atLeast(row * k, length)}});
  ASSERT_EQ(launches.size(), 1u);
  bool isFound = false;
  for (const Constraint &left : launches.front())
    isFound |= textOfNegation(symbols, {left}) == "len(x) >= m * k - k + 1";
  EXPECT_TRUE(isFound) << textOfNegation(symbols, launches.front());
  EXPECT_TRUE(projection.launchesOf({{atLeast(row, m)}}).empty());
}
