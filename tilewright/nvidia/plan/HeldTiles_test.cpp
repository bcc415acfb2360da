// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the register pressure of tiles against counts by hand.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/TileValues.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using analysis::ParsedKernel;

namespace {

const std::string t = " : tile<64xf32>\n";

/// A kernel with the tiles %a, %b and %c, the scalars %0, %1 and %8, and the condition %if.
std::string kernel(const std::string &body) {
  std::string text = "%0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n"
                     "%8 = constant <i32: 8> : tile<i32>\n%if = constant <i1: 1> : tile<i1>\n"
                     "%i = iota : tile<64xi32>\n";
  for (const char *tile : {"a", "b", "c"})
    text += std::string("%") + tile + " = itof %i signed : tile<64xi32> -> tile<64xf32>\n";
  return text + body;
}

int64_t sizeOf(mlir::Value tile) { return isRecomputed(tile) ? 0 : 1; }

int64_t held(const std::string &body) {
  ParsedKernel parsed(kernel(body));
  return HeldTiles(parsed.entry()).mostAtOnce(&sizeOf, parsed.entry());
}

int64_t heldInLoop(const std::string &body) {
  ParsedKernel parsed(kernel(body));
  return HeldTiles(parsed.entry()).mostAtOnce(&sizeOf, parsed.first<tile::ForOp>());
}

std::string print(const std::string &tile) {
  return "%t_" + tile + " = print_tko \"%f\", %" + tile + " : tile<64xf32> -> token\n";
}

std::string loop(const std::string &tiles, const std::string &types, const std::string &body,
                 const std::string &next) {
  return "%r:" + std::to_string(llvm::StringRef(types).count("f32")) +
         " = for %k in (%0 to %8, step %1) : tile<i32> iter_values(" + tiles + ") -> (" + types +
         ") {\n" + body + "continue " + next + " : " + types + "\n}\n";
}

const std::string two = "tile<64xf32>, tile<64xf32>",
                  three = "tile<64xf32>, tile<64xf32>, tile<64xf32>";

TEST(HeldTiles, EndWithTheirLastReaders) {
  EXPECT_EQ(held(print("a") + print("b") + print("c")), 3);
  // An elementwise result is coalesced with an operand that is dead afterwards.
  EXPECT_EQ(held("%u = exp %a" + t + "%v = exp %u" + t + print("v") + print("b") + print("c")), 3);
  EXPECT_EQ(held("%u = exp %a" + t + print("a") + print("u") + print("b") + print("c")), 4);
  EXPECT_EQ(held("%u = addf %a, %b" + t + "%v = exp %u" + t + "%w = exp %u" + t + print("v") +
                 print("w") + print("c")),
            3);
}

TEST(HeldTiles, RepeatedElementsAreThoseOfTheirSource) {
  const std::string column = "%p0 = reshape %a : tile<64xf32> -> tile<64x1xf32>\n"
                             "%p = broadcast %p0 : tile<64x1xf32> -> tile<64x64xf32>\n",
                    square = " : tile<64x64xf32>\n";
  // The column, and two products with it, in either order of the operands.
  for (const char *operands : {"%p, %q", "%q, %p"})
    EXPECT_EQ(held(column +
                   "%f = itof %i signed : tile<64xi32> -> tile<64xf32>\n"
                   "%f0 = reshape %f : tile<64xf32> -> tile<1x64xf32>\n"
                   "%q = broadcast %f0 : tile<1x64xf32> -> tile<64x64xf32>\n"
                   "%u = mulf " +
                   operands + square + "%v = addf " + operands + square + "%w = addf %u, %v" +
                   square + "%s = print_tko \"%f\", %w : tile<64x64xf32> -> token\n"),
              4)
        << operands;
}

TEST(HeldTiles, LoopsCarryInPlace) {
  const std::string after = "%w = exp %r#0" + t + print("w"), one = "tile<64xf32>";
  EXPECT_EQ(heldInLoop(loop("%u = %a", one, "%v = exp %u" + t, "%v") + after), 1);
  // The loop reads its initial value in each iteration.
  EXPECT_EQ(heldInLoop(loop("%u = %a", one, "%v = addf %u, %a" + t, "%v") + after), 2);
  EXPECT_EQ(heldInLoop(loop("%u = %a", one, "%v = addf %u, %b" + t + print("c"), "%v")), 3);
  // The sum is coalesced with its first operand.
  EXPECT_EQ(heldInLoop(loop("%u = %a", one, "%e = exp %b" + t + "%v = addf %e, %u" + t, "%v")), 3);
}

TEST(HeldTiles, ThatChangePlacesAreApart) {
  EXPECT_EQ(heldInLoop(loop("%u = %a, %v = %b, %w = %c", three, "%n = exp %u" + t, "%v, %w, %n")),
            3);
  EXPECT_EQ(
      heldInLoop(loop("%u = %a, %v = %b", two, "%m = exp %u" + t + "%n = exp %v" + t, "%n, %m")),
      2);
}

TEST(HeldTiles, BranchesYieldInPlace) {
  auto branches = [](const std::string &then, const std::string &otherwise) {
    return "%r:2 = if %if -> (tile<64xf32>, tile<64xf32>) {\n" + then + "} else {\n" + otherwise +
           "}\n%s = addf %r#0, %r#1" + t + print("s") + print("c");
  };
  const std::string yield = "yield %u, %v : " + two + "\n";
  const std::string both = "%u = exp %a" + t + "%v = exp %b" + t + yield;
  EXPECT_EQ(held(branches(both, "yield %a, %b : " + two + "\n")), 3);
  EXPECT_EQ(held(branches(both, "yield %b, %a : " + two + "\n")), 3);
  // A result in one branch is not coalesced with a tile that is read after both.
  EXPECT_EQ(held(branches(both, "yield %a, %b : " + two + "\n") + print("a")), 4);
}

} // namespace
