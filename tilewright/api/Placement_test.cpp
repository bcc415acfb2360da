// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests arrays that overlap, arrays that hold addresses of other arrays, and bare addresses.

#include "tilewright/api/Launch.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
using numerics::Format;
using Numbers = std::vector<int32_t>;
using Shape = std::vector<int64_t>;

namespace {

/// Block b: y[b] = x[b] + 1.
constexpr const char successor[] = R"(cuda_tile.module @m {
  entry @successor(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %from = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %1 : tile<i32>
    %to = offset %y, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %u = store_ptr_tko weak %to, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// x[b] = 1.0, then n[0] = y[0], where y is i32.
constexpr const char reinterpreting[] = R"(cuda_tile.module @m {
  entry @bits(%x: tile<ptr<f32>>, %y: tile<ptr<i32>>, %n: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %one = constant <f32: 1.0> : tile<f32>
    %to = offset %x, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %t = store_ptr_tko weak %to, %one : tile<ptr<f32>>, tile<f32> -> token
    %bits, %u = load_ptr_tko weak %y token=%t : tile<ptr<i32>> -> tile<i32>, token
    %v = store_ptr_tko weak %n, %bits token=%u : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// The parameter is a table of records with three words each: address, extent, stride. Block b adds
/// 1 to element `at` of the array of record b, and stores b + 1 in the word `word` of the table
/// unless that is negative.
constexpr const char listing[] = R"(cuda_tile.module @m {
  entry @list(%table: tile<ptr<i64>>, %at: tile<i32>, %word: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %3 = constant <i32: 3> : tile<i32>
    %record = muli %b, %3 : tile<i32>
    %entry = offset %table, %record : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %bits, %t = load_ptr_tko weak %entry : tile<ptr<i64>> -> tile<i64>, token
    %array = int_to_ptr %bits : tile<i64> -> tile<ptr<i32>>
    %p = offset %array, %at : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %u = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %1 : tile<i32>
    %v = store_ptr_tko weak %p, %new token=%u : tile<ptr<i32>>, tile<i32> -> token
    %writes = cmpi greater_than_or_equal %word, %0, signed : tile<i32> -> tile<i1>
    if %writes {
      %q = offset %table, %word : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %next = addi %b, %1 : tile<i32>
      %wide = exti %next signed : tile<i32> -> tile<i64>
      %w = store_ptr_tko weak %q, %wide token=%v : tile<ptr<i64>>, tile<i64> -> token
    }
  }
})";

/// Assumes that x is divisible by 16, and y by 32.
constexpr const char assuming[] = R"(cuda_tile.module @m {
  entry @assume(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %p = assume div_by<16>, %x : tile<ptr<i32>>
    %q = assume div_by<32>, %y : tile<ptr<i32>>
    %n, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %u = store_ptr_tko weak %q, %n token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
})";

Kernel compile(const char *text, Device device) {
  auto module = Module::read({.useCache = false}, text, "k.mlir");
  EXPECT_TRUE(module) << module.failure().message;
  CompileOptions options;
  options.device = device;
  auto kernel = Kernel::compile(*module->entry(""), options);
  EXPECT_TRUE(kernel) << kernel.failure().message;
  return *kernel;
}

Array arrayOf(void *data, Format format, const Shape &shape, const Shape &strides = {}) {
  auto array = Array::create(data, format, shape, strides);
  EXPECT_TRUE(array) << array.failure().message;
  return *array;
}

Argument number(int64_t value) { return Element::integer(Format::I32, value); }

LaunchResult run(const Kernel &kernel, int64_t blocks, std::vector<Argument> arguments) {
  auto launch = Launch::create(kernel, *runtime::Grid::create(blocks), std::move(arguments));
  EXPECT_TRUE(launch) << launch.failure().message;
  auto result = launch->run();
  EXPECT_TRUE(result) << result.failure().message;
  return *result;
}

std::string whyNot(const Kernel &kernel, std::vector<Argument> arguments) {
  auto launch = Launch::create(kernel, *runtime::Grid::create(1), std::move(arguments));
  if (!launch)
    return launch.failure().message;
  auto result = launch->run();
  return result ? "" : result.failure().message;
}

