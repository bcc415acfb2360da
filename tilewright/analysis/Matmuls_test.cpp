// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which products continue loop-carried accumulation chains, and which epilogues are found,
// in hand-written kernels that differ in one line.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/Matmuls.h"

using namespace tilewright;
using namespace tilewright::analysis;

namespace {

/// A loop that carries two 4x4 tiles, with a body and code after it.
std::string loopOf(const std::string &body, const std::string &after = "") {
  return R"(
    %0 = constant <i32: 0> : tile<i32>
    %a = constant <f32: 2.0> : tile<4x4xf32>
    %i = constant <i8: 2> : tile<4x4xi8>
    %z = constant <i32: 0> : tile<4x4xi32>
    %s, %u = for %k in (%0 to %0, step %0) : tile<i32> iter_values(%c = %a, %d = %z) ->
        (tile<4x4xf32>, tile<4x4xi32>) {
  )" + body +
         "\n}\n" + after;
}

const std::string product = "%m = mmaf %a, %a, %c : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>\n";
const std::string onward = "continue %m, %d : tile<4x4xf32>, tile<4x4xi32>";

TEST(Matmuls, ContinueTheChainsOfALoop) {
  auto carried = [](const std::string &body) {
    ParsedKernel kernel(loopOf(body));
    mlir::BlockArgument found = carriedAccumulator(kernel.first<tile::MatmulOpInterface>());
    return found ? int(found.getArgNumber()) : -1;
  };
  EXPECT_EQ(carried(product + onward), 1);
  EXPECT_EQ(carried("%m = mmai %i, %i, %d signed signed : tile<4x4xi8>, tile<4x4xi8>, "
                    "tile<4x4xi32>\ncontinue %c, %m : tile<4x4xf32>, tile<4x4xi32>"),
            2);
  // The accumulator or the result has another user.
  EXPECT_EQ(carried(product + "%x1 = absf %c : tile<4x4xf32>\n" + onward), -1);
  EXPECT_EQ(carried(product + "%x1 = absf %m : tile<4x4xf32>\n" + onward), -1);
  EXPECT_EQ(carried(product + "%r = absf %m : tile<4x4xf32>\n"
                              "continue %r, %d : tile<4x4xf32>, tile<4x4xi32>"),
            -1);
  // The accumulator is also an operand, or is not loop-carried.
  EXPECT_EQ(
      carried("%m = mmaf %c, %a, %c : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>\n" + onward), -1);
  EXPECT_EQ(
      carried("%m = mmaf %c, %a, %a : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>\n" + onward), -1);
  // The product is executed only in some iterations.
  EXPECT_EQ(carried("%go = cmpi equal %k, %0, signed : tile<i32> -> tile<i1>\n"
                    "if %go {\n" +
                    product + onward + "\n}\ncontinue %a, %d : tile<4x4xf32>, tile<4x4xi32>"),
            -1);
}

TEST(Matmuls, OfTwoCarriedValuesTheOtherOne) {
  ParsedKernel kernel(R"(
    %0 = constant <i32: 0> : tile<i32>
    %a = constant <f32: 2.0> : tile<4x4xf32>
    %s, %u = for %k in (%0 to %0, step %0) : tile<i32> iter_values(%c = %a, %d = %a) ->
        (tile<4x4xf32>, tile<4x4xf32>) {
      %m = mmaf %a, %a, %c : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>
      continue %d, %m : tile<4x4xf32>, tile<4x4xf32>
    })");
  EXPECT_FALSE(carriedAccumulator(kernel.first<tile::MatmulOpInterface>()));
}

TEST(Matmuls, OutsideOfALoopContinueNothing) {
  ParsedKernel kernel("%c = constant <f32: 2.0> : tile<4x4xf32>\n%a = absf %c : tile<4x4xf32>\n" +
                      product);
  EXPECT_FALSE(carriedAccumulator(kernel.first<tile::MatmulOpInterface>()));
  EXPECT_FALSE(isMatmul(kernel.operations().front()));
}

TEST(Matmuls, EpiloguesEndInAStore) {
  auto operationsOf = [](const std::string &type, const std::string &epilogue) {
    const std::string view =
        "partition_view<tile=(" + type + "), tensor_view<4x4x4xf32, strides=[16, 4, 1]>>";
    ParsedKernel kernel(loopOf(
        product + onward, "%tf = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f32>>\n"
                          "%tv = make_tensor_view %tf, shape = [4, 4, 4], strides = [16, 4, 1] : "
                          "tensor_view<4x4x4xf32, strides=[16, 4, 1]>\n"
                          "%pv = make_partition_view %tv : " +
                              view + "\n" + epilogue +
                              "\n%t = store_view_tko weak %r, %pv[%0, %0, %0] : tile<" + type +
                              "xf32>, " + view + ", tile<i32> -> token"));
    std::optional<Epilogue> found = epilogueOf(kernel.first<tile::ForOp>()->getResult(0));
    return found ? int(found->operations.size()) : -1;
  };
  EXPECT_EQ(operationsOf("1x4x4", "%r = reshape %s : tile<4x4xf32> -> tile<1x4x4xf32>"), 1);
  EXPECT_EQ(operationsOf("1x4x4", "%b = mulf %s, %a : tile<4x4xf32>\n"
                                  "%e = absf %b : tile<4x4xf32>\n"
                                  "%r = reshape %e : tile<4x4xf32> -> tile<1x4x4xf32>"),
            3);
  // Elements move; the value has two users; one user reads it twice.
  EXPECT_EQ(operationsOf("1x2x8", "%r = reshape %s : tile<4x4xf32> -> tile<1x2x8xf32>"), -1);
  EXPECT_EQ(operationsOf("1x4x4", "%b = permute %s [1, 0] : tile<4x4xf32> -> tile<4x4xf32>\n"
                                  "%r = reshape %b : tile<4x4xf32> -> tile<1x4x4xf32>"),
            -1);
  EXPECT_EQ(operationsOf("1x4x4", "%b = absf %s : tile<4x4xf32>\n"
                                  "%r = reshape %s : tile<4x4xf32> -> tile<1x4x4xf32>"),
            -1);
  EXPECT_EQ(operationsOf("1x4x4", "%b = mulf %s, %s : tile<4x4xf32>\n"
                                  "%r = reshape %b : tile<4x4xf32> -> tile<1x4x4xf32>"),
            -1);
}

} // namespace
