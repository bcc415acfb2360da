// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that launches are cancelled on each device.

#include "tilewright/api/devices/Testing.h"

#include <chrono>
#include <future>
#include <mutex>
#include <thread>

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

TEST(Cancel, IsCancelledFromAnotherThread) {
  CompileOptions options = on(Device::Reference);
  options.maxSteps = INT64_MAX;
  std::atomic<bool> hasStarted = false;
  auto launch = Launch::create(compile(endless, options), *runtime::Grid::create(1), {},
                               {.output = [&](std::string_view) { hasStarted = true; }});
  std::thread other([&] {
    while (!hasStarted)
      std::this_thread::yield();
    launch->cancel();
  });
  auto result = launch->run();
  other.join();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Cancelled);
  EXPECT_TRUE(result->findings.empty());
}

// On the reference machine, launches of one kernel run one after the other.
TEST(Cancel, IsCancelledWhileItWaitsForAnother) {
  CompileOptions options = on(Device::Reference);
  options.maxSteps = INT64_MAX;
  const Kernel kernel = compile(endless, options);
  const runtime::Grid grid = *runtime::Grid::create(1);
  std::promise<void> started;
  std::once_flag once;
  auto first = Launch::create(kernel, grid, {}, {.output = [&](std::string_view) {
                                std::call_once(once, [&] { started.set_value(); });
                              }});
  auto second = Launch::create(kernel, grid, {}, {.output = [](std::string_view) {}});
  auto firstEnd = std::async(std::launch::async, [&] { return first->run(); });
  started.get_future().wait();
  auto secondEnd = std::async(std::launch::async, [&] { return second->run(); });
  second->cancel();
  EXPECT_EQ(secondEnd.wait_for(std::chrono::seconds(30)), std::future_status::ready);
  EXPECT_EQ(firstEnd.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  first->cancel();
  EXPECT_EQ(secondEnd.get()->outcome, Outcome::Cancelled);
  EXPECT_EQ(firstEnd.get()->outcome, Outcome::Cancelled);
}

// Block 0 fails its assertion. Block 1 prints, and the output function cancels the launch.
TEST_P(OnBoth, IsFailedRatherThanCancelled) {
  constexpr const char text[] = R"(cuda_tile.module @m {
    entry @second() {
      %1 = constant <i32: 1> : tile<i32>
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %is = cmpi equal %b, %1, signed : tile<i32> -> tile<i1>
      if %is {
        %t = print_tko "one\n" -> token
      }
      assert %is, "the block is number 1" : tile<i1>
    }
  })";
  std::optional<Launch> launch;
  LaunchOptions options;
  options.threads = 2;
  options.output = [&](std::string_view) { launch->cancel(); };
  launch =
      *Launch::create(compile(text, on(GetParam())), *runtime::Grid::create(1 << 20), {}, options);
  auto result = launch->run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Failed);
  ASSERT_FALSE(result->findings.empty());
  EXPECT_LT(int64_t(result->findings.size()) + result->unlistedFindings, (1 << 20) - 1);
}

// In compiled code, running blocks complete; most blocks of a large grid never start.
TEST(Cancel, IsCancelledBetweenBlocks) {
  Numbers x(1 << 20);
  std::optional<Launch> launch;
  std::atomic<int> prints = 0;
  LaunchOptions options;
  options.threads = 2;
  options.output = [&](std::string_view) {
    ++prints;
    launch->cancel();
  };
  launch = *Launch::create(compile(asserting, on(Device::Cpu)), *runtime::Grid::create(1 << 20),
                           {number(1)}, options);
  auto result = launch->run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Cancelled);
  EXPECT_LT(prints, 1 << 20);
  EXPECT_EQ(launch->run()->outcome, Outcome::Cancelled);
}

} // namespace