class Placed : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Placement, Placed,
                         testing::Values(Device::Cpu, Device::Reference, Device::Ptx),
                         [](const auto &info) {
                           return info.param == Device::Cpu         ? "Cpu"
                                  : info.param == Device::Reference ? "Reference"
                                                                    : "Ptx";
                         });

//===-- Overlapping arrays ------------------------------------------------------------------===//

TEST_P(Placed, RunsOnArraysThatOverlapInPart) {
  Numbers data = {10, 20, 30, 40, 50, 60};
  const Array x = arrayOf(data.data() + 2, Format::I32, {4}),
              y = arrayOf(data.data(), Format::I32, {4});
  EXPECT_EQ(run(compile(successor, GetParam()), 1, {x, y}).outcome, Outcome::Succeeded);
  EXPECT_EQ(data, (Numbers{31, 20, 30, 40, 50, 60}));
  EXPECT_EQ(run(compile(successor, GetParam()), 2, {y, y}).outcome, Outcome::Succeeded);
  EXPECT_EQ(data, (Numbers{32, 21, 30, 40, 50, 60}));
}

TEST_P(Placed, RunsOnTheSameMemoryWithTwoFormats) {
  alignas(16) int32_t data[4] = {}, n = 0;
  EXPECT_EQ(run(compile(reinterpreting, GetParam()), 1,
                {arrayOf(data, Format::F32, {2, 2}), arrayOf(data, Format::I32, {4}),
                 arrayOf(&n, Format::I32, {1})})
                .outcome,
            Outcome::Succeeded);
  EXPECT_EQ(n, 0x3F800000); // 1.0
}

TEST(Placement, ReportsARaceBetweenArraysThatOverlap) {
  Numbers data(5);
  const LaunchResult result =
      run(compile(successor, Device::Reference), 2,
          {arrayOf(data.data(), Format::I32, {4}), arrayOf(data.data() + 1, Format::I32, {4})});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "race");
  EXPECT_EQ(result.findings[0].array, "parameters 1 (4xi32) and 2 (4xi32)");
  EXPECT_EQ(result.findings[0].arrayElement, 1); // y[0] of block 0, x[1] of block 1
}

TEST(Placement, NamesArraysThatAreTheSame) {
  Numbers data(4);
  const Array x = arrayOf(data.data(), Format::I32, {4});
  const LaunchResult result = run(compile(successor, Device::Reference), 5, {x, x});
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "bounds");
  EXPECT_NE(result.findings[0].message.find("just past the end of parameters 1 and 2 (4xi32), 16 "
                                            "bytes at"),
            std::string::npos)
      << result.findings[0].message;
}

TEST(Placement, CountsBytesWhereFormatsDiffer) {
  alignas(16) int32_t data[4] = {}, n = 0;
  const LaunchResult result =
      run(compile(reinterpreting, Device::Reference), 2,
          {arrayOf(data, Format::F32, {4}), arrayOf(data + 1, Format::I32, {3}),
           arrayOf(&n, Format::I32, {1})});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_FALSE(result.findings.empty());
  // y[0], which block 0 reads, is x[1], which block 1 writes.
  EXPECT_EQ(result.findings[0].array, "parameters 1 (4xf32) and 2 (3xi32)");
  EXPECT_EQ(result.findings[0].arrayElement, 4);
  EXPECT_NE(result.findings[0].message.find("2 (3xi32)[byte 4]"), std::string::npos)
      << result.findings[0].message;
}

static Array named(Array array, const char *name) {
  array.name = name;
  return array;
}

/// The array that the first finding is about, or just past the end of which it accesses memory.
static std::string firstArrayOf(const LaunchResult &result) {
  if (result.findings.empty())
    return "no finding";
  const Finding &finding = result.findings[0];
  if (!finding.array.empty())
    return finding.array;
  const std::string before = "just past the end of ";
  const size_t at = finding.message.find(before) + before.size();
  return finding.message.substr(at, finding.message.find("),", at) + 1 - at);
}

