// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests trip counts (Iterations.h), which are folded to constants. The expected ones follow from
// operations, 5.2, by hand.

#include "test/support/emit/Emission.h"
#include "tilewright/emit/Iterations.h"

using namespace tilewright;
using namespace tilewright::emit;

namespace {

/// The trip count of a loop with these bounds; none if no iteration runs.
std::optional<uint64_t> tripCount(const std::string &type, const std::string &lower,
                                  const std::string &upper, const std::string &step,
                                  const std::string &sign = "") {
  auto constant = [&](const std::string &name, const std::string &value) {
    return name + " = constant <" + type + ": " + value + "> : tile<" + type + ">\n";
  };
  Emission emission(constant("%lower", lower) + constant("%upper", upper) +
                    constant("%step", step) + "for " + sign +
                    " %i in (%lower to %upper, step %step) : tile<" + type + "> { continue }\n");
  for (mlir::Operation *op : emission.kernel.operations())
    if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
      emission.define(constant);
  Iterations found =
      emitIterations(*emission.b, emission.scalars, emission.kernel.first<tile::ForOp>());
  EXPECT_EQ(folded(found.lower),
            folded(emission.scalars.of(emission.kernel.first<tile::ForOp>().getLowerBound())));
  if (!folded(found.runs))
    return std::nullopt;
  return folded(found.tripCount);
}

TEST(Iterations, theLastStepMayBeIncomplete) {
  EXPECT_EQ(tripCount("i32", "0", "9", "3"), 3u);
  EXPECT_EQ(tripCount("i32", "0", "10", "3"), 4u);
  EXPECT_EQ(tripCount("i32", "5", "6", "100"), 1u);
}

TEST(Iterations, noneRunsUnlessTheLowerBoundIsBelowTheUpper) {
  EXPECT_EQ(tripCount("i32", "4", "4", "1"), std::nullopt);
  EXPECT_EQ(tripCount("i32", "5", "4", "1"), std::nullopt);
}

TEST(Iterations, boundsAreComparedAsTheLoopReadsThem) {
  // From -128 to 127, or from 128 to 127.
  EXPECT_EQ(tripCount("i8", "-128", "127", "1"), 255u);
  EXPECT_EQ(tripCount("i8", "-128", "127", "1", "unsigned"), std::nullopt);
  // From 127 to -1, or from 127 to 255.
  EXPECT_EQ(tripCount("i8", "127", "-1", "1"), std::nullopt);
  EXPECT_EQ(tripCount("i8", "127", "-1", "1", "unsigned"), 128u);
}

TEST(Iterations, boundsMayBe64BitsApart) {
  EXPECT_EQ(tripCount("i64", "-9223372036854775808", "9223372036854775807", "1"), UINT64_MAX);
  EXPECT_EQ(tripCount("i64", "0", "-1", "2", "unsigned"), uint64_t(1) << 63);
}

TEST(Iterations, aStepOfZeroCountsAsOne) { EXPECT_EQ(tripCount("i32", "0", "7", "0"), 7u); }

} // namespace
