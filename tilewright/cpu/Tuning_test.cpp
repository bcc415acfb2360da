// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the names of thresholds, and the values that these may have.

#include "tilewright/cpu/Target.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilewright;
using namespace tilewright::cpu;
using codegen::Threshold;
using codegen::ThresholdValues;

namespace {

/// The fields that differ from the defaults, by number.
std::vector<size_t> changedFields(const Tuning &tuning) {
  const Tuning defaults;
  std::vector<size_t> changed;
  for (auto [number, threshold] : llvm::enumerate(thresholds()))
    if (tuning.*threshold.value != defaults.*threshold.value)
      changed.push_back(number);
  return changed;
}

TEST(Tuning, EachFieldHasOneName) {
  EXPECT_EQ(thresholds().size() * sizeof(int64_t), sizeof(Tuning));
  std::set<llvm::StringRef> names;
  for (auto [number, threshold] : llvm::enumerate(thresholds())) {
    EXPECT_TRUE(names.insert(threshold.name).second) << threshold.name.str();
    Tuning tuning;
    ASSERT_TRUE(bool(codegen::setThreshold(tuning, thresholds(), threshold.name.str() + "=1024")));
    EXPECT_EQ(tuning.*threshold.value, 1024);
    EXPECT_EQ(changedFields(tuning), std::vector<size_t>{number}) << threshold.name.str();
  }
}

TEST(Tuning, DefaultsAreAllowed) {
  for (const Threshold<Tuning> &threshold : thresholds()) {
    Tuning tuning;
    const std::string text = threshold.name.str() + "=" + std::to_string(tuning.*threshold.value);
    EXPECT_TRUE(bool(codegen::setThreshold(tuning, thresholds(), text))) << text;
  }
}

TEST(Tuning, WrongValuesChangeNothing) {
  const std::pair<const char *, const char *> cases[] = {
      {"chains=3", "chains must be a power of two, but is 3"},
      {"chains=0", "chains must be a power of two, but is 0"},
      {"cost-per-instruction=0", "cost-per-instruction must be at least 1, but is 0"},
      {"least-tile-extent=1", "least-tile-extent must be at least 2, but is 1"},
      {"least-tile-extent=0", "least-tile-extent must be at least 2, but is 0"},
      {"chains", "expected chains=INTEGER, but got 'chains'"},
      {"chains=", "expected chains=INTEGER, but got 'chains='"},
      {"chains=-4", "expected chains=INTEGER, but got 'chains=-4'"},
      {"chains=2147483648", "chains must be at most 2^30, but is 2147483648"},
      {"chains=99999999999999999999", "expected chains=INTEGER, but got "
                                      "'chains=99999999999999999999'"},
  };
  for (auto [text, message] : cases) {
    Tuning tuning;
    support::Result<void> set = codegen::setThreshold(tuning, thresholds(), text);
    ASSERT_FALSE(bool(set)) << text;
    EXPECT_EQ(set.failure().message, message);
    EXPECT_TRUE(changedFields(tuning).empty()) << text;
  }
}

TEST(Tuning, UnknownNamesAreRefusedWithTheKnown) {
  Tuning tuning;
  const std::string message =
      codegen::setThreshold(tuning, thresholds(), "mostFusedCost=1").failure().message;
  EXPECT_TRUE(llvm::StringRef(message).starts_with("expected a threshold among most-cheap-cost, "));
  EXPECT_TRUE(llvm::StringRef(message).ends_with("but got 'mostFusedCost'"));
}

TEST(Tuning, TargetsHaveTheDefaults) {
  for (const char *name : {"native", "x86-64-v3", "sapphirerapids+noamx-bf16", "aarch64"})
    EXPECT_TRUE(changedFields(Target::named(name)->tuning).empty()) << name;
}

} // namespace
