// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/nvidia/plan/RolesTesting.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::nvidia::testing;

namespace {

/// The loop has the product `scores` of loaded tiles, and `d` of `l`, which follows from it. Tests
/// change the text in some places.
class PlanDelays : public RolesTest {
protected:
  std::string first, between, rescaled;
  std::string scores = product("scores", "x", "y", "none");
  std::string lhs = elementwise("l", "ftof", "scores", tile32 + " -> " + tile16);
  std::string loadOfRhs = load("v", "b", "%zero, %i"), second = product("d", "l", "v", "acc");

  static std::string product(const std::string &name, const std::string &lhs,
                             const std::string &rhs, const std::string &acc) {
    return "%" + name + " = mmaf %" + lhs + ", %" + rhs + ", %" + acc + " : " + tile16 + ", " +
           tile16 + ", " + tile32 + at(name);
  }
  static std::string elementwise(const std::string &name, const std::string &op,
                                 const std::string &operands, const std::string &types = tile32) {
    return "%" + name + " = " + op + " %" + operands + " : " + types + at(name);
  }
  static std::string twice(const std::string &name, const std::string &of) {
    return elementwise(name, "addf", of + ", %" + of);
  }

  Plan plan() {
    return planOf("%loop = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none)"
                  " -> (" +
                  tile32 + ") {\n" + load("x", "a", "%zero, %i") + load("y", "b", "%i, %zero") +
                  first + scores + between + lhs + rescaled + loadOfRhs + second +
                  "continue %d : " + tile32 + "\n}" + at("loop"));
  }
  std::string firstReader() {
    Plan its = plan();
    return its.delays.all.empty() ? "" : nameOf(its.delays.all.front().firstReader);
  }
  /// Why the second product is not delayed.
  std::string reason() {
    Plan its = plan();
    EXPECT_TRUE(its.delays.all.empty());
    return its.delays.reasons.empty() ? "" : its.delays.reasons.front().second;
  }
};

TEST_F(PlanDelays, aProductIsDelayedBehindTheOneBefore) {
  Plan its = plan();
  ASSERT_EQ(its.delays.all.size(), 1u);
  Delay delay = its.delays.all.front();
  EXPECT_EQ(nameOf(delay.loop), "loop");
  EXPECT_EQ(nameOf(delay.product), "d");
  EXPECT_EQ(nameOf(delay.cover), "scores");
  EXPECT_EQ(nameOf(delay.firstReader), "l");
  ASSERT_EQ(delay.sources.size(), 1u);
  EXPECT_EQ(nameOf(delay.sources.front().getDefiningOp()), "scores");
  for (mlir::Operation *op :
       {delay.loop, delay.product.getOperation(), delay.cover.getOperation(), delay.firstReader})
    EXPECT_EQ(its.delays.of(op), &its.delays.all.front());
  EXPECT_EQ(its.delays.of(its.entry), nullptr);
}

TEST_F(PlanDelays, theFirstReaderIsLhsOrTheRescaling) {
  rescaled = twice("t", "acc");
  second = product("d", "l", "v", "t");
  EXPECT_EQ(firstReader(), "l");
  std::swap(lhs, rescaled);
  EXPECT_EQ(firstReader(), "t");
}

TEST_F(PlanDelays, lhsIsKnownBeforeAccumulatorsAreRescaled) {
  between = twice("t", "acc") + twice("half", "scores");
  lhs = elementwise("l", "ftof", "half", tile32 + " -> " + tile16);
  second = product("d", "l", "v", "t");
  EXPECT_EQ(reason(), "its accumulators are rescaled before lhs is known");
}

TEST_F(PlanDelays, accumulatorsAreOnlyRescaled) {
  rescaled = "%r = reduce %acc dim=0 identities=[0.0 : f32] : " + tile32 +
             " -> tile<64xf32> (%u: tile<f32>, %w: tile<f32>) {\n%both = addf %u, %w : tile<f32>\n"
             "yield %both : tile<f32>\n}" +
             at("r");
  EXPECT_EQ(reason(), "reduce reads its accumulators");
  rescaled = "";
  second += elementwise("q16", "ftof", "d", tile32 + " -> " + tile16); // it is not only carried
  EXPECT_EQ(reason(), "");
}

TEST_F(PlanDelays, accumulatorsAreNotReadBeforeTheFirstProduct) {
  first = twice("t", "acc");
  second = product("d", "l", "v", "t");
  EXPECT_EQ(reason(), "its accumulators are rescaled, or its lhs is computed, before mmaf");
}

TEST_F(PlanDelays, lhsComesFromElementsOf32Bits) {
  between = elementwise("narrow", "ftof", "scores", tile32 + " -> " + tile16);
  lhs = elementwise("l", "addf", "narrow, %narrow", tile16);
  EXPECT_EQ(reason(), "lhs is not computed from elements of 32 bits");
}

TEST_F(PlanDelays, lhsIsComputedInTheIteration) {
  lhs = "";
  scores += elementwise("l", "ftof", "scores", tile32 + " -> " + tile16);
  EXPECT_EQ(firstReader(), "l");
  const std::string reduced = "%m = permute %p0 [0, 1] : " + tile16 + " -> " + tile16 + at("m");
  between = elementwise("p0", "ftof", "scores", tile32 + " -> " + tile16) + reduced;
  second = product("d", "m", "v", "acc");
  EXPECT_EQ(reason(), "lhs is not computed by an elementwise operation of the iteration");
}

TEST_F(PlanDelays, nothingBetweenThemCompletesProducts) {
  between = "%t = print_tko \"here\" -> token" + at("t");
  EXPECT_EQ(reason(), "print_tko is between the products");
  between = "%s1 = if %if -> (" + tile32 + ") {\n" + twice("more", "scores") +
            "yield %more : " + tile32 + "\n} else {\nyield %scores : " + tile32 + "\n}" + at("if");
  lhs = elementwise("l", "ftof", "s1", tile32 + " -> " + tile16);
  EXPECT_EQ(firstReader(), "l");
}

TEST_F(PlanDelays, aProducerCopiesRhs) {
  loadOfRhs = load("v", "b", "%zero, %i");
  loadOfRhs.insert(loadOfRhs.find(" : "), " optimization_hints = <sm_90 = {allow_tma = false}>");
  EXPECT_EQ(reason(), "all threads copy its rhs");
}

/// 32 registers for the accumulators of each product, and 16 for pairs of elements of lhs.
TEST_F(PlanDelays, registersSuffice) {
  delayedRegisters = 80;
  EXPECT_EQ(firstReader(), "l");
  delayedRegisters = 79;
  EXPECT_EQ(reason(), "accumulators and lhs take 80 registers per thread, more than 79");
  delayedRegisters = 0;
  EXPECT_EQ(reason(), "most-delayed-registers is 0");
}

/// Accumulators of both products must fit.
TEST_F(PlanDelays, delaysDecideTheNumberOfWarps) {
  EXPECT_EQ(plan().threads, 128);
  delayedRegisters = 63; // 64 accumulators of both products with 4 warps
  EXPECT_EQ(plan().threads, 256);
  delayedRegisters = 0;
  EXPECT_EQ(plan().threads, 128);
}

} // namespace
