// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that JSON with too many brackets is rejected, and no other.

#include "tilewright/report/Json.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::report;

namespace {

std::string nested(size_t levels, const std::string &open, const std::string &close) {
  std::string text;
  for (size_t level = 0; level < levels; ++level)
    text += open;
  text += "1";
  for (size_t level = 0; level < levels; ++level)
    text += close;
  return text;
}

std::string failureOf(llvm::StringRef text) {
  const auto parsed = parseJson(text);
  return parsed ? "" : parsed.failure().message;
}

TEST(Json, LimitsTheDepth) {
  const std::string tooDeep = "brackets are nested deeper than 512 levels";
  EXPECT_EQ(failureOf(nested(512, "[", "]")), "");
  EXPECT_EQ(failureOf(nested(513, "[", "]")), tooDeep);
  EXPECT_EQ(failureOf(nested(512, "{\"a\":", "}")), "");
  EXPECT_EQ(failureOf(nested(257, "{\"a\":[", "]}")), tooDeep);
  // The stack would not hold these.
  EXPECT_EQ(failureOf(std::string(2'000'000, '[')), tooDeep);
  EXPECT_EQ(failureOf(nested(2'000'000, "{\"a\":", "")), tooDeep);
}

TEST(Json, CountsOnlyOpenBracketsOutsideOfStrings) {
  std::string siblings = "[[]";
  for (int i = 0; i < 1000; ++i)
    siblings += ", {}";
  EXPECT_EQ(failureOf(siblings + "]"), "");
  EXPECT_EQ(failureOf("\"" + std::string(1000, '[') + "\""), "");
  EXPECT_EQ(failureOf("[\"\\\"" + std::string(1000, '{') + "\\\\\", []]"), "");
  EXPECT_EQ(failureOf("[\"\\\\\", " + nested(512, "[", "]") + "]"),
            "brackets are nested deeper than 512 levels");
}

TEST(Json, SaysWhatIsWrong) {
  EXPECT_EQ(failureOf("]"), "[1:1, byte=1]: Invalid JSON value");
  EXPECT_NE(failureOf(""), "");
}

} // namespace
