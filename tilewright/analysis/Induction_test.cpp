// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks steps against brute force: random arithmetic is evaluated for two consecutive iterations,
// and the difference compared with the step, evaluated with the values before the loop.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/Induction.h"

#include <random>

using namespace tilewright;
using namespace tilewright::analysis;
using mlir::Value;

namespace {

using analysis::valueOf;

uint64_t valueOf(const InductionStep &step, const Given &given) {
  switch (step.kind) {
  case InductionStep::Kind::Zero:
    return 0;
  case InductionStep::Kind::One:
    return 1;
  case InductionStep::Kind::Value:
    return valueOf(step.value, given);
  case InductionStep::Kind::Sum:
    return valueOf(step.operands[0], given) + valueOf(step.operands[1], given);
  case InductionStep::Kind::Product:
    return valueOf(step.operands[0], given) * valueOf(step.value, given);
  }
  llvm_unreachable("kinds are listed above");
}

/// Arithmetic on %v0 to %v4 that defines `%r` last; all values are i64.
std::string arithmetic(std::mt19937 &random, const std::vector<std::string> &operations) {
  std::string text;
  unsigned count = 5;
  auto any = [&] { return "%v" + std::to_string(random() % count); };
  for (; count < 12; ++count) {
    std::string op = operations[random() % operations.size()], name = "%v" + std::to_string(count);
    if (op.starts_with("exti ")) {
      std::string narrow = "%n" + std::to_string(count), sign = op.substr(5);
      text += narrow + " = trunci " + any() + " : tile<i64> -> tile<i32>\n" + name + " = exti " +
              narrow + " " + sign + " : tile<i32> -> tile<i64>\n";
    } else if (op == "scale") {
      text += name + " = muli " + any() + ", %v4 : tile<i64>\n";
    } else if (op == "assume") {
      text += name + " = assume bounded<0, ?>, " + any() + " : tile<i64>\n";
    } else {
      text += name + " = " + op + " " + any() + ", " + any() + " : tile<i64>\n";
    }
  }
  return text + "%r = addi %v10, %v11 : tile<i64>\n";
}

/// A loop whose operands are its induction variable, two values from before the loop, and two
/// constants in it, of which %v4 is `factor`.
std::string loopOf(const std::string &arithmetic, const std::string &factor) {
  return R"(
    %v1 = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>
    %v2 = constant <i64: 6> : tile<i64>
    %lower = constant <i64: 3> : tile<i64>
    %step = muli %v1, %v2 : tile<i64>
    for %v0 in (%lower to %v1, step %step) : tile<i64> {
      %v3 = constant <i64: 2> : tile<i64>
      %v4 = constant <i64: )" +
         factor + "> : tile<i64>\n" + arithmetic + "continue\n}";
}

std::optional<InductionStep> checkLoop(const std::string &arithmetic,
                                       const std::string &factor = "5") {
  ParsedKernel kernel(loopOf(arithmetic, factor));
  tile::ForOp loop = kernel.first<tile::ForOp>();
  auto before = kernel.first<tile::PtrToIntOp>().getResult();
  Value index = (++loop.body()->rbegin())->getResult(0);
  std::optional<InductionStep> step = stepPerIteration(index, loop);
  for (uint64_t iteration : {0, 1, 4}) {
    if (!step)
      continue;
    Given given = {{before.getAsOpaquePointer(), 7}};
    auto at = [&](uint64_t number) {
      Given now = given;
      now[loop.inductionVar().getAsOpaquePointer()] = 3 + number * valueOf(loop.getStep(), given);
      return valueOf(index, now);
    };
    EXPECT_EQ(at(iteration + 1) - at(iteration), valueOf(*step, given)) << arithmetic;
  }
  return step;
}

/// All sums of values with a step have a step.
TEST(Induction, KnowsSumsInALoop) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    std::string text = arithmetic(random, {"addi", "exti unsigned", "exti signed", "assume"});
    EXPECT_TRUE(checkLoop(text)) << text;
  }
}

TEST(Induction, IsRightAboutRandomArithmeticInALoop) {
  unsigned known = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    known += checkLoop(arithmetic(random, {"addi", "muli", "subi", "assume"})).has_value();
  }
  EXPECT_GT(known, 20u);
  EXPECT_LT(known, 180u);
}

/// Neither the values nor the intermediate results leave the range of i32, read as signed.
TEST(Induction, IsRightAboutSignedExtensions) {
  for (const char *factor : {"5", "-5"}) {
    unsigned known = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      std::mt19937 random(seed);
      std::string text = arithmetic(random, {"addi", "scale", "exti signed"});
      known += checkLoop(text, factor).has_value();
    }
    EXPECT_GT(known, 20u) << factor;
  }
}

