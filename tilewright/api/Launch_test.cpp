// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launches: kernels run on the caller's arrays on each device, and problems are reported as
// data.

#include "tilewright/api/Launch.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <gtest/gtest.h>
#include <mutex>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
using numerics::Format;
using Numbers = std::vector<int32_t>;

namespace {

/// Block b: x[b] += n.
constexpr const char addition[] = R"(cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %n : tile<i32>
    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// All blocks write x[0].
constexpr const char racing[] = R"(cuda_tile.module @m {
  entry @race(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %u = store_ptr_tko weak %x, %b : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// Asserts that n is 1, and prints n.
constexpr const char asserting[] = R"(cuda_tile.module @m {
  entry @claim(%n: tile<i32>) {
    %1 = constant <i32: 1> : tile<i32>
    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>
    assert %is, "n is one" : tile<i1>
    %t = print_tko "n = %d\n", %n : tile<i32> -> token
  }
})";

/// sum = the sum of all copies of x, which is also stored to all copies.
constexpr const char folding[] = R"(cuda_tile.module @m {
  entry @fold(%x: tile<ptr<i32, multicast>>, %sum: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1], multicast>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>
    %r, %t = multimem_load_reduce_view_tko weak %view[%0], add : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> tile<4xi32>, token
    %ts = make_tensor_view %sum, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %vs = make_partition_view %ts : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vs[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %t2 = multimem_store_view_tko weak %r, %view[%0] token = %t : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> token
  }
})";

/// Prints forever.
constexpr const char endless[] = R"(cuda_tile.module @m {
  entry @endless() {
    loop {
      %t = print_tko "again\n" -> token
      continue
    }
  }
})";

Entry entryOf(const char *text) {
  return *Module::read({.useCache = false}, text, "k.mlir")->entry("");
}

CompileOptions on(Device device) {
  CompileOptions options;
  options.device = device;
  return options;
}

Kernel compile(const char *text, const CompileOptions &options) {
  auto kernel = Kernel::compile(entryOf(text), options);
  EXPECT_TRUE(kernel) << kernel.failure().message;
  return *kernel;
}

Array arrayOf(Numbers &numbers) {
  const int64_t shape[] = {int64_t(numbers.size())};
  return *Array::create(numbers.data(), Format::I32, shape);
}

Argument number(int64_t value) { return Element::integer(Format::I32, value); }

LaunchResult run(const Kernel &kernel, int64_t blocks, std::vector<Argument> arguments,
                 const LaunchOptions &options = {}) {
  auto launch =
      Launch::create(kernel, *runtime::Grid::create(blocks), std::move(arguments), options);
  EXPECT_TRUE(launch) << launch.failure().message;
  auto result = launch->run();
  EXPECT_TRUE(result) << result.failure().message;
  return *result;
}

class OnBoth : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Launch, OnBoth, testing::Values(Device::Cpu, Device::Reference),
                         [](const auto &info) {
                           return info.param == Device::Cpu ? "Cpu" : "Reference";
                         });

//===-- Results and output ------------------------------------------------------------------===//

TEST_P(OnBoth, CombinesAndWritesAllCopiesOfMulticastMemory) {
  const Kernel kernel = compile(folding, on(GetParam()));
  Numbers a{1, 2, 3, 4}, b{10, 20, 30, 40}, c{100, 200, 300, 400}, sum(4);
  const Multicast all{{arrayOf(a), arrayOf(b), arrayOf(c)}};
  EXPECT_EQ(run(kernel, 1, {all, arrayOf(sum)}).outcome, Outcome::Succeeded);
  const Numbers expected{111, 222, 333, 444};
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(a, expected);
  EXPECT_EQ(b, expected);
  EXPECT_EQ(c, expected);
  // A plain array counts as a single copy.
  EXPECT_EQ(run(kernel, 1, {arrayOf(a), arrayOf(sum)}).outcome, Outcome::Succeeded);
  EXPECT_EQ(sum, expected);
}

TEST_P(OnBoth, RefusesArraysThatAreNoCopies) {
  const Kernel kernel = compile(folding, on(GetParam()));
  Numbers a(4), b(5);
  const auto why = [&](Multicast multicast) {
    auto launch = Launch::create(kernel, *runtime::Grid::create(1), {multicast, arrayOf(a)});
    return launch ? "" : launch.failure().message;
  };
  EXPECT_NE(why({}).find("multicast memory stands for at least one array, but there is none"),
            std::string::npos)
      << why({});
  const Multicast unlike{{arrayOf(a), arrayOf(b)}};
  EXPECT_NE(why(unlike).find("the arrays of multicast memory must be of one format and size, but "
                             "one is 4xi32 and one 5xi32"),
            std::string::npos)
      << why(unlike);
  float f[4];
  const int64_t four[] = {4};
  const Multicast other{{*Array::create(f, Format::F32, four)}};
  EXPECT_NE(why(other).find("expected an array of i32, but got multicast memory of f32"),
            std::string::npos)
      << why(other);
}

