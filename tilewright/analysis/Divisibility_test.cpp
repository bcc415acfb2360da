// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks divisors against brute force: random arithmetic is evaluated for many given values, and
// each result must be divisible. Expected divisors of single operations are derived by hand.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/Divisibility.h"

#include <random>

using namespace tilewright;
using namespace tilewright::analysis;
using mlir::Value;

namespace {

/// The operation with the result `%r`, which is the last one before the terminator.
Value resultOf(ParsedKernel &kernel) {
  std::vector<mlir::Operation *> operations = kernel.operations();
  while (operations.back()->hasTrait<mlir::OpTrait::IsTerminator>())
    operations.pop_back();
  return operations.back()->getResult(0);
}

/// Arithmetic on i64 with %v0, which is arbitrary, and %v1 to %v3, which are multiples of 4, 16
/// and 24.
std::string randomArithmetic(std::mt19937 &random) {
  std::string text = R"(
    %v0 = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>
    %v1 = assume div_by<4>, %v0 : tile<i64>
    %v2 = assume div_by<16>, %v0 : tile<i64>
    %v3 = constant <i64: -24> : tile<i64>
)";
  unsigned count = 4;
  auto any = [&] { return "%v" + std::to_string(random() % count); };
  const char *operations[] = {"addi", "subi", "muli", "maxi", "exti", "trunci"};
  for (; count < 12; ++count) {
    std::string op = operations[random() % 6], name = "%v" + std::to_string(count);
    if (op == "exti" || op == "trunci") {
      // To 8 bits and back, so that values wrap around.
      text += "%n" + std::to_string(count) + " = trunci " + any() + " : tile<i64> -> tile<i8>\n";
      text += name + " = exti %n" + std::to_string(count) +
              (op == "exti" ? " signed" : " unsigned") + " : tile<i8> -> tile<i64>\n";
    } else {
      text += name + " = " + op + " " + any() + ", " + any() + (op == "maxi" ? " signed" : "") +
              " : tile<i64>\n";
    }
  }
  return text;
}

TEST(Divisibility, IsRightAboutRandomArithmetic) {
  unsigned known = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    std::string text = randomArithmetic(random);
    ParsedKernel kernel(text);
    Value address = kernel.first<tile::PtrToIntOp>().getResult(), result = resultOf(kernel);
    uint64_t divisor = divisorOf(result);
    ASSERT_TRUE(divisor >= 1 && divisor <= 1 << 30 && (divisor & (divisor - 1)) == 0) << divisor;
    known += divisor > 1;
    // Both assumptions hold for multiples of 16.
    for (uint64_t number : {0, 1, 3, 5, 7, 11, 100, 12345}) {
      uint64_t value = valueOf(result, {{address.getAsOpaquePointer(), 16 * number}});
      ASSERT_EQ(value % divisor, 0u) << text << value << " of " << number;
    }
  }
  EXPECT_GT(known, 100u);
  EXPECT_LT(known, 300u);
}

/// The divisor of the last operation of a body, in which `%n` is a number about which nothing is
/// known, `%n4` a multiple of 4, and `%n8` one of 8.
uint64_t divisor(const std::string &body) {
  ParsedKernel kernel("%n = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>\n"
                      "%n4 = assume div_by<4>, %n : tile<i64>\n"
                      "%n8 = assume div_by<8>, %n : tile<i64>\n" +
                      body);
  return divisorOf(resultOf(kernel));
}

constexpr uint64_t most = 1 << 30;

TEST(Divisibility, OfConstants) {
  EXPECT_EQ(divisor("%r = constant <i32: 1> : tile<i32>"), 1u);
  EXPECT_EQ(divisor("%r = constant <i32: 48> : tile<i32>"), 16u);
  EXPECT_EQ(divisor("%r = constant <i32: -48> : tile<i32>"), 16u);
  EXPECT_EQ(divisor("%r = constant <i64: 4294967296> : tile<i64>"), most);
  EXPECT_EQ(divisor("%r = constant <i8: -128> : tile<i8>"), 128u);
  EXPECT_EQ(divisor("%r = constant <i32: 0> : tile<i32>"), most); // each number divides 0
}

TEST(Divisibility, OfAssumptions) {
  EXPECT_EQ(divisor("%r = assume div_by<16>, %n : tile<i64>"), 16u);
  EXPECT_EQ(divisor("%r = assume div_by<4>, %n8 : tile<i64>"), 8u);
  EXPECT_EQ(divisor("%r = assume div_by<16>, %n8 : tile<i64>"), 16u);
  EXPECT_EQ(divisor("%r = assume div_by<4294967296>, %n : tile<i64>"), most);
  EXPECT_EQ(divisor("%r = assume bounded<0, ?>, %n8 : tile<i64>"), 8u);
  EXPECT_EQ(divisor("%r = assume bounded<0, ?>, %n : tile<i64>"), 1u);
}

TEST(Divisibility, OfArithmetic) {
  EXPECT_EQ(divisor("%r = addi %n4, %n8 : tile<i64>"), 4u);
  EXPECT_EQ(divisor("%r = subi %n8, %n8 : tile<i64>"), 8u);
  EXPECT_EQ(divisor("%r = addi %n, %n8 : tile<i64>"), 1u);
  EXPECT_EQ(divisor("%r = muli %n4, %n8 : tile<i64>"), 32u);
  EXPECT_EQ(divisor("%r = muli %n, %n8 : tile<i64>"), 8u);
  EXPECT_EQ(divisor("%z = constant <i64: 0> : tile<i64>\n%r = muli %z, %z : tile<i64>"), most);
  EXPECT_EQ(divisor("%r = trunci %n8 : tile<i64> -> tile<i32>"), 8u);
  EXPECT_EQ(divisor("%s = trunci %n8 : tile<i64> -> tile<i32>\n"
                    "%r = exti %s signed : tile<i32> -> tile<i64>"),
            8u);
  // 8 / 4 = 2 is odd for 12 / 4 = 3.
  EXPECT_EQ(divisor("%r = divi %n8, %n4 signed : tile<i64>"), 1u);
}

/// The divisor of an address is in bytes.
TEST(Divisibility, OfAddresses) {
  EXPECT_EQ(divisor("%r = offset %x, %n8 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>"), 1u);
  const std::string aligned = "%p = assume div_by<16>, %x : tile<ptr<i32>>\n";
  EXPECT_EQ(divisor(aligned + "%r = offset %p, %n : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>"),
            4u);
  EXPECT_EQ(divisor(aligned + "%r = offset %p, %n4 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>"),
            16u);
  EXPECT_EQ(divisor(aligned + "%r = offset %p, %n8 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>"),
            16u);
}

/// An element of f4E2M1FN has half a byte, so nothing is known about the address.
TEST(Divisibility, OfAddressesOfHalfBytes) {
  EXPECT_EQ(divisor("%h = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f4E2M1FN>>\n"
                    "%p = assume div_by<16>, %h : tile<ptr<f4E2M1FN>>\n"
                    "%r = offset %p, %n8 : tile<ptr<f4E2M1FN>>, tile<i64> -> tile<ptr<f4E2M1FN>>"),
            1u);
}

/// The operands of each product are the previous product: there are 2^40 ways to the first one.
TEST(Divisibility, EndsInExpressionsThatAreShared) {
  std::string text = "%a0 = constant <i64: 3> : tile<i64>\n";
  for (int at = 0; at < 40; ++at)
    text += "%a" + std::to_string(at + 1) + " = addi %a" + std::to_string(at) + ", %a" +
            std::to_string(at) + " : tile<i64>\n";
  EXPECT_EQ(divisor(text), 1u);
}

} // namespace
