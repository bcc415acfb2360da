// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests when two positions are equal, and how long an entry is valid.

#include "test/support/cpu/EmitTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

using ValueCacheTest = EmitTest;

TEST_F(ValueCacheTest, equalConstantsAreOneCoordinate) {
  cache.insert(number, {{b.i64(3), number}, 1, 16}, numbers);
  EXPECT_EQ(cache.lookup(number, {{b.i64(3), number}, 1, 16}), numbers);
  EXPECT_FALSE(cache.lookup(number, {{b.i64(4), number}, 1, 16}));
  EXPECT_FALSE(cache.lookup(number, {{number, b.i64(3)}, 1, 16}));
  EXPECT_FALSE(cache.lookup(condition, {{b.i64(3), number}, 1, 16}));
}

TEST_F(ValueCacheTest, lanesMatterWhereThereAreSeveral) {
  cache.insert(number, {{number}, 0, 16}, numbers);
  EXPECT_FALSE(cache.lookup(number, {{number}, 0, 8}));
  EXPECT_FALSE(cache.lookup(number, {{number}, 1, 16}));
  cache.insert(number, {{number}, 0, 1}, number);
  EXPECT_EQ(cache.lookup(number, {{number}, -1, 1}), number);
}

TEST_F(ValueCacheTest, aScopeDropsWhatIsInsertedInIt) {
  Position position{{number}};
  cache.insert(number, position, number);
  {
    ValueCache::Scope scope(cache);
    cache.insert(condition, position, condition);
    EXPECT_EQ(cache.lookup(condition, position), condition);
    EXPECT_EQ(cache.lookup(number, position), number);
  }
  EXPECT_FALSE(cache.lookup(condition, position));
  EXPECT_EQ(cache.lookup(number, position), number);
  {
    ValueCache::Scope scope(cache);
    cache.clear(); // also drops entries from before the scope
  }
  EXPECT_EQ(cache.size(), 0u);
}

TEST_F(ValueCacheTest, aFreshScopeBeginsAndEndsWithoutEntries) {
  Position position{{number}};
  cache.insert(number, position, number);
  {
    ValueCache::FreshScope fresh(cache);
    EXPECT_FALSE(cache.lookup(number, position));
    cache.insert(condition, position, condition);
    EXPECT_EQ(cache.lookup(condition, position), condition);
  }
  EXPECT_EQ(cache.size(), 0u);
}

} // namespace
