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

// 1e8 + 1 is 1e8 in f32, so that the order of the sum 1e8 + 1 - 1e8 matters.
TEST(Reference, SumsMatrixProductsExactlyOnRequest) {
  constexpr const char text[] = R"(cuda_tile.module @m {
    entry @product(%z: tile<ptr<f32>>) {
      %a = constant <f32: [[1.0e8, 1.0, -1.0e8, 0.0]]> : tile<1x4xf32>
      %b = constant <f32: 1.0> : tile<4x1xf32>
      %c = constant <f32: 0.0> : tile<1x1xf32>
      %d = mmaf %a, %b, %c : tile<1x4xf32>, tile<4x1xf32>, tile<1x1xf32>
      %sum = reshape %d : tile<1x1xf32> -> tile<f32>
      %t = store_ptr_tko weak %z, %sum : tile<ptr<f32>>, tile<f32> -> token
    }
  })";
  for (bool isExact : {false, true}) {
    CompileOptions options = on(Device::Reference);
    options.exactMma = isExact;
    float z = -1;
    const int64_t shape[] = {1};
    run(compile(text, options), 1, {*Array::create(&z, Format::F32, shape)});
    EXPECT_EQ(z, isExact ? 1.0f : 0.0f);
  }
}

//===-- All executions ----------------------------------------------------------------------===//

CompileOptions exhaustively() {
  CompileOptions options = on(Device::Reference);
  options.schedule = Schedule::Exhaustive;
  return options;
}

/// Each block adds 1 to x[0] four times, one after the other.
constexpr const char increments[] = R"(cuda_tile.module @m {
  entry @add4(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %o0, %t0 = atomic_rmw_tko relaxed device %x, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o1, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o2, %t2 = atomic_rmw_tko relaxed device %x, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o3, %t3 = atomic_rmw_tko relaxed device %x, add, %one token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
})";

// The executions are the orders of 8 atomics that keep the order of each block's 4: 8! / (4! 4!).
TEST(Reference, ExploresAllExecutions) {
  Numbers x(1);
  const LaunchResult result = run(compile(increments, exhaustively()), 2, {arrayOf(x)});
  EXPECT_EQ(result.outcome, Outcome::Succeeded);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_TRUE(result.exploration);
  EXPECT_EQ(result.exploration->executions, 70u);
  EXPECT_EQ(result.exploration->limit, "");
  ASSERT_EQ(result.exploration->outcomes.size(), 1u);
  ASSERT_EQ(result.exploration->outcomes[0].size(), 1u);
  const ChangedElement &changed = result.exploration->outcomes[0][0];
  EXPECT_EQ(changed.array, "parameter 1 (1xi32)");
  EXPECT_EQ(changed.element, 0);
  EXPECT_EQ(changed.value, Element::integer(Format::I32, 8));
  EXPECT_EQ(changed.text, "8");
  EXPECT_EQ(x, Numbers(1)) << "an exploration leaves the arrays as they are";
}

/// No token orders the two stores, so either may be the last one.
TEST(Reference, ListsEachOutcome) {
  constexpr const char text[] = R"(cuda_tile.module @m {
    entry @unordered(%x: tile<ptr<i32>>) {
      %one = constant <i32: 1> : tile<i32>
      %two = constant <i32: 2> : tile<i32>
      %t1 = store_ptr_tko relaxed device %x, %one : tile<ptr<i32>>, tile<i32> -> token
      %t2 = store_ptr_tko relaxed device %x, %two : tile<ptr<i32>>, tile<i32> -> token
    }
  })";
  Numbers x(1);
  const LaunchResult result = run(compile(text, exhaustively()), 1, {arrayOf(x)});
  ASSERT_TRUE(result.exploration);
  EXPECT_EQ(result.exploration->executions, 2u);
  ASSERT_EQ(result.exploration->outcomes.size(), 2u);
  EXPECT_EQ(result.exploration->outcomes[0][0].text, "1");
  EXPECT_EQ(result.exploration->outcomes[1][0].text, "2");
}

TEST(Reference, FindsRacesInAllExecutions) {
  Numbers x(1);
  Report report;
  const LaunchResult result =
      run(compile(racing, exhaustively()), 2, {arrayOf(x)}, {.report = report});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].rule, "race");
  EXPECT_EQ(result.findings[0].place.line, 4);
  EXPECT_EQ(report.findingCount(), 1u);
}

