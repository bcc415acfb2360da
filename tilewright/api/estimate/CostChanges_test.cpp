// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which costs count as higher, and on which lines.

#include "tilewright/api/estimate/CostChanges.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::api;

namespace {

std::string row(const std::string &file, int64_t line, int64_t sectors) {
  return R"({"file": ")" + file + R"(", "line": )" + std::to_string(line) +
         R"(, "instructions": 10, "barriers": 0, "global": {"sectors": )" +
         std::to_string(sectors) + R"(}, "shared": {"bank_cycles": 0}})";
}

/// The members of an estimate that count.
struct Document {
  int64_t instructions = 100, sectors = 64, sharedBytes = 0, ctas = 1;
  std::string registers = "null", grid = "[4, 1, 1]", lines = "", kernel = "k";

  std::string text() const {
    return R"({"version": 1, "kernel": ")" + kernel +
           R"(", "target": "sm_90a", "blocks": 4, "occupancy": {}, "grid": )" + grid +
           R"(, "ctas": )" + std::to_string(ctas) + R"(, "registers": )" + registers +
           R"(, "spill_bytes": null, "shared_bytes": )" + std::to_string(sharedBytes) +
           R"(, "counters": {"instructions": )" + std::to_string(instructions) +
           R"(, "barriers": 2, "global": {"sectors": )" + std::to_string(sectors) +
           R"(}, "shared": {"bank_cycles": 5}, "source_lines": [)" + lines + "]}}";
  }
};

std::vector<CostIncrease> increases(const Document &before, const Document &after,
                                    double tolerance = 0) {
  auto found = costIncreases(before.text(), after.text(), tolerance);
  EXPECT_TRUE(found) << found.failure().message;
  return *found;
}

std::string failureOf(const std::string &before, const std::string &after, double tolerance = 0) {
  auto found = costIncreases(before, after, tolerance);
  EXPECT_FALSE(found);
  return found ? "" : found.failure().message;
}

TEST(CostChanges, OnlyIncreasesCount) {
  EXPECT_TRUE(increases({}, {}).empty());
  EXPECT_TRUE(increases({}, {.instructions = 99, .sectors = 1}).empty());
  const auto found = increases({}, {.instructions = 99, .sectors = 65, .sharedBytes = 1024});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].what, "sectors");
  EXPECT_EQ(found[0].before, 64);
  EXPECT_EQ(found[0].after, 65);
  EXPECT_EQ(found[1].what, "shared_bytes");
}

/// A block that becomes a cluster needs less in each CTA, but more in all.
TEST(CostChanges, SharedMemoryIsThatOfAllCtas) {
  const auto found = increases({.sharedBytes = 1024}, {.sharedBytes = 600, .ctas = 2});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].before, 1024);
  EXPECT_EQ(found[0].after, 1200);
  const Document huge{.sharedBytes = INT64_MAX, .ctas = 2};
  EXPECT_EQ(failureOf(Document().text(), huge.text()),
            "the later estimate: the 'shared_bytes' of all CTAs are more than 2^63-1");
  EXPECT_EQ(failureOf(Document{.ctas = 0}.text(), Document().text()),
            "the earlier estimate is not a document of version 1");
}

TEST(CostChanges, TheToleranceIsAFraction) {
  EXPECT_EQ(increases({}, {.sectors = 81}, 0.25).size(), 1u);
  EXPECT_TRUE(increases({}, {.sectors = 80}, 0.25).empty());
  // In floating-point numbers, 100 * 1.15 is less than 115.
  EXPECT_TRUE(increases({.sectors = 100}, {.sectors = 115}, 0.15).empty());
  EXPECT_EQ(increases({.sectors = 100}, {.sectors = 116}, 0.15).size(), 1u);
  EXPECT_TRUE(increases({.sectors = INT64_MAX - 1}, {.sectors = INT64_MAX - 1}).empty());
  EXPECT_EQ(increases({.sectors = INT64_MAX - 1}, {.sectors = INT64_MAX}).size(), 1u);
  EXPECT_TRUE(increases({.sectors = 1}, {.sectors = INT64_MAX}, INFINITY).empty());
  // Of nothing, any fraction is nothing.
  EXPECT_EQ(increases({}, {.sharedBytes = 1}, 10).size(), 1u);
}

TEST(CostChanges, UnknownCostsAreLeftOut) {
  EXPECT_TRUE(increases({}, {.registers = "255"}).empty());
  EXPECT_TRUE(increases({.registers = "10"}, {}).empty());
  EXPECT_EQ(increases({.registers = "10"}, {.registers = "255"}).front().what, "registers");
}

