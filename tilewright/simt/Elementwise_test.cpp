// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per case of an elementwise operation: operands, and the result computed by hand.

#include "test/support/simt/SimtTest.h"

#include <cmath>

using namespace tilewright::simt;

namespace {
struct Case {
  const char *operation;
  /// Types of the operands and the result; operands are `%0`, `%1`, ...
  std::vector<std::string> types;
  std::vector<double> operands;
  double expected;
};

class Elementwise : public testing::TestWithParam<Case> {};

std::string constant(double value, const std::string &type) {
  if (type == "i1")
    return value != 0 ? "true" : "false";
  const bool isFloat = type.find('f') != std::string::npos && type != "index";
  return isFloat ? std::to_string(value) : std::to_string(int64_t(value));
}
} // namespace

/// As scalars, and as the second element of vectors.
TEST_P(Elementwise, ComputesWhatAPersonDoes) {
  const Case &c = GetParam();
  std::string scalars, vectors;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    const std::string name = "%" + std::to_string(i) + " = arith.constant ";
    scalars +=
        "%v" + name.substr(1) + constant(c.operands[i], c.types[i]) + " : " + c.types[i] + "\n";
    vectors += "%v" + name.substr(1) + "dense<" + constant(c.operands[i], c.types[i]) +
               "> : vector<2x" + c.types[i] + ">\n";
  }
  const auto fill = [&](std::string text, bool isVector) {
    for (size_t at; (at = text.find('$')) != std::string::npos;) {
      const std::string &type = c.types[text[at + 1] - '0'];
      text.replace(at, 2, isVector ? "vector<2x" + type + ">" : type);
    }
    return text;
  };
  const std::string result = c.types.back();
  const auto one = compute(scalars + fill(c.operation, false), result);
  const auto two = compute(vectors + fill(c.operation, true), "2x" + result);
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(two.size(), 2u);
  for (double found : {one[0], two[0], two[1]})
    if (std::isnan(c.expected))
      EXPECT_TRUE(std::isnan(found)) << c.operation;
    else
      EXPECT_NEAR(found, c.expected, std::abs(c.expected) * 1e-6) << c.operation;
}

static const Case integers[] = {
    {"%r = arith.addi %v0, %v1 : $0", {"i8", "i8", "i8"}, {100, 100}, -56},
    {"%r = arith.subi %v0, %v1 : $0", {"i16", "i16", "i16"}, {3, 5}, -2},
    {"%r = arith.muli %v0, %v1 : $0", {"i32", "i32", "i32"}, {-7, 6}, -42},
    {"%s, %r = arith.addui_extended %v0, %v1 : $0, $2", {"i8", "i8", "i1"}, {-1, 1}, -1},
    {"%s, %r = arith.mulsi_extended %v0, %v1 : $0", {"i8", "i8", "i8"}, {-128, 2}, -1},
    {"%s, %r = arith.mului_extended %v0, %v1 : $0", {"i8", "i8", "i8"}, {-1, -1}, -2},
    {"%r = arith.divsi %v0, %v1 : $0", {"i32", "i32", "i32"}, {-7, 2}, -3},
    {"%r = arith.divui %v0, %v1 : $0", {"i8", "i8", "i8"}, {-6, 2}, 125},
    {"%r = arith.ceildivsi %v0, %v1 : $0", {"i32", "i32", "i32"}, {7, 2}, 4},
    {"%r = arith.ceildivui %v0, %v1 : $0", {"i32", "i32", "i32"}, {7, 4}, 2},
    {"%r = arith.floordivsi %v0, %v1 : $0", {"i32", "i32", "i32"}, {-7, 2}, -4},
    {"%r = arith.remsi %v0, %v1 : $0", {"i32", "i32", "i32"}, {-7, 2}, -1},
    {"%r = arith.remui %v0, %v1 : $0", {"i8", "i8", "i8"}, {-1, 16}, 15},
    {"%r = arith.andi %v0, %v1 : $0", {"i8", "i8", "i8"}, {12, 10}, 8},
    {"%r = arith.ori %v0, %v1 : $0", {"i8", "i8", "i8"}, {12, 10}, 14},
    {"%r = arith.xori %v0, %v1 : $0", {"i8", "i8", "i8"}, {12, 10}, 6},
    {"%r = arith.shli %v0, %v1 : $0", {"i8", "i8", "i8"}, {3, 6}, -64},
    {"%r = arith.shrsi %v0, %v1 : $0", {"i8", "i8", "i8"}, {-64, 3}, -8},
    {"%r = arith.shrui %v0, %v1 : $0", {"i8", "i8", "i8"}, {-64, 3}, 24},
    {"%r = arith.maxsi %v0, %v1 : $0", {"i8", "i8", "i8"}, {-1, 1}, 1},
    {"%r = arith.maxui %v0, %v1 : $0", {"i8", "i8", "i8"}, {-1, 1}, -1},
    {"%r = arith.minsi %v0, %v1 : $0", {"i8", "i8", "i8"}, {-1, 1}, -1},
    {"%r = arith.minui %v0, %v1 : $0", {"i8", "i8", "i8"}, {-1, 1}, 1},
    {"%r = arith.cmpi slt, %v0, %v1 : $0", {"i8", "i8", "i1"}, {-1, 1}, -1},
    {"%r = arith.cmpi ult, %v0, %v1 : $0", {"i8", "i8", "i1"}, {-1, 1}, 0},
    {"%r = arith.cmpi uge, %v0, %v1 : $0", {"i8", "i8", "i1"}, {-1, 1}, -1},
    {"%r = arith.cmpi ne, %v0, %v1 : $0", {"i8", "i8", "i1"}, {5, 5}, 0},
    {"%r = math.absi %v0 : $0", {"i8", "i8"}, {-5}, 5},
    {"%r = math.ctlz %v0 : $0", {"i8", "i8"}, {5}, 5},
    {"%r = math.cttz %v0 : $0", {"i8", "i8"}, {0}, 8},
    {"%r = math.ctpop %v0 : $0", {"i8", "i8"}, {-1}, 8},
    {"%r = math.ipowi %v0, %v1 : $0", {"i32", "i32", "i32"}, {-3, 3}, -27},
};