// A block may access 10,000 elements.
TEST(Reference, SaysWhyItDidNotExploreAllExecutions) {
  constexpr const char text[] = R"(cuda_tile.module @m {
    entry @wide(%x: tile<ptr<i32>>) {
      %at = iota : tile<16384xi32>
      %p = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
      %all = broadcast %p : tile<1xptr<i32>> -> tile<16384xptr<i32>>
      %each = offset %all, %at : tile<16384xptr<i32>>, tile<16384xi32> -> tile<16384xptr<i32>>
      %v, %t = load_ptr_tko weak %each : tile<16384xptr<i32>> -> tile<16384xi32>, token
    }
  })";
  Numbers x(16384);
  const LaunchResult result = run(compile(text, exhaustively()), 1, {arrayOf(x)});
  EXPECT_EQ(result.outcome, Outcome::Failed);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_TRUE(result.exploration);
  EXPECT_NE(result.exploration->limit.find("10000"), std::string::npos)
      << result.exploration->limit;
}

TEST(Reference, RefusesWhatAnExplorationDoesNotSupport) {
  CompileOptions compiled = exhaustively();
  compiled.device = Device::Ptx;
  EXPECT_EQ(Kernel::compile(entryOf(racing), compiled).failure().message,
            "only the reference machine has an exhaustive schedule");
  const Kernel kernel = compile(racing, exhaustively());
  Numbers x(1);
  const auto whyNot = [&](const Argument &argument, const LaunchOptions &options) {
    auto launch = Launch::create(kernel, *runtime::Grid::create(1), {argument}, options);
    return launch ? "" : launch.failure().message;
  };
  EXPECT_EQ(whyNot(arrayOf(x), {.report = Report({.coverage = true})}),
            "kernel @race: the exhaustive schedule has no coverage");
  EXPECT_EQ(whyNot(Multicast{{arrayOf(x)}}, {}),
            "kernel @race: parameter 1 of type !cuda_tile.tile<ptr<i32>>: the exhaustive schedule "
            "does not support multicast memory");
}

/// The atomics order the stores to x only if block 0 is first.
constexpr const char hiddenRace[] = R"(cuda_tile.module @m {
  entry @first(%counter: tile<ptr<i32>>, %x: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    %start = make_token : token
    %before = if %is_first -> (token) {
      %s = store_ptr_tko weak %x, %1 token=%start : tile<ptr<i32>>, tile<i32> -> token
      yield %s : token
    } else {
      yield %start : token
    }
    %old, %t = atomic_rmw_tko acq_rel device %counter, add, %1 token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    if %is_first { } else {
      %s = store_ptr_tko weak %x, %0 token=%t : tile<ptr<i32>>, tile<i32> -> token
    }
  }
})";

TEST(Reference, FindsARaceOfAnotherSchedule) {
  Numbers counter(1), x(1);
  const LaunchResult result =
      run(compile(hiddenRace, on(Device::Reference)), 2, {arrayOf(counter), arrayOf(x)});
  EXPECT_EQ(result.outcome, Outcome::Misbehaved);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].rule, "race");
  EXPECT_EQ(result.findings[0].schedule, "replay:0:1,1:2");
  // The arrays have the values of the given schedule.
  EXPECT_EQ(counter, Numbers{2});

  CompileOptions again = on(Device::Reference);
  again.schedule = Schedule::Replay;
  again.replay = result.findings[0].schedule;
  counter = x = {0};
  const LaunchResult repeated = run(compile(hiddenRace, again), 2, {arrayOf(counter), arrayOf(x)});
  ASSERT_EQ(repeated.findings.size(), 1u);
  EXPECT_EQ(repeated.findings[0].message, result.findings[0].message);
  EXPECT_EQ(repeated.findings[0].schedule, "");
}

TEST(Reference, RefusesSchedulesThatItCannotReplay) {
  CompileOptions options = on(Device::Reference);
  options.schedule = Schedule::Replay;
  options.replay = "1:2";
  EXPECT_EQ(options.verify().failure().message,
            "expected a schedule like 'replay:1:3,0', but got '1:2'");
  options.replay = "replay:0";
  EXPECT_TRUE(options.verify());
  options.device = Device::Ptx;
  EXPECT_EQ(options.verify().failure().message, "only the reference machine replays schedules");
}

} // namespace