TEST(CostChanges, LinesAreThoseThatGained) {
  const Document before{.lines = row("/old/k.py", 1, 10) + "," + row("/old/k.py", 2, 20) + "," +
                                 row("/old/k.py", 3, 34)};
  const Document after{.sectors = 70,
                       .lines = row("/new/k.py", 1, 11) + "," + row("/new/k.py", 2, 19) + "," +
                                row("/new/k.py", 3, 34) + "," + row("/new/k.py", 9, 2) + "," +
                                row("/new/lib/k.py", 9, 4)};
  const auto found = increases(before, after);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(asJson(found),
            R"([{"after":70,"before":64,"lines":[{"after":6,"before":0,"file":"k.py","line":9},)"
            R"({"after":11,"before":10,"file":"k.py","line":1}],"what":"sectors"}])");
}

TEST(CostChanges, LaunchesMustBeTheSame) {
  EXPECT_EQ(failureOf(Document{}.text(), Document{.grid = "[8, 1, 1]"}.text()),
            "expected the grid of the estimate before, [4,1,1], but got [8,1,1]");
  EXPECT_EQ(failureOf(Document{}.text(), Document{.kernel = "other"}.text()),
            "expected the kernel of the estimate before, \"k\", but got \"other\"");
}

TEST(CostChanges, RejectsOtherTexts) {
  const std::string valid = Document{}.text();
  for (const char *text : {"[]", "{}", R"({"version": 1, "occupancy": {}, "counters": {}})"}) {
    EXPECT_EQ(failureOf(text, valid), "the earlier estimate is not a document of version 1");
    EXPECT_EQ(failureOf(valid, text), "the later estimate is not a document of version 1");
  }
  EXPECT_EQ(failureOf("]", valid),
            "the earlier estimate is not JSON: [1:1, byte=1]: Invalid JSON value");
  EXPECT_EQ(failureOf(std::string(2'000'000, '['), valid),
            "the earlier estimate is not JSON: brackets are nested deeper than 512 levels");
  for (const char *member :
       {"\"kernel\"", "\"target\"", "\"grid\"", "\"blocks\"", "\"barriers\""}) {
    std::string text = valid;
    text.replace(text.find(member), std::string(member).size(), "\"other\"");
    EXPECT_EQ(failureOf(text, valid), "the earlier estimate is not a document of version 1");
  }
  std::string unknown = valid;
  unknown.replace(unknown.find("\"barriers\": 2"), 13, "\"barriers\": null");
  EXPECT_EQ(failureOf(unknown, valid), "the earlier estimate is not a document of version 1");
  EXPECT_EQ(failureOf(valid, valid, -0.5), "expected a tolerance of 0 or more, but got -0.50");
  EXPECT_EQ(failureOf(valid, valid, NAN), "expected a tolerance of 0 or more, but got nan");
}

TEST(CostChanges, RejectsImpossibleCosts) {
  const std::string valid = Document{}.text();
  EXPECT_EQ(failureOf(Document{.sectors = -5}.text(), valid),
            "the earlier estimate: expected 'sectors' to be an integer in 0..2^63-1, but got -5");
  EXPECT_EQ(failureOf(valid, Document{.registers = "\"many\""}.text()),
            "the later estimate: expected 'registers' to be an integer in 0..2^63-1, but got "
            "\"many\"");
  EXPECT_EQ(failureOf(Document{.registers = "9223372036854775808"}.text(), valid),
            "the earlier estimate: expected 'registers' to be an integer in 0..2^63-1, but got "
            "9223372036854775808");
  EXPECT_EQ(
      failureOf(Document{.lines = row("k.py", 1, -1)}.text(), valid),
      "the earlier estimate: k.py:1: expected 'sectors' to be an integer in 0..2^63-1, but got "
      "-1");
  const std::string half = row("k.py", 1, int64_t(1) << 62);
  EXPECT_EQ(failureOf(Document{.lines = half + "," + half}.text(), valid),
            "the earlier estimate: the 'sectors' of all lines are more than 2^63-1");
}

TEST(CostChanges, AnEstimateIsVerifiedBeforeTheOther) {
  const auto failureOf = [](const Document &document, const char *target = "sm_90a") {
    const auto verified = verifyEstimate(document.text(), "k", target, *runtime::Grid::create(4));
    return verified ? "" : verified.failure().message;
  };
  EXPECT_EQ(failureOf({}), "");
  EXPECT_EQ(failureOf({.sectors = -5}),
            "the earlier estimate: expected 'sectors' to be an integer in 0..2^63-1, but got -5");
  EXPECT_EQ(failureOf({.kernel = "other"}),
            "expected the kernel of the estimate before, \"other\", but got \"k\"");
  EXPECT_EQ(failureOf({.grid = "[4, 2, 1]"}),
            "expected the grid of the estimate before, [4,2,1], but got [4,1,1]");
  EXPECT_EQ(failureOf({}, "sm_80"),
            "expected the target of the estimate before, \"sm_90a\", but got \"sm_80\"");
}

} // namespace
