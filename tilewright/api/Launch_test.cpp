// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launches: kernels run on the caller's arrays on each device, and problems are reported as
// data.

#include "tilewright/api/devices/Testing.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

// This includes the tests with this fixture in other files.
INSTANTIATE_TEST_SUITE_P(Launch, OnBoth, ::testing::Values(Device::Cpu, Device::Reference), nameOf);

//===-- Results and output ------------------------------------------------------------------===//

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
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run(kernel, 2, {number(1)}).outcome, Outcome::Succeeded);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "n = 1\nn = 1\n");
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
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "launch_test";
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

} // namespace