static const Case floats[] = {
    {"%r = arith.addf %v0, %v1 : $0", {"f32", "f32", "f32"}, {0.5, 0.25}, 0.75},
    // 2048 + 1 is the midpoint of two f16, and the even one is below.
    {"%r = arith.addf %v0, %v1 : $0", {"f16", "f16", "f16"}, {2048, 1}, 2048},
    {"%r = arith.subf %v0, %v1 : $0", {"bf16", "bf16", "bf16"}, {1, 3}, -2},
    {"%r = arith.mulf %v0, %v1 : $0", {"f64", "f64", "f64"}, {3, 0.5}, 1.5},
    // 1.75 * 1.75 = 3.0625; f8E4M3FN has 3 and 3.25.
    {"%r = arith.mulf %v0, %v1 : $0", {"f8E4M3FN", "f8E4M3FN", "f8E4M3FN"}, {1.75, 1.75}, 3},
    {"%r = arith.divf %v0, %v1 : $0", {"f32", "f32", "f32"}, {1, 8}, 0.125},
    {"%r = arith.remf %v0, %v1 : $0", {"f32", "f32", "f32"}, {-7, 4}, -3},
    {"%r = arith.negf %v0 : $0", {"f32", "f32"}, {2}, -2},
    {"%r = arith.maximumf %v0, %v1 : $0", {"f32", "f32", "f32"}, {1, 2}, 2},
    {"%r = arith.minimumf %v0, %v1 : $0", {"f32", "f32", "f32"}, {1, 2}, 1},
    {"%n = arith.divf %v0, %v0 : $0 %r = arith.maximumf %n, %v1 : $0",
     {"f32", "f32", "f32"},
     {0, 2},
     NAN},
    {"%n = arith.divf %v0, %v0 : $0 %r = arith.maxnumf %n, %v1 : $0",
     {"f32", "f32", "f32"},
     {0, 2},
     2},
    {"%n = arith.divf %v0, %v0 : $0 %r = arith.minnumf %n, %v1 : $0",
     {"f32", "f32", "f32"},
     {0, 2},
     2},
    {"%r = arith.cmpf olt, %v0, %v1 : $0", {"f32", "f32", "i1"}, {1, 2}, -1},
    {"%n = arith.divf %v0, %v0 : $0 %r = arith.cmpf uge, %n, %v1 : $0",
     {"f32", "f32", "i1"},
     {0, 2},
     -1},
    {"%n = arith.divf %v0, %v0 : $0 %r = arith.cmpf one, %n, %v1 : $0",
     {"f32", "f32", "i1"},
     {0, 2},
     0},
    {"%r = math.absf %v0 : $0", {"f32", "f32"}, {-2.5}, 2.5},
    {"%r = math.copysign %v0, %v1 : $0", {"f32", "f32", "f32"}, {2, -1}, -2},
    {"%r = math.clampf %v0 to [%v1, %v2] : $0", {"f32", "f32", "f32", "f32"}, {9, 1, 4}, 4},
    {"%r = math.fma %v0, %v1, %v2 : $0", {"f32", "f32", "f32", "f32"}, {2, 3, 4}, 10},
    {"%r = math.isfinite %v0 : $0", {"f32", "i1"}, {1}, -1},
    {"%r = math.isinf %v0 : $0", {"f32", "i1"}, {1}, 0},
    {"%n = arith.divf %v0, %v0 : $0 %r = math.isnan %n : $0", {"f32", "i1"}, {0}, -1},
    {"%r = math.isnormal %v0 : $0", {"f32", "i1"}, {0}, 0},
    {"%r = math.ceil %v0 : $0", {"f32", "f32"}, {-1.5}, -1},
    {"%r = math.floor %v0 : $0", {"f32", "f32"}, {-1.5}, -2},
    {"%r = math.round %v0 : $0", {"f32", "f32"}, {2.5}, 3},
    {"%r = math.roundeven %v0 : $0", {"f32", "f32"}, {2.5}, 2},
    {"%r = math.trunc %v0 : $0", {"f32", "f32"}, {-2.5}, -2},
    {"%r = math.sqrt %v0 : $0", {"f32", "f32"}, {9}, 3},
    {"%r = math.rsqrt %v0 : $0", {"f32", "f32"}, {4}, 0.5},
    {"%r = math.cbrt %v0 : $0", {"f32", "f32"}, {27}, 3},
    {"%r = math.exp %v0 : $0", {"f32", "f32"}, {1}, 2.718281828},
    {"%r = math.exp2 %v0 : $0", {"f32", "f32"}, {10}, 1024},
    {"%r = math.expm1 %v0 : $0", {"f32", "f32"}, {1}, 1.718281828},
    {"%r = math.log %v0 : $0", {"f32", "f32"}, {2}, 0.693147181},
    {"%r = math.log2 %v0 : $0", {"f32", "f32"}, {8}, 3},
    {"%r = math.log10 %v0 : $0", {"f32", "f32"}, {1000}, 3},
    {"%r = math.log1p %v0 : $0", {"f32", "f32"}, {1}, 0.693147181},
    {"%r = math.powf %v0, %v1 : $0", {"f32", "f32", "f32"}, {2, 0.5}, 1.414213562},
    {"%r = math.fpowi %v0, %v1 : $0, $1", {"f32", "i32", "f32"}, {2, -2}, 0.25},
    {"%r = math.sin %v0 : $0", {"f32", "f32"}, {1}, 0.841470985},
    {"%r = math.cos %v0 : $0", {"f32", "f32"}, {1}, 0.540302306},
    {"%s, %r = math.sincos %v0 : $0", {"f32", "f32"}, {1}, 0.540302306},
    {"%r = math.tan %v0 : $0", {"f32", "f32"}, {1}, 1.557407725},
    {"%r = math.asin %v0 : $0", {"f32", "f32"}, {1}, 1.570796327},
    {"%r = math.acos %v0 : $0", {"f32", "f32"}, {0}, 1.570796327},
    {"%r = math.atan %v0 : $0", {"f32", "f32"}, {1}, 0.785398163},
    {"%r = math.atan2 %v0, %v1 : $0", {"f32", "f32", "f32"}, {1, -1}, 2.35619449},
    {"%r = math.sinh %v0 : $0", {"f32", "f32"}, {1}, 1.175201194},
    {"%r = math.cosh %v0 : $0", {"f32", "f32"}, {1}, 1.543080635},
    {"%r = math.tanh %v0 : $0", {"f32", "f32"}, {1}, 0.761594156},
    {"%r = math.asinh %v0 : $0", {"f32", "f32"}, {1}, 0.881373587},
    {"%r = math.acosh %v0 : $0", {"f32", "f32"}, {2}, 1.316957897},
    {"%r = math.atanh %v0 : $0", {"f32", "f32"}, {0.5}, 0.549306144},
    {"%r = math.erf %v0 : $0", {"f32", "f32"}, {1}, 0.842700793},
    {"%r = math.erfc %v0 : $0", {"f32", "f32"}, {1}, 0.157299207},
};