TEST(Induction, OfSingleOperationsInALoop) {
  using Kind = InductionStep::Kind;
  auto kindOf = [](const std::string &text) -> std::optional<Kind> {
    std::optional<InductionStep> step = checkLoop(text);
    return step ? std::optional(step->kind) : std::nullopt;
  };
  EXPECT_EQ(kindOf("%r = addi %v0, %v1 : tile<i64>"), Kind::Value);
  EXPECT_EQ(kindOf("%r = addi %v1, %v3 : tile<i64>"), Kind::Zero);
  EXPECT_EQ(kindOf("%r = addi %v0, %v0 : tile<i64>"), Kind::Sum);
  EXPECT_EQ(kindOf("%r = muli %v2, %v0 : tile<i64>"), Kind::Product);
  EXPECT_EQ(kindOf("%r = muli %v2, %v1 : tile<i64>"), Kind::Zero);
  EXPECT_EQ(kindOf("%r = muli %v0, %v0 : tile<i64>"), std::nullopt);
  EXPECT_EQ(kindOf("%r = subi %v0, %v1 : tile<i64>"), std::nullopt);

  // The sign-extended value decreases by the factor -1, which has no unsigned 64-bit equivalent.
  const std::string product = "%n = trunci %v0 : tile<i64> -> tile<i32>\n"
                              "%f = constant <i32: FACTOR> : tile<i32>\n"
                              "%m = muli %n, %f : tile<i32>\n"
                              "%r = exti %m signed : tile<i32> -> tile<i64>";
  auto withFactor = [&](const std::string &factor) {
    std::string text = product;
    return text.replace(text.find("FACTOR"), 6, factor);
  };
  EXPECT_EQ(kindOf(withFactor("3")), Kind::Product);
  EXPECT_EQ(kindOf(withFactor("-1")), std::nullopt);
}

/// The step of a loop is positive, read as the loop compares: only signed, that is known of `exti`.
TEST(Induction, OfExtendedInductionVariables) {
  auto isKnown = [](const std::string &compares, const std::string &sign) {
    ParsedKernel kernel("%0 = constant <i32: 0> : tile<i32>\n"
                        "%p = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>\n"
                        "%n = trunci %p : tile<i64> -> tile<i32>\n"
                        "for " +
                        compares + " %k in (%0 to %n, step %n) : tile<i32> {\n%r = exti %k " +
                        sign + " : tile<i32> -> tile<i64>\ncontinue\n}");
    tile::ForOp loop = kernel.first<tile::ForOp>();
    return stepPerIteration(kernel.first<tile::ExtIOp>().getResult(), loop).has_value();
  };
  EXPECT_TRUE(isKnown("", "signed"));
  EXPECT_TRUE(isKnown("", "unsigned"));
  EXPECT_TRUE(isKnown("unsigned", "unsigned"));
  EXPECT_FALSE(isKnown("unsigned", "signed"));
}

/// What a loop carries changes by whatever its iterations make of it.
TEST(Induction, KnowsNothingOfCarriedValues) {
  ParsedKernel kernel("%0 = constant <i32: 0> : tile<i32>\n"
                      "%r = for %k in (%0 to %0, step %0) : tile<i32> iter_values(%c = %0) -> "
                      "(tile<i32>) {\ncontinue %k : tile<i32>\n}");
  tile::ForOp loop = kernel.first<tile::ForOp>();
  EXPECT_FALSE(stepPerIteration(loop.iterArgs()[0], loop));
  EXPECT_FALSE(stepPerBlock(loop.iterArgs()[0]));
}

/// A chain of doublings has a step of as many terms as its value has: it is given up early.
TEST(Induction, GivesUpLongExpressions) {
  auto stepOfChain = [](unsigned length) {
    std::string text = "%v0, %i1, %i2 = get_tile_block_id : tile<i32>\n";
    for (unsigned i = 0; i < length; ++i) {
      std::string from = "%v" + std::to_string(i);
      text += "%v" + std::to_string(i + 1) + " = addi " + from + ", " + from + " : tile<i32>\n";
    }
    ParsedKernel kernel(text);
    std::vector<mlir::Operation *> operations = kernel.operations();
    return stepPerBlock(operations[operations.size() - 2]->getResult(0)).has_value();
  };
  EXPECT_TRUE(stepOfChain(6)); // 2^7 - 1 values
  EXPECT_FALSE(stepOfChain(60));
}

