// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Print.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

using namespace tilewright::runtime;

static std::string print(std::string_view expression, std::vector<int64_t> shape,
                         std::vector<PromotedElement> elements) {
  std::string text;
  printTile([&](std::string_view part) { text += part; }, parseSpecifier(expression), shape,
            [&](int64_t i) { return elements[i]; });
  return text;
}

static std::string print(std::string_view expression, PromotedElement element) {
  return print(expression, {}, {element});
}

// Text as printed by hardware (operations, 6.3).
TEST(Print, BracketsEachDimension) {
  EXPECT_EQ(print("%.5f", {2}, {8.0, 9.0}), "[8.00000, 9.00000]");
  EXPECT_EQ(print("%10.4f", {2}, {0.0, 1.0}), "[    0.0000,     1.0000]");
  EXPECT_EQ(print("%i", {2, 1}, {int64_t(6), int64_t(22)}), "[[6], [22]]");
  EXPECT_EQ(print("%d", {1, 2, 2}, {int64_t(1), int64_t(2), int64_t(3), int64_t(4)}),
            "[[[1, 2], [3, 4]]]");
  EXPECT_EQ(print("%d", {1}, {int64_t(7)}), "[7]");
  EXPECT_EQ(print("%d", {}, {int64_t(7)}), "7");
}

TEST(Print, ConvertsLikeC) {
  EXPECT_EQ(print("%d", int64_t(-1)), "-1");
  EXPECT_EQ(print("%+d", int64_t(3)), "+3");
  EXPECT_EQ(print("%x", int64_t(255)), "ff");
  EXPECT_EQ(print("%#o", int64_t(65)), "0101");
  EXPECT_EQ(print("%c", int64_t(65)), "A");
  EXPECT_EQ(print("%lf", -1.5), "-1.500000");
  EXPECT_EQ(print("%a", -1.5), "-0x1.8p+0");
  EXPECT_EQ(print("%-8g", -1.5), "-1.5    ");
  EXPECT_EQ(print("%p", int64_t(0x1234)), "0x1234");
}

TEST(Print, RequiresLengthModifierForSixtyFourBits) {
  const int64_t wide = (int64_t(1) << 32) + 1;
  EXPECT_EQ(print("%lld", wide), "4294967297");
  EXPECT_EQ(print("%d", wide), "1");
  for (const char *expression : {"%lu", "%llu", "%ju"})
    EXPECT_EQ(print(expression, int64_t(-2)), "18446744073709551614");
  EXPECT_EQ(print("%u", int64_t(-2)), "4294967294");
}

TEST(Print, OmitsSignOfNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(print("%f", {2}, {std::copysign(nan, -1.0), nan}), "[nan, nan]");
  EXPECT_EQ(print("%F", {2}, {std::copysign(nan, -1.0), -HUGE_VAL}), "[NAN, -INF]");
}

TEST(Print, ConvertsOutOfRangeValues) {
  EXPECT_EQ(print("%f", int64_t(3)), "3.000000");
  EXPECT_EQ(print("%d", -2.75), "-2");
  EXPECT_EQ(print("%lld", 1e300), "0");
  EXPECT_EQ(print("%p", 18.0), "0x12");
}

TEST(Print, PrintsTheWidestElements) {
  EXPECT_EQ(print("%4095d", int64_t(7)), std::string(4094, ' ') + "7");
  // The largest double has 309 digits.
  EXPECT_EQ(print("%.4095f", std::numeric_limits<double>::max()).size(), 309u + 1 + 4095);
}

TEST(Print, RejectsConversionsThatAccessMemory) {
  for (const char *expression :
       {"%n", "%s", "%S", "%*d", "%.*f", "%4096d", "%.4096f", "%99999999999d", "%5-d", "%1.2.3d"})
    EXPECT_TRUE(parseSpecifier(expression).isRefused) << expression;
  for (const char *expression : {"%d", "%hhd", "%zu", "%-+ #0'5.3f", "%.f", "%4095.4095Lf", "%i"})
    EXPECT_FALSE(parseSpecifier(expression).isRefused) << expression;
}

TEST(Print, ClassifiesSignedConversions) {
  for (char conversion : std::string("dieEfFgGaA"))
    EXPECT_TRUE(parseSpecifier(std::string("%") + conversion).isSigned()) << conversion;
  for (char conversion : std::string("uoxXcp"))
    EXPECT_FALSE(parseSpecifier(std::string("%") + conversion).isSigned()) << conversion;
}

//===-- In one piece --------------------------------------------------------------------------===//

static std::vector<std::string> piecesOf(const std::function<void(const TextSink &)> &write) {
  std::vector<std::string> pieces;
  printWhole([&](std::string_view text) { pieces.emplace_back(text); }, write);
  return pieces;
}

TEST(PrintWhole, WritesOnePiece) {
  EXPECT_EQ(piecesOf([](const TextSink &out) {
              out("a [");
              printTile(out, parseSpecifier("%d"), {{2}}, [](int64_t i) { return i; });
              out("]\n");
            }),
            std::vector<std::string>{"a [[0, 1]]\n"});
  EXPECT_TRUE(piecesOf([](const TextSink &) {}).empty());
}

TEST(PrintWhole, SplitsTextBeyondOneMebibyte) {
  constexpr size_t mebibyte = size_t(1) << 20;
  const std::vector<std::string> pieces = piecesOf([](const TextSink &out) {
    for (size_t i = 0; i < mebibyte / 4; ++i)
      out("1234");
    out("5");
  });
  EXPECT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].size(), mebibyte);
  EXPECT_EQ(pieces[1], "5");

  const std::string longer(mebibyte + 1, 'x');
  EXPECT_EQ(piecesOf([&](const TextSink &out) {
              out("a");
              out(longer);
              out("b");
            }),
            (std::vector<std::string>{"a", longer, "b"}));
}

// The sink launches a kernel, which prints on the same thread.
TEST(PrintWhole, NestedPrints) {
  std::vector<std::string> pieces;
  printWhole(
      [&](std::string_view outer) {
        printWhole([&](std::string_view inner) { pieces.emplace_back(inner); },
                   [](const TextSink &out) {
                     out("in");
                     out("ner");
                   });
        pieces.emplace_back(outer);
      },
      [](const TextSink &out) {
        out("ou");
        out("ter");
      });
  EXPECT_EQ(pieces, (std::vector<std::string>{"inner", "outer"}));
}