static const Case conversions[] = {
    {"%r = arith.extsi %v0 : $0 to $1", {"i8", "i32"}, {-3}, -3},
    {"%r = arith.extui %v0 : $0 to $1", {"i8", "i32"}, {-3}, 253},
    {"%r = arith.trunci %v0 : $0 to $1", {"i32", "i8"}, {300}, 44},
    {"%r = arith.index_cast %v0 : $0 to $1", {"i8", "index"}, {-1}, -1},
    {"%r = arith.index_castui %v0 : $0 to $1", {"i8", "index"}, {-1}, 255},
    {"%r = arith.sitofp %v0 : $0 to $1", {"i8", "f32"}, {-3}, -3},
    {"%r = arith.uitofp %v0 : $0 to $1", {"i8", "f16"}, {-3}, 253},
    {"%r = arith.fptosi %v0 : $0 to $1", {"f32", "i8"}, {-3.75}, -3},
    {"%r = arith.fptoui %v0 : $0 to $1", {"f32", "i8"}, {200}, -56},
    {"%r = arith.extf %v0 : $0 to $1", {"bf16", "f32"}, {1.5}, 1.5},
    // 1 + 3/512 is nearer to 1 + 4/512 than to 1, the even neighbours among bf16.
    {"%r = arith.truncf %v0 : $0 to $1", {"f32", "bf16"}, {1.005859375}, 1.0078125},
    {"%r = arith.truncf %v0 toward_zero : $0 to $1", {"f32", "bf16"}, {1.005859375}, 1},
    {"%r = arith.bitcast %v0 : $0 to $1", {"f32", "i32"}, {1}, 0x3F800000},
    {"%r = arith.scaling_extf %v0, %v1 : $0, $1 to $2",
     {"f4E2M1FN", "f8E8M0FNU", "f32"},
     {1.5, 8},
     12},
    {"%r = arith.scaling_truncf %v0, %v1 : $0, $1 to $2",
     {"f32", "f8E8M0FNU", "f4E2M1FN"},
     {12, 8},
     1.5},
};