TEST(Launch, NamesTheCopyOfAFinding) {
  const Kernel kernel = compile(folding, on(Device::Reference));
  Numbers a(4), b(4), sum(4);
  const LaunchResult result = run(kernel, 2, {Multicast{{arrayOf(a), arrayOf(b)}}, arrayOf(sum)});
  ASSERT_EQ(result.outcome, Outcome::Misbehaved);
  EXPECT_NE(result.findings[0].message.find("race on parameter 1, copy 0 (4xi32)[0]"),
            std::string::npos)
      << result.findings[0].message;
}

TEST_P(OnBoth, WritesTheArraysOfTheCaller) {
  const Kernel kernel = compile(addition, on(GetParam()));
  EXPECT_EQ(kernel.name(), "add");
  EXPECT_EQ(kernel.device(), GetParam());
  Numbers x(20);
  std::iota(x.begin(), x.end(), 0);
  const LaunchResult result = run(kernel, 20, {arrayOf(x), number(100)}, {.threads = 2});
  EXPECT_EQ(result.outcome, Outcome::Succeeded);
  EXPECT_TRUE(result.findings.empty());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(x[i], i + 100);
}

TEST_P(OnBoth, OutlivesModuleAndEntry) {
  std::optional<Kernel> kernel;
  {
    auto module = Module::read({.useCache = false}, addition, "k.mlir");
    kernel = *Kernel::compile(*module->entry("add"), on(GetParam()));
  }
  Numbers x(1);
  EXPECT_EQ(run(*kernel, 1, {arrayOf(x), number(7)}).outcome, Outcome::Succeeded);
  EXPECT_EQ(x, Numbers{7});
}

TEST_P(OnBoth, HandsOutWhatTheKernelPrints) {
  std::string text;
  LaunchOptions options;
  options.output = [&](std::string_view part) { text += part; };
  EXPECT_EQ(run(compile(asserting, on(GetParam())), 2, {number(1)}, options).outcome,
            Outcome::Succeeded);
  EXPECT_EQ(text, "n = 1\nn = 1\n");
}

// Blocks print in order: when a block prints, all blocks before it have ended.
TEST(Launch, CountsBlocksWhileItRuns) {
  std::optional<Launch> launch;
  std::vector<std::optional<int64_t>> counts;
  LaunchOptions options;
  options.output = [&](std::string_view) { counts.push_back(launch->blocksDone()); };
  const auto grid = *runtime::Grid::create(3);
  launch = *Launch::create(compile(asserting, on(Device::Reference)), grid, {number(1)}, options);
  EXPECT_EQ(launch->blocksDone(), 0);
  ASSERT_TRUE(launch->run());
  EXPECT_EQ(launch->blocksDone(), 3);
  ASSERT_FALSE(counts.empty());
  EXPECT_EQ(counts.front(), 0);
  EXPECT_EQ(counts.back(), 2);
  EXPECT_TRUE(llvm::is_sorted(counts));
  launch = *Launch::create(compile(asserting, on(Device::Cpu)), grid, {number(1)});
  EXPECT_EQ(launch->blocksDone(), std::nullopt);
}

// Blocks that run concurrently are all counted.
TEST(Launch, CountsBlocksThatRunAtTheSameTime) {
  Numbers x(1000);
  CompileOptions alone = on(Device::Reference);
  alone.checks = "none";
  auto launch = Launch::create(compile(addition, alone), *runtime::Grid::create(1000),
                               {arrayOf(x), number(1)});
  ASSERT_TRUE(launch);
  ASSERT_TRUE(launch->run());
  EXPECT_EQ(launch->blocksDone(), 1000);
}

TEST_P(OnBoth, MayBeLaunchedByWhatTakesItsOutput) {
  const Kernel kernel = compile(asserting, on(GetParam()));
  std::string outer, inner;
  LaunchOptions options;
  options.output = [&](std::string_view part) {
    outer += part;
    if (inner.empty())
      run(kernel, 2, {number(1)}, {.output = [&](std::string_view text) { inner += text; }});
  };
  EXPECT_EQ(run(kernel, 1, {number(1)}, options).outcome, Outcome::Succeeded);
  EXPECT_EQ(outer, "n = 1\n");
  EXPECT_EQ(inner, "n = 1\nn = 1\n");
}

