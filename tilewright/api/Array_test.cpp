// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which arrays the library accepts, and which bytes of memory they cover.

#include "tilewright/api/Array.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Format;
using Numbers = std::vector<int64_t>;

alignas(64) static uint8_t memory[4096];

static std::string whyNot(void *data, Format format, const Numbers &shape,
                          const Numbers &strides = {}) {
  auto array = Array::create(data, format, shape, strides);
  return array ? "" : array.failure().message;
}

TEST(Array, CoversItsElements) {
  auto array = Array::create(memory, Format::F32, Numbers{4, 8});
  ASSERT_TRUE(array);
  EXPECT_EQ(toString(*array), "4x8xf32");
  EXPECT_EQ(array->bytes().data(), memory);
  EXPECT_EQ(array->bytes().size(), 4u * 8 * 4);
  EXPECT_EQ(Numbers(array->strides().begin(), array->strides().end()), (Numbers{8, 1}));
  EXPECT_EQ(Array::create(memory, Format::F64, Numbers{})->bytes().size(), 8u);
  EXPECT_EQ(Array::create(memory, Format::I1, Numbers{3})->bytes().size(), 3u);
  EXPECT_EQ(Array::create(memory, Format::F4E2M1FN, Numbers{2, 6})->bytes().size(), 6u);
  EXPECT_EQ(Array::create(nullptr, Format::F32, Numbers{0, 8})->bytes().size(), 0u);
}

TEST(Array, HasAnyStridesThatAreNotNegative) {
  // Column 2 of a 4x8 array; a transposed array; one element, broadcast.
  EXPECT_EQ(Array::create(memory + 8, Format::F32, Numbers{4}, Numbers{8})->bytes().size(),
            25u * 4);
  EXPECT_EQ(Array::create(memory, Format::F32, Numbers{8, 4}, Numbers{1, 8})->bytes().size(), 128u);
  EXPECT_EQ(Array::create(memory, Format::I16, Numbers{5, 5}, Numbers{0, 0})->bytes().size(), 2u);
}

TEST(Array, RefusesWhatNoKernelCanAccess) {
  EXPECT_EQ(whyNot(nullptr, Format::F32, {4}), "the address of the 4xf32 array is null");
  EXPECT_EQ(whyNot(memory + 2, Format::F32, {4}),
            "the address of the 4xf32 array is not a multiple of the size of an element");
  EXPECT_EQ(whyNot(memory, Format::I4, {4}), "i4 has no form in memory");
  EXPECT_NE(whyNot(memory, Format::F32, {-1}), "");
  EXPECT_EQ(whyNot(memory, Format::F32, {4, 4}, {4}),
            "expected a stride for each of 2 dimensions, but got 1");
  EXPECT_EQ(whyNot(memory, Format::F32, {4}, {-1}), "strides must not be negative, but are (-1,)");
  EXPECT_NE(whyNot(memory, Format::F4E2M1FN, {3}), "");
  EXPECT_NE(whyNot(memory, Format::F4E2M1FN, {2, 2}, {4, 1}), "");
  EXPECT_EQ(whyNot(memory, Format::F32, {3}, {INT64_MAX / 2}),
            "an array of shape (3,) and strides (4611686018427387903,) is larger than any memory");
}

// Elements 0 and 3 are the addresses of two arrays; element 1 is an extent, 4.
TEST(Array, LinksElementsThatAreAddresses) {
  int32_t a[4] = {}, b[4] = {};
  int64_t words[] = {int64_t(uintptr_t(a)), 4, 1, int64_t(uintptr_t(b)), 4, 1};
  Array table = *Array::create(words, Format::I64, Numbers{2, 3});
  const Array first = *Array::create(a, Format::I32, Numbers{4});
  const Array second = *Array::create(b, Format::I32, Numbers{4});
  EXPECT_TRUE(table.link(0, first));
  EXPECT_TRUE(table.link(3, second));
  ASSERT_EQ(table.links().size(), 2u);
  EXPECT_EQ(table.links()[1].element, 3);
  EXPECT_EQ(table.links()[1].target.bytes().data(), reinterpret_cast<uint8_t *>(b));

  auto whyNot = [](Array from, int64_t element, const Array &to) {
    auto linked = from.link(element, to);
    return linked ? "" : linked.failure().message;
  };
  EXPECT_EQ(whyNot(table, 3, first),
            "element 3 of the 2x3xi64 array is not the address of the 4xi32 array");
  EXPECT_EQ(whyNot(table, 6, first),
            "element 6 of the 2x3xi64 array does not exist: there are 6 in its memory");
  EXPECT_NE(whyNot(table, -1, first), "");
  EXPECT_EQ(whyNot(first, 0, second),
            "element 0 of the 4xi32 array cannot be an address: that takes an array of i64");
  table.isInitialised = false;
  EXPECT_NE(whyNot(table, 0, first), "");
}