INSTANTIATE_TEST_SUITE_P(Integers, Elementwise, testing::ValuesIn(integers));
INSTANTIATE_TEST_SUITE_P(Floats, Elementwise, testing::ValuesIn(floats));
INSTANTIATE_TEST_SUITE_P(Conversions, Elementwise, testing::ValuesIn(conversions));

/// One condition for all elements, or one for each.
TEST(Select, ByElementAndAsAWhole) {
  const std::string vectors = "%a = arith.constant dense<[1, 2]> : vector<2xi8>\n"
                              "%b = arith.constant dense<[3, 4]> : vector<2xi8>\n";
  EXPECT_EQ(compute(vectors + "%c = arith.constant dense<[true, false]> : vector<2xi1>\n"
                              "%r = arith.select %c, %a, %b : vector<2xi1>, vector<2xi8>",
                    "2xi8"),
            (std::vector<double>{1, 4}));
  EXPECT_EQ(compute(vectors + "%c = arith.constant false\n"
                              "%r = arith.select %c, %a, %b : vector<2xi8>",
                    "2xi8"),
            (std::vector<double>{3, 4}));
}

//===-- What is undefined ----------------------------------------------------------------===//

TEST(Undefined, DivisionByZeroIsFound) {
  EXPECT_EQ(compute(R"(%a = arith.constant 1 : i32
                       %z = arith.constant 0 : i32
                       %q = arith.divsi %a, %z : i32
                       %r = arith.constant 7 : i32)",
                    "i32", {"division"}),
            std::vector<double>{7});
}

TEST(Undefined, DivisionThatOverflowsIsFound) {
  compute(R"(%a = arith.constant -128 : i8
             %m = arith.constant -1 : i8
             %q = arith.divsi %a, %m : i8
             %r = arith.constant 7 : i8)",
          "i8", {"division"});
}

/// Results computed from poison cause no error until they reach memory.
TEST(Undefined, PoisonIsFoundInMemory) {
  const char *const poisons[] = {
      "%r = ub.poison : i32",
      "%a = arith.constant 1 : i32 %b = arith.constant 32 : i32 %r = arith.shli %a, %b : i32",
      "%a = arith.constant 2147483647 : i32 %r = arith.addi %a, %a overflow<nsw> : i32",
      "%a = arith.constant 3.0e9 : f32 %r = arith.fptosi %a : f32 to i32",
      "%a = arith.constant 7 : i32 %b = arith.constant 2 : i32 %r = arith.divsi %a, %b exact : i32",
  };
  for (const char *poison : poisons)
    compute(poison, "i32", {"poison"});
  EXPECT_EQ(compute(R"(%p = ub.poison : i32
                       %a = arith.constant 5 : i32
                       %t = arith.constant true
                       %r = arith.select %t, %a, %p : i32)",
                    "i32"),
            std::vector<double>{5});
}
