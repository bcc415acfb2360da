// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.ld.red: minima and maxima of the loaded registers.

#include "tilewright/ptx/tcgen05/TensorTesting.h"

#include <algorithm>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

static constexpr unsigned columns = 16, split = 8;

/// Values with zeros of both signs, subnormal numbers, infinities and NaNs; some rows have only
/// NaNs.
static Words valuesOf() {
  static constexpr uint32_t odd[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                     0xFF800000, 0x7FC12345, 0xFFC00001, 1,          0x80000001,
                                     0x7F7FFFFF, 0xC0400000, 0x40490FDB, 0x12345678, 0x92345678};
  Words values(128 * columns);
  uint32_t state = 1;
  for (size_t at = 0; at < values.size(); ++at) {
    state = state * 1664525 + 1013904223;
    const size_t row = at / columns;
    values[at] = row % 9 == 8   ? 0x7FC00000 + uint32_t(at)
                 : row % 3 == 0 ? odd[state >> 16 & 1] // zeros
                                : odd[(state >> 16) % std::size(odd)];
  }
  return values;
}

/// An order of the bits: as the type compares them.
static int64_t keyOf(const std::string &type, uint32_t bits) {
  if (type == "u32")
    return bits;
  if (type == "s32")
    return int32_t(bits);
  const int64_t size = bits & 0x7FFFFFFF;
  return bits >> 31 ? -1 - size : size;
}

static bool isNan(uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

static uint32_t expected(const std::string &operation, bool isAbsolute, bool keepsNan,
                         const std::string &type, Words values) {
  if (isAbsolute)
    for (uint32_t &value : values)
      value &= 0x7FFFFFFF;
  if (type == "f32") {
    const size_t all = values.size();
    std::erase_if(values, isNan);
    if (values.empty() || (keepsNan && values.size() < all))
      return 0x7FFFFFFF;
  }
  const auto isLess = [&](uint32_t a, uint32_t b) { return keyOf(type, a) < keyOf(type, b); };
  return operation == "min" ? *std::min_element(values.begin(), values.end(), isLess)
                            : *std::max_element(values.begin(), values.end(), isLess);
}

static std::string kernelOf(const std::string &load) {
  return allocation(32) + input(columns) + "tcgen05.st.sync.aligned.32x32b.x16.b32 [%r5], " +
         registerList("%v", columns) + ";\ntcgen05.wait::st.sync.aligned;\n" + load +
         "tcgen05.wait::ld.sync.aligned;\n";
}

/// The registers of each thread, and the reduced one behind them.
static void check(bool isSplit, unsigned count, const std::string &operation, bool isAbsolute,
                  bool keepsNan, const std::string &type) {
  const std::string modifiers = std::string(isSplit ? "16x32bx2" : "32x32b") + ".x" +
                                std::to_string(count) + "." + operation +
                                (isAbsolute ? ".abs" : "") + (keepsNan ? ".NaN" : "") + "." + type;
  const std::string load = "tcgen05.ld.red.sync.aligned." + modifiers + " " +
                           registerList("%v", count) + ", %v" + std::to_string(count) + ", [%r5]" +
                           (isSplit ? ", " + std::to_string(split) : "") + ";\n";
  const Words values = valuesOf(),
              found = tensorResult(kernelOf(load) + output(count + 1) + release(32), values,
                                   128 * (count + 1));
  for (unsigned thread = 0; thread < 128; ++thread) {
    const unsigned lane = isSplit ? thread / 32 * 32 + thread % 16 : thread;
    const unsigned first = isSplit && thread % 32 >= 16 ? split : 0;
    const auto begin = values.begin() + lane * columns + first;
    const Words loaded(begin, begin + count);
    const auto row = found.begin() + long(thread * (count + 1));
    ASSERT_EQ(Words(row, row + count), loaded) << modifiers;
    ASSERT_EQ(row[count], expected(operation, isAbsolute, keepsNan, type, loaded))
        << modifiers << " thread " << thread;
  }
}

TEST(TensorLoadReduction, ReducesAllTypes) {
  for (bool isSplit : {false, true})
    for (const char *operation : {"min", "max"}) {
      for (unsigned count : {2u, 4u, 8u})
        for (const char *type : {"u32", "s32", "f32"})
          check(isSplit, count, operation, false, false, type);
      check(isSplit, 8, operation, true, false, "f32");
      check(isSplit, 8, operation, false, true, "f32");
      check(isSplit, 8, operation, true, true, "f32");
    }
}

TEST(TensorLoadReduction, NeedsWait) {
  const std::string form = "tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32 {%v0, %v1}, %v2, ",
                    load = form + "[%r5];\n";
  const auto found = [](const std::string &code) {
    const std::string text = tensorFinding(code + release(32), valuesOf());
    return text.substr(0, text.find(" @ "));
  };
  EXPECT_EQ(found(kernelOf(load) + output(3)), "nothing");
  EXPECT_EQ(
      found(kernelOf(load + "add.f32 %v3, %v2, %v2;\n" + load)),
      "tcgen05: a register of a tcgen05.ld is used, and no tcgen05.wait::ld is executed before "
      "the next tcgen05.ld or the end");
  // One undefined register makes the result undefined.
  EXPECT_EQ(found(kernelOf(form + "[%r5+15];\n") +
                  "mul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd3, %rd3, %rd1;\nst.global.b32 [%rd3], "
                  "%v2;\n"),
            "undefined-value: a value that is not defined is written to parameter 0");
}

TEST(TensorLoadReduction, RefusesByName) {
  for (const char *code :
       {"32x32b.x1.min.f32 {%r1}, %r3, [%r4];", "32x32b.x2.min.abs.s32 {%r1, %r2}, %r3, [%r4];",
        "32x32b.x2.min.b32 {%r1, %r2}, %r3, [%r4];", "32x32b.x2.add.u32 {%r1, %r2}, %r3, [%r4];",
        "32x32b.x2.pack::16b.min.u32 {%r1, %r2}, %r3, [%r4];",
        "16x64b.x2.min.u32 {%r1, %r2}, %r3, [%r4];"}) {
    const std::string line = std::string("tcgen05.ld.red.sync.aligned.") + code;
    EXPECT_NE(refusalOf(line), "") << line;
  }
  EXPECT_NE(refusalOf("tcgen05.st.red.sync.aligned.32x32b.x2.min.f32 [%r4], {%r1, %r2};"), "");
}
