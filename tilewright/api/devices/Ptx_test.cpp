// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launches on the PTX machine.

#include "tilewright/api/devices/Testing.h"

#include <chrono>
#include <future>
#include <thread>

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

/// x[0] = n. Assumes that n is a multiple of 16.
constexpr const char assuming[] = R"(cuda_tile.module @m {
  entry @assume(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %s = assume div_by<16>, %n : tile<i32>
    %u = store_ptr_tko weak %x, %s : tile<ptr<i32>>, tile<i32> -> token
  }
})";

TEST(Ptx, RunsOnArraysOfTheCaller) {
  for (const char *target : {"", "sm_80"}) {
    CompileOptions options = on(Device::Ptx);
    options.target = target;
    const Kernel kernel = compile(addition, options);
    EXPECT_EQ(kernel.device(), Device::Ptx);
    Numbers x(64, 1);
    const LaunchResult result = run(kernel, 64, {arrayOf(x), number(41)});
    EXPECT_EQ(result.outcome, Outcome::Succeeded);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_TRUE(result.counters.empty());
    EXPECT_EQ(x, Numbers(64, 42));
  }
}

TEST(Ptx, ReportsARaceAtTheLineOfTheSource) {
  Numbers x(4);
  for (Schedule schedule : {Schedule::ProgramOrder, Schedule::Random, Schedule::Reverse}) {
    CompileOptions options = on(Device::Ptx);
    options.schedule = schedule;
    const LaunchResult result = run(compile(racing, options), 2, {arrayOf(x)});
    EXPECT_EQ(result.outcome, Outcome::Misbehaved);
    ASSERT_EQ(result.findings.size(), 1u);
    const Finding &finding = result.findings[0];
    EXPECT_EQ(finding.kind, FindingKind::Misbehaviour);
    EXPECT_EQ(finding.rule, "race");
    EXPECT_EQ(finding.place.file, "k.mlir");
    EXPECT_EQ(finding.place.line, 4);
    EXPECT_EQ(finding.array, "parameter 1 (4xi32)");
    ASSERT_FALSE(finding.related.empty());
    EXPECT_EQ(finding.related[0].place.file, "<PTX of k.mlir>");
    EXPECT_EQ(x, Numbers(4)) << "what a failed launch wrote is no result";
  }
  CompileOptions options = on(Device::Ptx);
  options.checks = "no-race";
  EXPECT_EQ(run(compile(racing, options), 2, {arrayOf(x)}).outcome, Outcome::Succeeded);
}

TEST(Ptx, PrintsAndAssertsAsOtherDevices) {
  std::string printed;
  const LaunchOptions launch{.output = [&](std::string_view text) { printed += text; }};
  const Kernel kernel = compile(asserting, on(Device::Ptx));
  EXPECT_EQ(run(kernel, 2, {number(1)}, launch).outcome, Outcome::Succeeded);
  EXPECT_EQ(printed, "n = 1\nn = 1\n");
  const LaunchResult result = run(kernel, 1, {number(2)}, launch);
  EXPECT_EQ(result.outcome, Outcome::Failed);
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding &finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::FailedAssert);
  EXPECT_EQ(finding.rule, "assert");
  EXPECT_EQ(finding.place.line, 5);
  EXPECT_EQ(finding.message, "block (0, 0, 0): assertion failed: n is one");
}

TEST(Ptx, ReportsAFalseAssumption) {
  Numbers x(1);
  const Kernel kernel = compile(assuming, on(Device::Ptx));
  EXPECT_EQ(run(kernel, 1, {arrayOf(x), number(32)}).outcome, Outcome::Succeeded);
  EXPECT_EQ(x[0], 32);
  const LaunchResult result = run(kernel, 1, {arrayOf(x), number(33)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::Misbehaviour);
  EXPECT_EQ(result.findings[0].place.line, 3);
  EXPECT_EQ(x[0], 32);
}

TEST(Ptx, FailsAtTheStepLimit) {
  CompileOptions options = on(Device::Ptx);
  options.maxSteps = 1000;
  const LaunchResult result =
      run(compile(endless, options), 1, {}, {.output = [](std::string_view) {}});
  EXPECT_EQ(result.outcome, Outcome::Failed);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].kind, FindingKind::StepLimit);
}

TEST(Ptx, SeesThatArraysOverlap) {
  Numbers x{1, 2, 3, 4};
  const int64_t shape[] = {3};
  const Array tail = *Array::create(x.data() + 1, Format::I32, shape);
  constexpr const char text[] = R"(cuda_tile.module @m {
    entry @copy(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
      %old, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
      %u = store_ptr_tko weak %y, %old token=%t : tile<ptr<i32>>, tile<i32> -> token
    }
  })";
  EXPECT_EQ(run(compile(text, on(Device::Ptx)), 1, {arrayOf(x), tail}).outcome, Outcome::Succeeded);
  EXPECT_EQ(x, (Numbers{1, 1, 3, 4}));
  EXPECT_EQ(run(compile(text, on(Device::Ptx)), 1, {tail, arrayOf(x)}).outcome, Outcome::Succeeded);
}

TEST(Ptx, CountsWhatCostsTime) {
  CompileOptions options = on(Device::Ptx);
  options.counters = true;
  Numbers x(4, 1);
  const LaunchResult result = run(compile(addition, options), 4, {arrayOf(x), number(1)});
  EXPECT_EQ(x, Numbers(4, 2));
  EXPECT_NE(result.counters.find("\"source_lines\":[{"), std::string::npos) << result.counters;
  EXPECT_NE(result.counters.find("\"kernel\":\"add\""), std::string::npos) << result.counters;
}

TEST(Ptx, RefusesWhatItDoesNotHave) {
  auto whyNot = [](auto change) {
    CompileOptions options = on(Device::Ptx);
    change(options);
    auto kernel = Kernel::compile(entryOf(addition), options);
    return kernel ? std::string() : kernel.failure().message;
  };
  EXPECT_NE(whyNot([](auto &options) { options.target = "sm_1"; }).find("sm_1"), std::string::npos);
  EXPECT_EQ(whyNot([](auto &options) { options.checks = "luck"; }),
            "the PTX machine has no check 'luck'");
  EXPECT_EQ(whyNot([](auto &options) {
              options.device = Device::Cpu;
              options.counters = true;
            }),
            "only the PTX machine has counters");
  EXPECT_EQ(whyNot([](auto &options) {
              options.device = Device::Reference;
              options.schedule = Schedule::Reverse;
            }),
            "only the PTX machine runs threads in reverse order");

  Numbers x(4);
  auto refusal = [&](const char *text, std::vector<Argument> arguments) {
    auto launch = Launch::create(compile(text, on(Device::Ptx)), *runtime::Grid::create(1),
                                 std::move(arguments));
    return launch ? std::string() : launch.failure().message;
  };
  EXPECT_NE(refusal(addition, {Address{x.data()}, number(1)}).find("but got an address"),
            std::string::npos);
  EXPECT_NE(refusal(addition, {arrayOf(x)}).find("expected 2 arguments"), std::string::npos);
}

TEST(Ptx, IsCancelled) {
  auto launch = *Launch::create(compile(R"(cuda_tile.module @m {
    entry @endless() {
      loop {
        continue
      }
    }
  })",
                                        on(Device::Ptx)),
                                *runtime::Grid::create(1), {});
  auto running = std::async(std::launch::async, [&] { return launch.run(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  launch.cancel();
  const auto result = running.get();
  ASSERT_TRUE(result) << result.failure().message;
  EXPECT_EQ(result->outcome, Outcome::Cancelled);
}

} // namespace
