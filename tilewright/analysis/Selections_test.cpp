// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which reductions of pairs are order-free selections, with hand-written bodies.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/Selections.h"

using namespace tilewright;
using namespace tilewright::analysis;

namespace {

/// A reduction of 8 numbers and `indices`, which may use a splat `%c`, by a body that yields %r and
/// %s.
bool holds(bool (*question)(tile::ReduceOp), const std::string &body, const std::string &type,
           const std::string &indices) {
  const std::string number = "tile<" + type + ">", numbers = "tile<8x" + type + ">";
  const std::string zero = type[0] == 'f' ? "0.0" : "0";
  ParsedKernel kernel(
      "%c = constant <i32: 1> : tile<8xi32>\n" + indices + "%t = constant <" + type + ": " + zero +
      "> : " + numbers + "\n%o:2 = reduce %t, %i dim=0 identities=[" + zero + " : " + type +
      ", 0 : i32] : " + numbers + ", tile<8xi32> -> " + number + ", tile<i32> (%a: " + number +
      ", %b: " + number + ", %m: tile<i32>, %n: tile<i32>) {\n" + body +
      "\nyield %r, %s : " + number + ", tile<i32> }");
  return question(kernel.first<tile::ReduceOp>());
}

const std::string counted = "%i = iota : tile<8xi32>\n";

bool isFree(const std::string &body, const std::string &type = "f32",
            const std::string &indices = counted) {
  return holds(&isOrderFreeSelection, body, type, indices);
}

const std::string greater = "%g = cmpf greater_than ordered %a, %b : tile<f32> -> tile<i1>\n",
                  equal = "%y = cmpf equal ordered %a, %b : tile<f32> -> tile<i1>\n",
                  before = "%z = cmpi less_than %m, %n, signed : tile<i32> -> tile<i1>\n",
                  tie = "%u = andi %y, %z : tile<i1>\n", either = "%v = ori %g, %u : tile<i1>\n",
                  chosen = "%r = select %v, %a, %b : tile<i1>, tile<f32>\n"
                           "%s = select %v, %m, %n : tile<i1>, tile<i32>\n";

/// If a number is a NaN, it is neither greater nor equal: the later element is kept, so the order
/// matters.
TEST(Selections, OfNumbersDependOnTheOrderIfTheyMayBeNans) {
  EXPECT_FALSE(isFree(greater + equal + before + tie + either + chosen));
}

/// NaNs count as largest, and the first NaN wins: argmax of NumPy.
TEST(Selections, OfTheFirstLargestAreFree) {
  const std::string nans = "%p = cmpf not_equal unordered %a, %a : tile<f32> -> tile<i1>\n"
                           "%q = cmpf not_equal unordered %b, %b : tile<f32> -> tile<i1>\n"
                           "%pq = andi %p, %q : tile<i1>\n"
                           "%no = xori %pq, %p : tile<i1>\n"
                           "%xx = ori %g, %no : tile<i1>\n"
                           "%yy = ori %y, %pq : tile<i1>\n"
                           "%u = andi %yy, %z : tile<i1>\n"
                           "%v = ori %xx, %u : tile<i1>\n";
  const std::string all = greater + equal + before + nans + chosen;
  EXPECT_TRUE(isFree(all));
  EXPECT_TRUE(isFree(all, "f32", "%i0 = iota : tile<8xi32>\n%i = subi %c, %i0 : tile<8xi32>\n"));
  // Indices that repeat, or about which nothing is known.
  EXPECT_FALSE(isFree(all, "f32", "%i = constant <i32: 1> : tile<8xi32>\n"));
  EXPECT_FALSE(isFree(all, "f32", "%i = constant <i32: [3,1,4,1,5,9,2,6]> : tile<8xi32>\n"));
}

TEST(Selections, OfIntegers) {
  auto by = [](const std::string &number, const std::string &index) {
    return isFree("%g = cmpi " + number + " %a, %b, signed : tile<i16> -> tile<i1>\n" +
                      "%y = cmpi equal %a, %b, signed : tile<i16> -> tile<i1>\n" + "%z = cmpi " +
                      index + " : tile<i32> -> tile<i1>\n" + tie + either +
                      "%r = select %v, %b, %a : tile<i1>, tile<i16>\n"
                      "%s = select %v, %n, %m : tile<i1>, tile<i32>\n",
                  "i16");
  };
  EXPECT_TRUE(by("less_than", "less_than %m, %n, signed"));
  EXPECT_TRUE(by("greater_than", "greater_than %m, %n, signed"));
  // Whether one is kept depends on their order: not a choice between two pairs.
  EXPECT_FALSE(by("not_equal", "less_than %m, %n, signed"));
  EXPECT_FALSE(by("less_than", "equal %m, %n, signed"));
  // The comparisons have different signedness.
  EXPECT_FALSE(by("less_than", "less_than %m, %n, unsigned"));
}

TEST(Selections, HaveAscendingIndices) {
  const std::string body = "%g = cmpi greater_than %a, %b, signed : tile<i16> -> tile<i1>\n"
                           "%y = cmpi equal %a, %b, signed : tile<i16> -> tile<i1>\n" +
                           before + tie + either +
                           "%r = select %v, %a, %b : tile<i1>, tile<i16>\n"
                           "%s = select %v, %m, %n : tile<i1>, tile<i32>\n";
  auto ascend = [&](const std::string &indices) {
    return holds(&hasAscendingIndices, body, "i16", indices);
  };
  EXPECT_TRUE(ascend(counted));
  EXPECT_TRUE(ascend("%i0 = iota : tile<8xi32>\n%i1 = reshape %i0 : tile<8xi32> -> tile<1x8xi32>\n"
                     "%i = reshape %i1 : tile<1x8xi32> -> tile<8xi32>\n"));
  // Indices that descend, whose start is unknown so that they may wrap around, or that are a part
  // of others.
  EXPECT_FALSE(ascend("%i0 = iota : tile<8xi32>\n%i = subi %c, %i0 : tile<8xi32>\n"));
  EXPECT_FALSE(ascend("%i0 = iota : tile<8xi32>\n%i = addi %c, %i0 : tile<8xi32>\n"));
  EXPECT_FALSE(ascend("%i = constant <i32: [3,1,4,1,5,9,2,6]> : tile<8xi32>\n"));
}

/// A later element is kept if it is greater or, where NaNs count as largest, if only it is a NaN.
TEST(Selections, OfTheFirstLargestKeepALaterOneThatIsGreater) {
  const std::string nans = "%p = cmpf not_equal unordered %a, %a : tile<f32> -> tile<i1>\n"
                           "%q = cmpf not_equal unordered %b, %b : tile<f32> -> tile<i1>\n"
                           "%pq = andi %p, %q : tile<i1>\n",
                    rest = "%xx = ori %g, %no : tile<i1>\n"
                           "%yy = ori %y, %pq : tile<i1>\n"
                           "%u = andi %yy, %z : tile<i1>\n"
                           "%v = ori %xx, %u : tile<i1>\n";
  auto body = [&](const std::string &one) {
    return greater + equal + before + nans + "%no = xori %pq, " + one + " : tile<i1>\n" + rest +
           chosen;
  };
  EXPECT_TRUE(holds(
      [](tile::ReduceOp op) {
        std::optional<LaterChoice> choice = choiceOfLater(op);
        return choice && choice->ifGreater && !choice->ifEqual && !choice->ifLess &&
               choice->ifNan && !choice->ifEarlierIsNan && !choice->ifBothAreNans;
      },
      body("%p"), "f32", counted));
  EXPECT_TRUE(holds(
      [](tile::ReduceOp op) {
        std::optional<LaterChoice> choice = choiceOfLater(op);
        return choice && choice->ifGreater && !choice->ifEqual && !choice->ifLess &&
               !choice->ifNan && choice->ifEarlierIsNan && !choice->ifBothAreNans;
      },
      body("%q"), "f32", counted));
}

TEST(Selections, KeepOnePair) {
  EXPECT_FALSE(isFree(before + "%r = select %z, %a, %b : tile<i1>, tile<f32>\n"
                               "%s = select %z, %n, %m : tile<i1>, tile<i32>\n"));
  EXPECT_TRUE(isFree(before + "%r = select %z, %a, %b : tile<i1>, tile<f32>\n"
                              "%s = select %z, %m, %n : tile<i1>, tile<i32>\n"));
  EXPECT_FALSE(isFree("%z = cmpi less_than %m, %n, signed : tile<i32> -> tile<i1>\n"
                      "%r = addf %a, %b rounding<nearest_even> : tile<f32>\n"
                      "%s = select %z, %m, %n : tile<i1>, tile<i32>\n"));
}

} // namespace