TEST(Placement, CallsArraysByTheirNames) {
  Numbers data(8);
  const Kernel kernel = compile(successor, Device::Reference);
  const auto at = [&](int first, int64_t count, const char *name) {
    return named(arrayOf(data.data() + first, Format::I32, {count}), name);
  };
  // Block 4 is past the end of both arrays. The load from x comes first.
  EXPECT_EQ(firstArrayOf(run(kernel, 5, {at(0, 4, "array x"), at(4, 4, "array y")})),
            "array x (4xi32)");
  EXPECT_EQ(firstArrayOf(run(kernel, 5, {at(0, 4, "array x"), at(0, 4, "array y")})),
            "array x and array y (4xi32)");
  EXPECT_EQ(firstArrayOf(run(kernel, 2, {at(0, 4, "array x"), at(1, 4, "")})),
            "array x (4xi32) and parameter 2 (4xi32)");
}

// One array has elements 0 and 2 of the memory, the other 1 and 3: they share no element.
TEST(Placement, LetsArraysInterleave) {
  Numbers data = {1, 2, 3, 4};
  const Array even = arrayOf(data.data(), Format::I32, {2}, {2});
  const Array odd = arrayOf(data.data() + 1, Format::I32, {2}, {2});
  EXPECT_EQ(run(compile(successor, Device::Reference), 1, {even, odd}).outcome, Outcome::Succeeded);
  EXPECT_EQ(data, (Numbers{1, 2, 3, 4}));
}

TEST(Placement, KeepsArraysApartThatOnlyTouch) {
  Numbers data(8);
  const LaunchResult result =
      run(compile(successor, Device::Reference), 5,
          {arrayOf(data.data(), Format::I32, {4}), arrayOf(data.data() + 4, Format::I32, {4})});
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "bounds");
}

TEST(Placement, RefusesOverlapOfWhatIsInitialisedAndWhatIsNot) {
  Numbers data(8);
  Array unwritten = arrayOf(data.data() + 2, Format::I32, {4});
  unwritten.isInitialised = false;
  const Array x = arrayOf(data.data(), Format::I32, {4});
  EXPECT_EQ(whyNot(compile(successor, Device::Reference), {x, unwritten}),
            "kernel @successor: parameters 1 and 2: these arrays overlap, but only one of them is "
            "initialised; only device cpu accepts that");
  EXPECT_EQ(whyNot(compile(successor, Device::Cpu), {x, unwritten}), "");
  const Array empty = arrayOf(data.data() + 2, Format::I32, {0});
  Array all = arrayOf(data.data(), Format::I32, {8});
  EXPECT_EQ(run(compile(successor, Device::Reference), 1, {all, empty}).findings.size(), 1u)
      << "the empty array has no element to write";
}

//===-- Alignment ---------------------------------------------------------------------------===//

TEST(Placement, ReportsAssumptionsThatTheHostViolates) {
  alignas(64) int32_t data[64] = {}, other[64] = {};
  const Kernel kernel = compile(assuming, Device::Reference);
  auto violations = [&](int32_t *x, int32_t *y) {
    int count = 0;
    for (const Finding &finding :
         run(kernel, 1, {arrayOf(x, Format::I32, {16}), arrayOf(y, Format::I32, {16})}).findings)
      count += finding.rule == "assumption";
    return count;
  };
  EXPECT_EQ(violations(data, other), 0);
  EXPECT_EQ(violations(data + 1, other), 1) << "4 bytes behind a multiple of 16";
  EXPECT_EQ(violations(data + 4, other), 0);
  // Adjacent arrays in the same memory: 16 and 32 bytes from its start.
  EXPECT_EQ(violations(data + 4, data + 8), 0);
  EXPECT_EQ(violations(data + 4, data + 12), 1) << "48 is not divisible by 32";
}

//===-- Links -------------------------------------------------------------------------------===//

struct List {
  Numbers a = {1, 2, 3, 4}, b = {10, 20};
  std::vector<int64_t> words = {int64_t(uintptr_t(a.data())), 4, 1,
                                int64_t(uintptr_t(b.data())), 2, 1};

  Array table() {
    Array table = arrayOf(words.data(), Format::I64, {2, 3});
    EXPECT_TRUE(table.link(0, arrayOf(a.data(), Format::I32, {4})));
    EXPECT_TRUE(table.link(3, arrayOf(b.data(), Format::I32, {2})));
    return table;
  }
};