/// Pointers to a row per block: they change by the length of a row if that is the same for all of
/// them.
TEST(Induction, FollowsTilesOfPointers) {
  auto kernelOf = [](const std::string &index, const std::string &type) {
    return "%i0, %i1, %i2 = get_tile_block_id : tile<i32>\n"
           "%n = constant <i64: -7> : tile<i64>\n"
           "%id = exti %i0 signed : tile<i32> -> tile<i64>\n"
           "%id_1 = reshape %id : tile<i64> -> tile<1xi64>\n"
           "%id_8 = broadcast %id_1 : tile<1xi64> -> tile<8xi64>\n"
           "%n_1 = reshape %n : tile<i64> -> tile<1xi64>\n"
           "%n_8 = broadcast %n_1 : tile<1xi64> -> tile<8xi64>\n"
           "%iota = iota : tile<8xi64>\n"
           "%iota_i32 = iota : tile<8xi32>\n"
           "%id_i32_1 = reshape %i0 : tile<i32> -> tile<1xi32>\n"
           "%id_i32_8 = broadcast %id_i32_1 : tile<1xi32> -> tile<8xi32>\n"
           "%x_1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
           "%x_8 = broadcast %x_1 : tile<1xptr<i32>> -> tile<8xptr<i32>>\n" +
           index + "%p = offset %x_8, %index : tile<8xptr<i32>>, tile<8x" + type +
           "> -> tile<8xptr<i32>>\n";
  };
  auto stepOf = [](ParsedKernel &kernel) {
    return stepPerBlock(kernel.first<tile::OffsetOp>().getResult());
  };
  ParsedKernel rows(kernelOf("%first = muli %id_8, %n_8 : tile<8xi64>\n"
                             "%index = addi %first, %iota : tile<8xi64>\n",
                             "i64"));
  std::optional<InductionStep> step = stepOf(rows);
  ASSERT_TRUE(step);
  EXPECT_EQ(int64_t(valueOf(*step, {})), -7);
  ParsedKernel neighbours(kernelOf("%index = addi %id_8, %iota : tile<8xi64>\n", "i64"));
  step = stepOf(neighbours);
  ASSERT_TRUE(step);
  EXPECT_EQ(valueOf(*step, {}), 1u);
  ParsedKernel narrow(kernelOf("%index = addi %id_i32_8, %iota_i32 : tile<8xi32>\n", "i32"));
  step = stepOf(narrow);
  ASSERT_TRUE(step);
  EXPECT_EQ(valueOf(*step, {}), 1u);
  ParsedKernel constants(kernelOf("%length = constant <i64: 40> : tile<8xi64>\n"
                                  "%first = muli %length, %id_8 : tile<8xi64>\n"
                                  "%index = addi %first, %iota : tile<8xi64>\n",
                                  "i64"));
  step = stepOf(constants);
  ASSERT_TRUE(step);
  EXPECT_EQ(valueOf(*step, {}), 40u);
  // The element that is taken changes.
  ParsedKernel taken(kernelOf("%one = extract %iota_i32[%i0] : tile<8xi32> -> tile<1xi32>\n"
                              "%index = broadcast %one : tile<1xi32> -> tile<8xi32>\n",
                              "i32"));
  EXPECT_FALSE(stepOf(taken));
  // Each element changes by another number.
  ParsedKernel apart(kernelOf("%index = muli %id_8, %iota : tile<8xi64>\n", "i64"));
  EXPECT_FALSE(stepOf(apart));
}

/// Blocks follow each other along x; the coordinates y and z stay, as arguments of the entry do.
TEST(Induction, FromBlockToBlock) {
  const std::string start = "%i0, %i1, %i2 = get_tile_block_id : tile<i32>\n"
                            "%v0 = exti %i0 unsigned : tile<i32> -> tile<i64>\n"
                            "%v1 = exti %i1 unsigned : tile<i32> -> tile<i64>\n"
                            "%v2 = exti %i2 unsigned : tile<i32> -> tile<i64>\n"
                            "%v3 = constant <i64: 2> : tile<i64>\n"
                            "%v4 = constant <i64: 9> : tile<i64>\n";
  unsigned known = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::string text = start + arithmetic(random, {"addi", "muli", "assume"});
    ParsedKernel kernel(text);
    auto id = kernel.first<tile::GetTileBlockIdOp>();
    std::vector<mlir::Operation *> operations = kernel.operations();
    Value index = operations[operations.size() - 2]->getResult(0);
    std::optional<InductionStep> step = stepPerBlock(index);
    known += step.has_value();
    for (uint64_t x : {0, 1, 5}) {
      Given given;
      const uint64_t coordinates[] = {x, 4, 6};
      for (auto [dim, value] : llvm::enumerate(coordinates))
        given[id->getResult(dim).getAsOpaquePointer()] = value;
      Given next = given;
      next[id->getResult(0).getAsOpaquePointer()] = x + 1;
      if (step) {
        EXPECT_EQ(valueOf(index, next) - valueOf(index, given), valueOf(*step, given)) << text;
      }
    }
  }
  EXPECT_GT(known, 20u);
  ParsedKernel loads("%r, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token");
  EXPECT_FALSE(stepPerBlock(loads.first<tile::LoadPtrOp>().getResult()));
  ParsedKernel kernel("%r = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>");
  EXPECT_TRUE(stepPerBlock(kernel.entry().getBody().getArgument(0))->isZero());
}

} // namespace