/// While alive, writes to standard output fail.
class FullStandardOutput {
public:
  FullStandardOutput() {
    std::fflush(stdout);
    const int full = open("/dev/full", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    close(full);
  }
  ~FullStandardOutput() {
    std::fflush(stdout);
    std::clearerr(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
  }

private:
  const int before = dup(STDOUT_FILENO);
};

// LLVM's stream for standard output is not thread-safe, and ends the process if a write failed.
TEST_P(OnBoth, PrintsWithoutTheStreamOfLlvm) {
  const Kernel kernel = compile(asserting, on(GetParam()));
  {
    FullStandardOutput full;
    EXPECT_EQ(run(kernel, 2, {number(1)}).outcome, Outcome::Succeeded);
  }
  EXPECT_FALSE(llvm::outs().has_error());
  llvm::outs().clear_error();
}

TEST_P(OnBoth, PrintsOnStandardOutputByItself) {
  const Kernel kernel = compile(asserting, on(GetParam()));
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(kernel, 2, {number(1)}).outcome, Outcome::Succeeded);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "n = 1\nn = 1\n");
}

TEST_P(OnBoth, MayRunSeveralTimes) {
  Numbers x(1);
  auto launch = Launch::create(compile(addition, on(GetParam())), *runtime::Grid::create(1),
                               {arrayOf(x), number(2)});
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(launch->run()->outcome, Outcome::Succeeded);
  EXPECT_EQ(x, Numbers{6});
}

// Several threads launch one kernel concurrently, each on its own array, while they read, write and
// compile the module.
TEST_P(OnBoth, MayBeLaunchedBySeveralThreads) {
  const auto module = *Module::read({.useCache = false}, addition, "k.mlir");
  const auto kernel = *Kernel::compile(*module.entry("add"), on(GetParam()));
  auto work = [&](int32_t n) {
    Numbers x(100);
    for (int i = 0; i < 10; ++i)
      ASSERT_EQ(run(kernel, 100, {arrayOf(x), number(n)}, {.threads = 2}).outcome,
                Outcome::Succeeded);
    EXPECT_EQ(x, Numbers(100, 10 * n));
    EXPECT_FALSE(module.text().empty());
    EXPECT_TRUE(module.bytecode());
    EXPECT_TRUE(Kernel::compile(*module.entry("add"), on(GetParam())));
  };
  std::vector<std::thread> threads;
  for (int32_t n = 1; n <= 4; ++n)
    threads.emplace_back(work, n);
  for (std::thread &thread : threads)
    thread.join();
}

//===-- Findings ----------------------------------------------------------------------------===//

TEST_P(OnBoth, ReportsAFailedAssertionWithItsLine) {
  const LaunchResult result =
      run(compile(asserting, on(GetParam())), 1, {number(2)}, {.output = [](std::string_view) {}});
  EXPECT_EQ(result.outcome, Outcome::Failed);
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding &finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::FailedAssert);
  EXPECT_EQ(finding.rule, "assert");
  EXPECT_EQ(finding.place.file, "k.mlir");
  EXPECT_EQ(finding.place.line, 5);
  EXPECT_EQ(finding.kernel, "claim");
  EXPECT_EQ(finding.message, "block (0, 0, 0): assertion failed: n is one");
  EXPECT_EQ(finding.text, "k.mlir:5:5: error: " + finding.message);
}

TEST(Launch, ReportsARaceWithBlockAndElement) {
  Numbers x(4);
  const LaunchResult result = run(compile(racing, on(Device::Reference)), 3, {arrayOf(x)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding &finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::Misbehaviour);
  EXPECT_EQ(finding.rule, "race");
  EXPECT_EQ(finding.section, "memory model, 7");
  EXPECT_FALSE(finding.help.empty());
  EXPECT_EQ(finding.place.line, 4);
  EXPECT_EQ(finding.block, (std::array<int64_t, 3>{1, 0, 0}));
  EXPECT_EQ(finding.operation, "store_ptr_tko");
  EXPECT_EQ(finding.array, "parameter 1 (4xi32)");
  EXPECT_EQ(finding.arrayElement, 0);
  ASSERT_EQ(finding.related.size(), 1u);
  EXPECT_EQ(finding.related[0].place.line, 4);

  CompileOptions unchecked = on(Device::Reference);
  unchecked.checks = "no-race";
  EXPECT_EQ(run(compile(racing, unchecked), 3, {arrayOf(x)}).outcome, Outcome::Succeeded);
}

// Without debug information, the place in bytecode is a byte offset.
TEST(Launch, ReportsTheByteOfBytecode) {
  auto module = Module::read({}, *Module::read({}, racing, "k.mlir")->bytecode(), "k.tileirbc");
  auto kernel = Kernel::compile(*module->entry(""), on(Device::Reference));
  Numbers x(4);
  const LaunchResult result = run(*kernel, 2, {arrayOf(x)});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].place.file, "k.tileirbc");
  EXPECT_TRUE(result.findings[0].place.byte);
  EXPECT_EQ(result.findings[0].text.find("k.tileirbc: byte 0x"), 0u) << result.findings[0].text;
}