TEST_P(Placed, FollowsLinks) {
  List list;
  const std::vector<int64_t> before = list.words;
  EXPECT_EQ(run(compile(listing, GetParam()), 2, {list.table(), number(1), number(-1)}).outcome,
            Outcome::Succeeded);
  EXPECT_EQ(list.a, (Numbers{1, 3, 3, 4}));
  EXPECT_EQ(list.b, (Numbers{10, 21}));
  EXPECT_EQ(list.words, before);
}

TEST_P(Placed, CopiesBackWhatIsWrittenBesideAddresses) {
  List list;
  EXPECT_EQ(run(compile(listing, GetParam()), 1, {list.table(), number(0), number(4)}).outcome,
            Outcome::Succeeded);
  EXPECT_EQ(list.words[4], 1);
  EXPECT_EQ(list.words[3], int64_t(uintptr_t(list.b.data())));
  EXPECT_EQ(list.a[0], 2);
}

TEST(Placement, ChecksAccessesThroughLinks) {
  List list;
  const LaunchResult result =
      run(compile(listing, Device::Reference), 2, {list.table(), number(2), number(-1)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "bounds");
  EXPECT_EQ(result.findings[0].block, (std::array<int64_t, 3>{1, 0, 0}));
  EXPECT_NE(result.findings[0].message.find("just past the end of parameter 1[3] (2xi32)"),
            std::string::npos)
      << result.findings[0].message;
}

TEST(Placement, CallsLinkedArraysByTheirNames) {
  List list;
  const Kernel kernel = compile(listing, Device::Reference);
  const Array table = named(list.table(), "list xs");
  EXPECT_EQ(firstArrayOf(run(kernel, 2, {table, number(2), number(-1)})), "list xs[3] (2xi32)");
  Array other = named(arrayOf(list.words.data(), Format::I64, {2, 3}), "list xs");
  ASSERT_TRUE(other.link(0, named(arrayOf(list.a.data(), Format::I32, {4}), "xs[0]")));
  ASSERT_TRUE(other.link(3, named(arrayOf(list.b.data(), Format::I32, {2}), "xs[1]")));
  EXPECT_EQ(firstArrayOf(run(kernel, 2, {other, number(2), number(-1)})), "xs[1] (2xi32)");
  EXPECT_EQ(whyNot(kernel, {other, number(0), number(3)}).substr(0, 33),
            "the kernel overwrote list xs[3], ");
}

// Both records hold the address of the same array, so the two blocks race.
TEST(Placement, SeesRacesThroughLinks) {
  List list;
  list.words[3] = list.words[0];
  Array table = arrayOf(list.words.data(), Format::I64, {2, 3});
  const Array a = arrayOf(list.a.data(), Format::I32, {4});
  ASSERT_TRUE(table.link(0, a));
  ASSERT_TRUE(table.link(3, a));
  const LaunchResult result =
      run(compile(listing, Device::Reference), 2, {table, number(0), number(-1)});
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "race");
  EXPECT_EQ(result.findings[0].array, "parameters 1[0] and 1[3] (4xi32)");
}

TEST(Placement, RefusesToCopyBackAddresses) {
  List list;
  const std::vector<int64_t> before = list.words;
  EXPECT_EQ(whyNot(compile(listing, Device::Reference), {list.table(), number(0), number(3)}),
            "the kernel overwrote parameter 1[3], the address of an array: that cannot be "
            "copied back, because arrays have other addresses on the device");
  EXPECT_EQ(list.words, before);
}

//===-- Addresses ---------------------------------------------------------------------------===//

TEST(Placement, TakesAnAddressForCompiledCodeOnly) {
  Numbers data = {1, 0, 0};
  const Address address{data.data()};
  const Array y = arrayOf(data.data() + 1, Format::I32, {2});
  EXPECT_EQ(run(compile(successor, Device::Cpu), 1, {address, y}).outcome, Outcome::Succeeded);
  EXPECT_EQ(data, (Numbers{1, 2, 0}));
  EXPECT_EQ(whyNot(compile(successor, Device::Reference), {address, y}),
            "kernel @successor: parameter 1 of type !cuda_tile.tile<ptr<i32>>: the reference "
            "machine expected an array, whose extents it checks, but got an address");
  EXPECT_EQ(
      whyNot(compile(listing, Device::Cpu), {address, address, number(0)}),
      "kernel @list: parameter 2 of type !cuda_tile.tile<i32>: expected a scalar i32, but got "
      "an address");
}

} // namespace
