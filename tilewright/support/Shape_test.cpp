// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares with values computed by hand, and with nested loops over every element of some shapes.

#include "tilewright/support/Shape.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tilewright::support;

using Numbers = std::vector<int64_t>;

TEST(Shape, CountsElements) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount(Numbers{7}), 7);
  EXPECT_EQ(elementCount(Numbers{2, 3, 4}), 24);
  EXPECT_EQ(elementCount(Numbers{5, 0, 3}), 0);
}

TEST(Shape, RefusesToCountBeyond63Bits) {
  const int64_t most = std::numeric_limits<int64_t>::max(), half = int64_t(1) << 62;
  EXPECT_EQ(elementCount(Numbers{most}), most);
  EXPECT_EQ(elementCount(Numbers{half, 1}), half);
  EXPECT_EQ(elementCount(Numbers{half, 2}), std::nullopt); // 2^63
  // A zero after the overflow does not help, one before it does.
  EXPECT_EQ(elementCount(Numbers{half, 2, 0}), std::nullopt);
  EXPECT_EQ(elementCount(Numbers{0, half, 2}), 0);
}

TEST(Shape, HasRowMajorStrides) {
  EXPECT_EQ(rowMajorStrides({}), Numbers());
  EXPECT_EQ(rowMajorStrides(Numbers{7}), Numbers({1}));
  EXPECT_EQ(rowMajorStrides(Numbers{2, 3, 4}), Numbers({12, 4, 1}));
  // The first extent affects no stride; dimensions with one element have a stride, too.
  EXPECT_EQ(rowMajorStrides(Numbers{9, 1, 4, 1}), Numbers({4, 4, 1, 1}));
  EXPECT_EQ(rowMajorStrides(Numbers{0, 3, 4}), Numbers({12, 4, 1}));
  EXPECT_EQ(rowMajorStrides(Numbers{2, 0, 4}), Numbers({0, 4, 1}));
}

TEST(Shape, HasOneStrideWithoutTheOthers) {
  const Numbers shape = {2, 3, 4};
  EXPECT_EQ(strideOf(shape, 0), 12);
  EXPECT_EQ(strideOf(shape, 1), 4);
  EXPECT_EQ(strideOf(shape, 2), 1);
}

TEST(Shape, NamesElements) {
  const Numbers shape = {2, 3, 4};
  EXPECT_EQ(coordinatesOf(shape, 0), Numbers({0, 0, 0}));
  EXPECT_EQ(coordinatesOf(shape, 5), Numbers({0, 1, 1}));
  EXPECT_EQ(coordinatesOf(shape, 23), Numbers({1, 2, 3}));
  EXPECT_EQ(numberOf(shape, Numbers{0, 1, 1}), 5);
  EXPECT_EQ(numberOf(shape, Numbers{1, 2, 3}), 23);
  EXPECT_EQ(coordinatesOf({}, 0), Numbers());
  EXPECT_EQ(numberOf({}, {}), 0);
}

TEST(Shape, WritesCoordinates) {
  EXPECT_EQ(coordinateText({}, 0), "");
  EXPECT_EQ(coordinateText(Numbers{8}, 3), "[3]");
  EXPECT_EQ(coordinateText(Numbers{2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(coordinateText(Numbers{2, 3, 4}, 12), "[1, 0, 0]");
}

/// Three nested loops visit the elements in row-major order, and must agree with numbers,
/// coordinates and strides.
TEST(Shape, CountsAsNestedLoopsDo) {
  for (const Numbers &shape : {Numbers{2, 3, 4}, Numbers{1, 5, 1}, Numbers{4, 1, 3}}) {
    const Numbers strides = rowMajorStrides(shape);
    int64_t next = 0;
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j)
        for (int64_t k = 0; k < shape[2]; ++k, ++next) {
          EXPECT_EQ(coordinatesOf(shape, next), Numbers({i, j, k}));
          EXPECT_EQ(numberOf(shape, Numbers{i, j, k}), next);
          EXPECT_EQ(i * strides[0] + j * strides[1] + k * strides[2], next);
        }
    EXPECT_EQ(elementCount(shape), next);
    for (size_t dim = 0; dim < 3; ++dim)
      EXPECT_EQ(strideOf(shape, dim), strides[dim]);
  }
}
