// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests dependent launches, which wait with gdc_wait_tko for what the launch before them wrote
// (13.4, section 4).

#include "tilewright/api/devices/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

/// @produce: x[b] = b + 7. @consume: y[b] = 10 x[b] after a wait; @hasty: the same without a wait.
/// @fail fails, @speak prints.
constexpr const char pairs[] = R"(cuda_tile.module @m {
  entry @produce(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %begun = gdc_launch_dependents_tko -> token
    %seven = constant <i32: 7> : tile<i32>
    %v = addi %b, %seven : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %at, %v token=%begun : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @consume(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %from = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %to = offset %y, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %done = gdc_wait_tko -> token
    %v, %loaded = load_ptr_tko weak %from token=%done : tile<ptr<i32>> -> tile<i32>, token
    %r = muli %v, %ten : tile<i32>
    %t = store_ptr_tko weak %to, %r : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @hasty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %v, %loaded = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @fail(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %no = constant <i1: false> : tile<i1>
    assert %no, "never" : tile<i1>
  }
  entry @speak(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %t = print_tko "second\n" -> token
  }
  entry @other(%x: tile<ptr<i32>>, %y: tile<ptr<f32>>) {
    return
  }
})";

/// @a writes 9 to a global variable, @b prints it.
constexpr const char global[] = R"(cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32>
  entry @a() {
    %p = get_global @g : tile<ptr<i32>>
    %nine = constant <i32: 9> : tile<i32>
    %t = store_ptr_tko weak %p, %nine : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @b() {
    %p = get_global @g : tile<ptr<i32>>
    %done = gdc_wait_tko -> token
    %v, %loaded = load_ptr_tko weak %p token=%done : tile<ptr<i32>> -> tile<i32>, token
    %t = print_tko "%d\n", %v token = %loaded : tile<i32> -> token
  }
})";

Module moduleOf(const char *text) { return *Module::read({.useCache = false}, text, "k.mlir"); }

Kernel compile(const Module &module, const char *name, const CompileOptions &options) {
  auto kernel = Kernel::compile(*module.entry(name), options);
  EXPECT_TRUE(kernel) << kernel.failure().message;
  return *kernel;
}

/// Launches @first, and then @second as a dependent launch.
LaunchResult runPair(Device device, const char *first, const char *second, Numbers &x, Numbers &y,
                     LaunchOptions options = {}) {
  const Module module = moduleOf(pairs);
  options.dependent = compile(module, second, on(device));
  return run(compile(module, first, on(device)), 2, {arrayOf(x), arrayOf(y)}, options);
}

TEST_P(OnBoth, LaunchesADependentKernel) {
  Numbers x(2), y(2);
  const LaunchResult result = runPair(GetParam(), "produce", "consume", x, y);
  EXPECT_EQ(result.outcome, Outcome::Succeeded);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(y, (Numbers{70, 80}));
}

TEST_P(OnBoth, LaunchesNoDependentKernelAfterAFailure) {
  Numbers x(2), y(2);
  std::string text;
  const LaunchOptions options{.output = [&](std::string_view part) { text += part; }};
  EXPECT_EQ(runPair(GetParam(), "fail", "speak", x, y, options).outcome, Outcome::Failed);
  EXPECT_EQ(text, "");
}

TEST_P(OnBoth, ReportsAFailureOfTheDependentKernel) {
  Numbers x(2), y(2);
  const LaunchResult result = runPair(GetParam(), "produce", "fail", x, y);
  EXPECT_EQ(result.outcome, Outcome::Failed);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].kernel, "fail");
}

TEST(Dependent, RacesWithTheLaunchBeforeItUnlessItWaits) {
  Numbers x(2), y(2);
  const LaunchResult result = runPair(Device::Reference, "produce", "hasty", x, y);
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "race");
  EXPECT_EQ(result.findings[0].kernel, "hasty");
  EXPECT_EQ(result.findings[0].place.line, 21);
  EXPECT_NE(result.findings[0].message.find("of the launch before"), std::string::npos)
      << result.findings[0].message;
}

TEST(Dependent, SharesGlobalVariablesOnTheReferenceMachine) {
  const Module module = moduleOf(global);
  std::string text;
  LaunchOptions options{.output = [&](std::string_view part) { text += part; }};
  options.dependent = compile(module, "b", on(Device::Reference));
  EXPECT_EQ(run(compile(module, "a", on(Device::Reference)), 1, {}, options).outcome,
            Outcome::Succeeded);
  EXPECT_EQ(text, "9\n");
  options.dependent = compile(module, "b", on(Device::Cpu));
  auto launch =
      Launch::create(compile(module, "a", on(Device::Cpu)), *runtime::Grid::create(1), {}, options);
  ASSERT_FALSE(launch);
  EXPECT_EQ(launch.failure().message,
            "kernel @a: dependent kernel @b: compiled entries do not share global variables, and "
            "the module has @g");
}

TEST(Dependent, RefusesKernelsThatCannotFollow) {
  const Module module = moduleOf(pairs);
  Numbers x(2), y(2);
  const auto whyNot = [&](const Kernel &first, LaunchOptions options) {
    auto launch =
        Launch::create(first, *runtime::Grid::create(2), {arrayOf(x), arrayOf(y)}, options);
    return launch ? "" : launch.failure().message;
  };
  const auto kernel = [&](const char *name, Device device) {
    return compile(module, name, on(device));
  };
  const std::string place = "kernel @produce: dependent kernel @";
  const Kernel produce = kernel("produce", Device::Reference);
  EXPECT_EQ(whyNot(produce, {.dependent = kernel("consume", Device::Cpu)}),
            place + "consume: it must be for the same device");
  EXPECT_EQ(whyNot(produce, {.dependent = kernel("other", Device::Reference)}),
            place + "other: it must have the same parameters, because it runs on the same "
                    "arguments");
  EXPECT_EQ(
      whyNot(produce, {.dependent = compile(moduleOf(pairs), "consume", on(Device::Reference))}),
      place + "consume: it must be in the same module");
  EXPECT_EQ(
      whyNot(produce, {.report = Report(), .dependent = kernel("consume", Device::Reference)}),
      place + "consume: a report or a trace is of a single launch");
  EXPECT_EQ(whyNot(kernel("produce", Device::Ptx), {.dependent = kernel("consume", Device::Ptx)}),
            place + "consume: only a CPU and the reference machine have dependent launches");
  CompileOptions exhaustive = on(Device::Reference);
  exhaustive.schedule = Schedule::Exhaustive;
  EXPECT_EQ(whyNot(compile(module, "produce", exhaustive),
                   {.dependent = kernel("consume", Device::Reference)}),
            place + "consume: the exhaustive schedule has no dependent launches");
}

} // namespace
