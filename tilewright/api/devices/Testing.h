// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and helpers for the tests of launches.

#ifndef TILEWRIGHT_API_DEVICES_TESTING_H
#define TILEWRIGHT_API_DEVICES_TESTING_H

#include "tilewright/api/Launch.h"

#include <gtest/gtest.h>

namespace tilewright::api::testing {

using numerics::Element;
using numerics::Format;
using Numbers = std::vector<int32_t>;

/// Block b: x[b] += n.
inline constexpr const char addition[] = R"(cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %n : tile<i32>
    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// All blocks write x[0].
inline constexpr const char racing[] = R"(cuda_tile.module @m {
  entry @race(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %u = store_ptr_tko weak %x, %b : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// Asserts that n is 1, and prints n.
inline constexpr const char asserting[] = R"(cuda_tile.module @m {
  entry @claim(%n: tile<i32>) {
    %1 = constant <i32: 1> : tile<i32>
    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>
    assert %is, "n is one" : tile<i1>
    %t = print_tko "n = %d\n", %n : tile<i32> -> token
  }
})";

/// Prints forever.
inline constexpr const char endless[] = R"(cuda_tile.module @m {
  entry @endless() {
    loop {
      %t = print_tko "again\n" -> token
      continue
    }
  }
})";

inline Entry entryOf(const char *text) {
  return *Module::read({.useCache = false}, text, "k.mlir")->entry("");
}

inline CompileOptions on(Device device) {
  CompileOptions options;
  options.device = device;
  return options;
}

inline Kernel compile(const char *text, const CompileOptions &options) {
  auto kernel = Kernel::compile(entryOf(text), options);
  EXPECT_TRUE(kernel) << kernel.failure().message;
  return *kernel;
}

inline Array arrayOf(Numbers &numbers) {
  const int64_t shape[] = {int64_t(numbers.size())};
  return *Array::create(numbers.data(), Format::I32, shape);
}

inline Argument number(int64_t value) { return Element::integer(Format::I32, value); }

inline LaunchResult run(const Kernel &kernel, int64_t blocks, std::vector<Argument> arguments,
                        const LaunchOptions &options = {}) {
  auto launch =
      Launch::create(kernel, *runtime::Grid::create(blocks), std::move(arguments), options);
  EXPECT_TRUE(launch) << launch.failure().message;
  auto result = launch->run();
  EXPECT_TRUE(result) << result.failure().message;
  return *result;
}

/// Tests on the two devices that read and write arrays in place. Launch_test.cpp instantiates them.
class OnBoth : public ::testing::TestWithParam<Device> {};

inline std::string nameOf(const ::testing::TestParamInfo<Device> &info) {
  return info.param == Device::Cpu ? "Cpu" : "Reference";
}

} // namespace tilewright::api::testing

#endif // TILEWRIGHT_API_DEVICES_TESTING_H
