// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launches on the reference machine: findings as data, and the progress of a launch.

#include "tilewright/api/devices/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

// Blocks print in order: when a block prints, all blocks before it have ended.
TEST(Reference, CountsBlocksWhileItRuns) {
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
TEST(Reference, CountsBlocksThatRunAtTheSameTime) {
  Numbers x(1000);
  CompileOptions alone = on(Device::Reference);
  alone.checks = "none";
  auto launch = Launch::create(compile(addition, alone), *runtime::Grid::create(1000),
                               {arrayOf(x), number(1)});
  ASSERT_TRUE(launch);
  ASSERT_TRUE(launch->run());
  EXPECT_EQ(launch->blocksDone(), 1000);
}

TEST(Reference, ReportsARaceWithBlockAndElement) {
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
TEST(Reference, ReportsTheByteOfBytecode) {
  auto module = Module::read({}, *Module::read({}, racing, "k.mlir")->bytecode(), "k.tileirbc");
  auto kernel = Kernel::compile(*module->entry(""), on(Device::Reference));
  Numbers x(4);
  const LaunchResult result = run(*kernel, 2, {arrayOf(x)});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].place.file, "k.tileirbc");
  EXPECT_TRUE(result.findings[0].place.byte);
  EXPECT_EQ(result.findings[0].text.find("k.tileirbc: byte 0x"), 0u) << result.findings[0].text;
}

TEST(Reference, ReportsElementsThatWereNeverWritten) {
  Numbers x(1);
  Array array = arrayOf(x);
  array.isInitialised = false;
  const LaunchResult result = run(compile(addition, on(Device::Reference)), 1, {array, number(1)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_FALSE(result.findings[0].isWarning);
  EXPECT_EQ(result.findings[0].rule, "undefined");
}

TEST(Reference, ReportsAStrideThatLeavesTheArray) {
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

} // namespace
