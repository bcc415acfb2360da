// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which parameters are written to, by hand, for every path of an address.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/WrittenParameters.h"

using namespace tilewright;
using namespace tilewright::analysis;

namespace {

struct Case {
  const char *about, *body;
  bool isWritten;
};

const Case cases[] = {
    {"nothing", "%t = make_token : token", false},
    {"a load", "%v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token", false},
    {"a store", "%t = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token", true},
    {"an atomic", R"(%v, %t = atomic_rmw_tko relaxed device %x, add, %one
                       : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)",
     true},
    {"a store behind an offset",
     R"(%p = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %p, %one : tile<ptr<i32>>, tile<i32> -> token)",
     true},
    {"a store elsewhere of what was loaded",
     R"(%v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
        %a = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
        %u = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token)",
     false},
    {"a view that is read",
     R"(%tv = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
        %pv = make_partition_view %tv : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
        %v, %t = load_view_tko weak %pv[%one] : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token)",
     false},
    {"a view that is written",
     R"(%tv = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
        %pv = make_partition_view %tv : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
        %v = constant <i32: 1> : tile<1xi32>
        %t = store_view_tko weak %v, %pv[%one] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token)",
     true},
    {"an address that a loop carries",
     R"(%out = for %i in (%one to %one, step %one) : tile<i32> iter_values(%p = %x) -> (tile<ptr<i32>>) {
          %t = store_ptr_tko weak %p, %one : tile<ptr<i32>>, tile<i32> -> token
          continue %p : tile<ptr<i32>>
        })",
     true},
    {"an address that comes out of a loop by a break in an if",
     R"(%yes = constant <i1: true> : tile<i1>
        %null = constant <i64: 0> : tile<i64>
        %none = int_to_ptr %null : tile<i64> -> tile<ptr<i32>>
        %out = loop iter_values(%p = %none) : tile<ptr<i32>> -> tile<ptr<i32>> {
          if %yes { break %x : tile<ptr<i32>> }
          continue %p : tile<ptr<i32>>
        }
        %t = store_ptr_tko weak %out, %one : tile<ptr<i32>>, tile<i32> -> token)",
     true},
    {"an address that becomes an integer", "%n = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>",
     true},
};

TEST(WrittenParameters, AreThoseThatAStoreCanReach) {
  for (const Case &tested : cases) {
    ParsedKernel kernel(std::string("%one = constant <i32: 1> : tile<i32>\n") + tested.body);
    const llvm::BitVector written = writtenParameters(kernel.entry());
    ASSERT_EQ(written.size(), 1u) << tested.about;
    EXPECT_EQ(written.test(0), tested.isWritten) << tested.about;
  }
}

} // namespace
