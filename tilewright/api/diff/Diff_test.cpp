// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the comparison of devices as the library offers it.

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/diff/ArrayDifference.h"
#include "tilewright/api/diff/Diff.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

TEST(Diff, ComparesDevicesAndKeepsArrays) {
  Numbers x = {1, 2, 3};
  const auto diff =
      diffKernel(entryOf(addition), *runtime::Grid::create(3), {arrayOf(x), number(4)});
  ASSERT_TRUE(diff) << diff.failure().message;
  EXPECT_EQ(diff->exitStatus, 0);
  ASSERT_EQ(diff->devices.size(), 2u);
  EXPECT_EQ(diff->devices[0].device, "cpu");
  EXPECT_EQ(diff->devices[0].verdict, Verdict::Equal);
  EXPECT_EQ(diff->devices[1].device, "ptx");
  EXPECT_EQ(x, Numbers({1, 2, 3}));
  EXPECT_EQ(diff->text, "");
}

TEST(Diff, ReportsTheOperationThatStoresAnUnexpectedElement) {
  Numbers x = {1, 2, 3}, expected = {5, 7, 7};
  DiffOptions options;
  options.devices = {{Device::Cpu}};
  options.expected = {{0, arrayOf(expected)}};
  const auto diff =
      diffKernel(entryOf(addition), *runtime::Grid::create(3), {arrayOf(x), number(4)}, options);
  ASSERT_TRUE(diff) << diff.failure().message;
  EXPECT_EQ(diff->exitStatus, 3);
  EXPECT_EQ(diff->devices[0].verdict, Verdict::Different);
  EXPECT_NE(diff->text.find("k.mlir:7:10: error: block (1, 0, 0): store_ptr_tko"),
            std::string::npos)
      << diff->text;
}

TEST(Diff, ComparesNothingIfTheKernelMisbehaves) {
  Numbers x = {0};
  const auto diff = diffKernel(entryOf(racing), *runtime::Grid::create(2), {arrayOf(x)});
  ASSERT_TRUE(diff) << diff.failure().message;
  EXPECT_EQ(diff->exitStatus, 3);
  ASSERT_EQ(diff->devices.size(), 1u);
  EXPECT_EQ(diff->devices[0].verdict, Verdict::Misbehaved);
}

TEST(Diff, RejectsExpectedArraysOfAnotherShape) {
  Numbers x = {1, 2}, expected = {1};
  DiffOptions options;
  options.expected = {{0, arrayOf(expected)}};
  const auto diff =
      diffKernel(entryOf(addition), *runtime::Grid::create(2), {arrayOf(x), number(4)}, options);
  ASSERT_FALSE(diff);
  EXPECT_EQ(diff.failure().message,
            "expected array 1: expected the shape of the argument, 2xi32, but got 1xi32");
}

TEST(Diff, RejectsComparingWithNothing) {
  Numbers x = {1};
  DiffOptions options;
  options.devices = {{Device::Reference}};
  const auto diff =
      diffKernel(entryOf(addition), *runtime::Grid::create(1), {arrayOf(x), number(4)}, options);
  ASSERT_FALSE(diff);
  EXPECT_EQ(diff.failure().message, "expected a device to compare with the reference machine, or "
                                    "an expected array, but got neither");
  options.expected = {{0, arrayOf(x)}};
  EXPECT_TRUE(
      diffKernel(entryOf(addition), *runtime::Grid::create(1), {arrayOf(x), number(4)}, options));
}

Contents bytesOf(std::vector<float> numbers) {
  const auto *first = reinterpret_cast<const uint8_t *>(numbers.data());
  return {{first, first + numbers.size() * sizeof(float)}};
}

TEST(ArrayDifferences, AreLikeOthersUpToAFactor) {
  std::vector<float> x(2);
  const int64_t shape[] = {2};
  const std::vector<Argument> arguments = {*Array::create(x.data(), Format::F32, shape)};
  const auto isLike = [&](float found, float other) {
    const ArrayDifferences differences(arguments, bytesOf({1, 2}), bytesOf({found, 2}), {});
    return differences.areLikeThoseOf(bytesOf({other, 2}));
  };
  // Units in the last place of 1.
  const auto off = [](int units) { return 1 + float(units) * 0x1p-23f; };
  EXPECT_TRUE(isLike(off(16), off(0)));
  EXPECT_FALSE(isLike(off(17), off(2)));
  EXPECT_TRUE(isLike(off(24), off(3)));
  EXPECT_FALSE(isLike(off(25), off(-3)));
  EXPECT_FALSE(isLike(std::numeric_limits<float>::infinity(), off(3)));
}

TEST(ArrayDifferences, OfIntegersAreNoRoundings) {
  Numbers x(1);
  const std::vector<Argument> arguments = {arrayOf(x)};
  const Contents required = {{1, 0, 0, 0}}, found = {{2, 0, 0, 0}};
  const ArrayDifferences differences(arguments, required, found, {});
  EXPECT_FALSE(differences.areLikeThoseOf(found));
  EXPECT_EQ(differences.toString(),
            "parameter 1 (1xi32): 1 of 1 elements, first [0]: 2 instead of 1");
}

TEST(DiffDevices, HaveNamesWithTargets) {
  EXPECT_EQ(*DiffDevice::parse("ptx:sm_80"), (DiffDevice{Device::Ptx, "sm_80"}));
  EXPECT_EQ(DiffDevice::parse("ptx:sm_80")->name(), "ptx:sm_80");
  EXPECT_EQ(DiffDevice::parse("reference")->name(), "reference");
  EXPECT_TRUE(isOnlyReference({{Device::Reference}, {Device::Reference}}));
  EXPECT_FALSE(isOnlyReference({{Device::Reference}, {Device::Cpu}}));
  EXPECT_FALSE(isOnlyReference({})) << "the default devices";
  EXPECT_FALSE(DiffDevice::parse("reference:x"));
  EXPECT_FALSE(DiffDevice::parse("cpu:"));
}

} // namespace
