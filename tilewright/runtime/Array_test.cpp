// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Array.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tilewright::runtime;

TEST(Array, ZeroesAndAlignsStableMemory) {
  auto made = Array::zeros({'f', 4}, {3, 5});
  ASSERT_TRUE(made) << made.failure().message;
  const uint8_t *address = made->bytes().data();
  Array array = std::move(*made);
  EXPECT_EQ(array.bytes().data(), address);
  EXPECT_EQ(uintptr_t(address) % 64, 0u);
  EXPECT_EQ(array.elementCount(), 15);
  ASSERT_EQ(array.bytes().size(), 60u);
  EXPECT_TRUE(std::ranges::all_of(array.bytes(), [](uint8_t byte) { return byte == 0; }));
}

TEST(Array, RankZeroHasOneElement) {
  auto array = Array::zeros({'i', 8}, {});
  ASSERT_TRUE(array);
  EXPECT_EQ(array->elementCount(), 1);
  EXPECT_EQ(array->bytes().size(), 8u);
}

TEST(Array, EmptyArrayHasAddress) {
  auto array = Array::uninitialized({'u', 2}, {4, 0});
  ASSERT_TRUE(array);
  EXPECT_EQ(array->elementCount(), 0);
  EXPECT_NE(array->bytes().data(), nullptr);
}

TEST(Array, RejectsInvalidShapes) {
  const auto refusal = [](Dtype dtype, std::vector<int64_t> shape) {
    auto array = Array::zeros(dtype, std::move(shape));
    return array ? "" : array.failure().message;
  };
  const int64_t two40 = int64_t(1) << 40;
  EXPECT_EQ(refusal({'f', 4}, {2, -1}), "shape (2, -1) has a negative extent");
  EXPECT_EQ(refusal({'f', 4}, {two40, two40}),
            "shape (1099511627776, 1099511627776) has more than 2^63 - 1 elements");
  // The number of elements fits, because a zero hides the product, but strides would overflow.
  EXPECT_EQ(refusal({'f', 4}, {0, two40, two40}),
            "shape (0, 1099511627776, 1099511627776) has more than 2^63 - 1 elements");
  EXPECT_EQ(refusal({'f', 8}, {int64_t(1) << 61}),
            "an array of shape (2305843009213693952,) and dtype <f8 has more than 2^63 - 1 bytes");
  EXPECT_EQ(refusal({'u', 1}, {INT64_MAX})
                .find("an array of shape (9223372036854775807,) and dtype "
                      "|u1 needs 9223372036854775807 bytes, but this "
                      "machine has "),
            0u);
  EXPECT_EQ(refusal({'u', 1}, std::vector<int64_t>(65, 1)),
            "a shape may have at most 64 dimensions, but this one has 65");
}

TEST(Array, PrintsShapesAndDtypesLikeNumPy) {
  const std::vector<int64_t> matrix{2, 3}, vector{7};
  EXPECT_EQ(toString(matrix), "(2, 3)");
  EXPECT_EQ(toString(vector), "(7,)");
  EXPECT_EQ(toString(std::span<const int64_t>{}), "()");
  EXPECT_EQ(toString(Dtype{'f', 2}), "<f2");
  EXPECT_EQ(toString(Dtype{'b', 1}), "|b1");
  EXPECT_EQ(toString(Dtype{'V', 2}), "|V2");
}

TEST(Array, RowMajorStridesAreInElements) {
  const std::vector<int64_t> shape{2, 3, 5};
  EXPECT_EQ(rowMajorStrides(shape), (std::vector<int64_t>{15, 5, 1}));
  EXPECT_TRUE(rowMajorStrides({}).empty());
}