// Compiled code does not report byte offsets.
TEST(Launch, ReportsNoPlaceOfCompiledBytecode) {
  auto module = Module::read({.useCache = false},
                             *Module::read({}, asserting, "k.mlir")->bytecode(), "k.tileirbc");
  auto kernel = Kernel::compile(*module->entry(""));
  const LaunchResult result = run(*kernel, 1, {number(2)}, {.output = [](std::string_view) {}});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].place.file, "");
  EXPECT_EQ(result.findings[0].place.line, 0);
  EXPECT_FALSE(result.findings[0].place.byte);
}

TEST(Launch, ReportsElementsThatWereNeverWritten) {
  Numbers x(1);
  Array array = arrayOf(x);
  array.isInitialised = false;
  const LaunchResult result = run(compile(addition, on(Device::Reference)), 1, {array, number(1)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_FALSE(result.findings[0].isWarning);
  EXPECT_EQ(result.findings[0].rule, "undefined");
}

TEST(Launch, ReportsAStrideThatLeavesTheArray) {
  Numbers x(8);
  const int64_t shape[] = {2}, strides[] = {3}; // elements 0 and 3
  auto array = Array::create(x.data(), Format::I32, shape, strides);
  const Kernel kernel = compile(addition, on(Device::Reference));
  EXPECT_EQ(run(kernel, 4, {*array, number(1)}).outcome, Outcome::Succeeded);
  const LaunchResult result = run(kernel, 5, {*array, number(1)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].rule, "bounds");
}

TEST_P(OnBoth, RefusesArgumentsThatDoNotFit) {
  const Kernel kernel = compile(addition, on(GetParam()));
  Numbers x(4);
  std::vector<float> floats(4);
  const int64_t shape[] = {4};
  auto whyNot = [&](std::vector<Argument> arguments, const LaunchOptions &options = {}) {
    auto launch = Launch::create(kernel, *runtime::Grid::create(1), std::move(arguments), options);
    return launch ? std::string() : launch.failure().message;
  };
  EXPECT_EQ(whyNot({}), "kernel @add: expected 2 arguments, but got 0");
  EXPECT_NE(whyNot({number(1), number(1)}).find("expected an array of i32, but got a scalar i32"),
            std::string::npos);
  EXPECT_NE(whyNot({*Array::create(floats.data(), Format::F32, shape), number(1)})
                .find("expected an array of i32, but got an array of f32"),
            std::string::npos);
  EXPECT_NE(whyNot({arrayOf(x), Element::fromFloat(1)})
                .find("parameter 2 of type !cuda_tile.tile<i32>: expected a scalar i32, but got a "
                      "scalar f32"),
            std::string::npos)
      << whyNot({arrayOf(x), Element::fromFloat(1)});
  EXPECT_EQ(whyNot({arrayOf(x), number(1)}, {.threads = 2000}),
            "kernel @add: threads must be in 0..1024, but are 2000");
  EXPECT_EQ(whyNot({arrayOf(x), number(1)}), "");
}

TEST(Kernel, RefusesOptionsThatDoNotExist) {
  auto whyNot = [](auto change) {
    CompileOptions options;
    change(options);
    auto kernel = Kernel::compile(entryOf(addition), options);
    return kernel ? std::string() : kernel.failure().message;
  };
  EXPECT_NE(whyNot([](CompileOptions &options) { options.target = "abacus"; }), "");
  EXPECT_EQ(whyNot([](CompileOptions &options) { options.optimization = 4; }),
            "the optimization level must be in 0..3, but is 4");
  EXPECT_NE(whyNot([](CompileOptions &options) {
              options.device = Device::Reference;
              options.checks = "luck";
            }),
            "");
}

TEST(Kernel, IsKeptInTheFolderOfTheContext) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "launch_test";
  std::filesystem::remove_all(folder);
  Context context;
  context.cacheFolder = folder;
  auto count = [&] {
    int files = 0;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
      files += entry.is_regular_file();
    return files;
  };
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(Kernel::compile(*Module::read(context, addition, "k.mlir")->entry("")));
    EXPECT_EQ(count(), 1);
  }
  std::filesystem::remove_all(folder);
}

//===-- Cancelling --------------------------------------------------------------------------===//

TEST(Launch, IsCancelledFromAnotherThread) {
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
TEST(Launch, IsCancelledWhileItWaitsForAnother) {
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
TEST(Launch, IsCancelledBetweenBlocks) {
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

//===-- On the PTX machine ------------------------------------------------------------------===//

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
