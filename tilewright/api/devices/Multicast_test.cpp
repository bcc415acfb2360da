// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests multicast arguments: one address that stands for several arrays.

#include "tilewright/api/devices/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

/// sum = the sum of all copies of x, which is also stored to all copies.
constexpr const char folding[] = R"(cuda_tile.module @m {
  entry @fold(%x: tile<ptr<i32, multicast>>, %sum: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1], multicast>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>
    %r, %t = multimem_load_reduce_view_tko weak %view[%0], add : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> tile<4xi32>, token
    %ts = make_tensor_view %sum, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %vs = make_partition_view %ts : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vs[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %t2 = multimem_store_view_tko weak %r, %view[%0] token = %t : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> token
  }
})";

TEST_P(OnBoth, CombinesAndWritesAllCopiesOfMulticastMemory) {
  const Kernel kernel = compile(folding, on(GetParam()));
  Numbers a{1, 2, 3, 4}, b{10, 20, 30, 40}, c{100, 200, 300, 400}, sum(4);
  const Multicast all{{arrayOf(a), arrayOf(b), arrayOf(c)}};
  EXPECT_EQ(run(kernel, 1, {all, arrayOf(sum)}).outcome, Outcome::Succeeded);
  const Numbers expected{111, 222, 333, 444};
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(a, expected);
  EXPECT_EQ(b, expected);
  EXPECT_EQ(c, expected);
  // A plain array counts as a single copy.
  EXPECT_EQ(run(kernel, 1, {arrayOf(a), arrayOf(sum)}).outcome, Outcome::Succeeded);
  EXPECT_EQ(sum, expected);
}

TEST_P(OnBoth, RefusesArraysThatAreNoCopies) {
  const Kernel kernel = compile(folding, on(GetParam()));
  Numbers a(4), b(5);
  const auto why = [&](Multicast multicast) {
    auto launch = Launch::create(kernel, *runtime::Grid::create(1), {multicast, arrayOf(a)});
    return launch ? "" : launch.failure().message;
  };
  EXPECT_NE(why({}).find("multicast memory stands for at least one array, but there is none"),
            std::string::npos)
      << why({});
  const Multicast unlike{{arrayOf(a), arrayOf(b)}};
  EXPECT_NE(why(unlike).find("the arrays of multicast memory must be of one format and size, but "
                             "one is 4xi32 and one 5xi32"),
            std::string::npos)
      << why(unlike);
  float f[4];
  const int64_t four[] = {4};
  const Multicast other{{*Array::create(f, Format::F32, four)}};
  EXPECT_NE(why(other).find("expected an array of i32, but got multicast memory of f32"),
            std::string::npos)
      << why(other);
}

TEST(Multicast, NamesTheCopyOfAFinding) {
  const Kernel kernel = compile(folding, on(Device::Reference));
  Numbers a(4), b(4), sum(4);
  const LaunchResult result = run(kernel, 2, {Multicast{{arrayOf(a), arrayOf(b)}}, arrayOf(sum)});
  ASSERT_EQ(result.outcome, Outcome::Misbehaved);
  EXPECT_NE(result.findings[0].message.find("race on parameter 1, copy 0 (4xi32)[0]"),
            std::string::npos)
      << result.findings[0].message;
}

} // namespace
