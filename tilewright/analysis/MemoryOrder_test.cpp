// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks token order against the transitive closure of random chains, and the classification of
// accesses against the specification, by hand (memory model, 3).

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/MemoryOrder.h"

#include <random>

using namespace tilewright;
using namespace tilewright::analysis;

namespace {

/// Loads, stores, joins, and operations that only order, each after one or two random earlier
/// tokens. `after[i][j]` tells whether operation i comes after operation j.
TEST(MemoryOrder, FollowsTokens) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const unsigned count = 12;
    std::string text = "%v = constant <i32: 1> : tile<i32>\n%t0 = make_token : token\n";
    std::vector<std::vector<bool>> after(count, std::vector<bool>(count, false));
    for (unsigned i = 1; i < count; ++i) {
      std::string name = "%t" + std::to_string(i);
      auto earlier = [&] {
        unsigned j = random() % i;
        after[i][j] = true;
        for (unsigned k = 0; k < j; ++k)
          after[i][k] = after[i][k] || after[j][k];
        return "%t" + std::to_string(j);
      };
      switch (random() % 8) {
      case 0:
        text += "%x" + std::to_string(i) + ", " + name +
                " = load_ptr_tko weak %x token=" + earlier() +
                " : tile<ptr<i32>> -> tile<i32>, token\n";
        break;
      case 1:
        text += name + " = store_ptr_tko weak %x, %v token=" + earlier() +
                " : tile<ptr<i32>>, tile<i32> -> token\n";
        break;
      case 2: // unordered
        text += name + " = store_ptr_tko weak %x, %v : tile<ptr<i32>>, tile<i32> -> token\n";
        break;
      case 3: // (13.4, section 5)
        text += name + " = memory_fence_alias_tko token = " + earlier() + " -> token\n";
        break;
      case 4: // (13.4, section 4)
        text += name + " = gdc_wait_tko token = " + earlier() + " -> token\n";
        break;
      case 5:
        text += name + " = gdc_launch_dependents_tko token = " + earlier() + " -> token\n";
        break;
      case 6: // without a token it is not ordered
        text += name + " = gdc_wait_tko -> token\n";
        break;
      default: {
        std::string first = earlier(), second = earlier();
        text += name + " = join_tokens " + first + ", " + second + " : token\n";
      }
      }
    }
    ParsedKernel kernel(text);
    std::vector<mlir::Operation *> operations = kernel.operations();
    operations.erase(operations.begin()); // the constant
    for (unsigned i = 0; i < count; ++i)
      for (unsigned j = 0; j < count; ++j) {
        mlir::Value token = operations[i]->getResults().back();
        EXPECT_EQ(isOrderedAfter(token, operations[j]), i == j || after[i][j])
            << text << i << " after " << j;
      }
  }
  ParsedKernel kernel("%t = make_token : token");
  EXPECT_FALSE(isOrderedAfter(nullptr, kernel.operations().front()));
}

struct Access {
  const char *text;
  bool isBarrier, seesOthers;
};

TEST(MemoryOrder, KnowsWhatAnAccessMeansForOthers) {
  const std::string before = R"(
    %0 = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<1xi32>
    %tv = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
  )";
  const std::string view = "partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>";
  const Access accesses[] = {
      {"%a, %t = load_view_tko weak %pv[%0] : VIEW, tile<i32> -> tile<1xi32>, token", false, false},
      {"%a, %t = load_view_tko relaxed device %pv[%0] : VIEW, tile<i32> -> tile<1xi32>, token",
       true, true},
      {"%a, %t = load_view_tko acquire sys %pv[%0] : VIEW, tile<i32> -> tile<1xi32>, token", true,
       true},
      {"%t = store_view_tko weak %one, %pv[%0] : tile<1xi32>, VIEW, tile<i32> -> token", true,
       false},
      {"%t = store_view_tko release device %one, %pv[%0] : tile<1xi32>, VIEW, tile<i32> -> token",
       true, false},
      {"%a, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token", true, false},
      {"%a, %t = load_ptr_tko relaxed tl_blk %x : tile<ptr<i32>> -> tile<i32>, token", true, true},
      {"%t = store_ptr_tko weak %x, %0 : tile<ptr<i32>>, tile<i32> -> token", true, false},
      {"%a, %t = atomic_rmw_tko relaxed device %x, add, %0 : tile<ptr<i32>>, tile<i32> -> "
       "tile<i32>, token",
       true, true},
      {"%a, %t = atomic_cas_tko acq_rel sys %x, %0, %0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, "
       "token",
       true, true},
      {"%t = atomic_red_view_tko relaxed device %pv[%0], add, %one : tile<1xi32>, VIEW, tile<i32> "
       "-> token",
       true, false},
      {"%t = make_token : token", false, false},
      // These order accesses but access no memory themselves.
      {"%u = make_token : token\n%t = memory_fence_alias_tko token = %u -> token", false, false},
      {"%t = gdc_wait_tko -> token", false, false},
      {"%t = gdc_launch_dependents_tko -> token", false, false},
      {"print_tko \"%d\", %0 : tile<i32> -> token", false, false},
  };
  for (const Access &access : accesses) {
    std::string text = access.text;
    if (size_t at = text.find("VIEW"); at != std::string::npos)
      text.replace(at, 4, view);
    ParsedKernel kernel(before + text);
    std::vector<mlir::Operation *> operations = kernel.operations();
    mlir::Operation *op = operations[operations.size() - 2]; // the operation before the return
    EXPECT_EQ(isBarrier(op), access.isBarrier) << text;
    EXPECT_EQ(seesOtherBlocks(op), access.seesOthers) << text;
  }
}

TEST(MemoryOrder, FindsTheFirstPollOfALoop) {
  auto poll = [](const std::string &access) {
    ParsedKernel kernel("%0 = constant <i32: 0> : tile<i32>\nloop {\n" + access +
                        "\n%go = cmpi equal %0, %0, signed : tile<i32> -> tile<i1>\n"
                        "if %go { break }\ncontinue }");
    mlir::Operation *found = firstPollIn(kernel.first<tile::LoopOp>());
    return found ? found->getName().stripDialect().str() : "";
  };
  EXPECT_EQ(poll("%t = store_ptr_tko weak %x, %0 : tile<ptr<i32>>, tile<i32> -> token"), "");
  EXPECT_EQ(poll("%v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token"), "");
  EXPECT_EQ(poll("%v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token\n"
                 "%w, %u = atomic_rmw_tko relaxed device %x, add, %0 : tile<ptr<i32>>, tile<i32> "
                 "-> tile<i32>, token"),
            "load_ptr_tko");
}

} // namespace
