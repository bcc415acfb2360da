// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests traces of launches on the two machines.

#include "tilewright/api/devices/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

/// The records of two blocks that add 7 to 10 and 20.
std::vector<TraceRecord> traceOf(const CompileOptions &options, TraceOptions trace) {
  std::vector<TraceRecord> records;
  trace.receive = [&](const TraceRecord &record) { records.push_back(record); };
  Numbers x{10, 20};
  const LaunchResult result =
      run(compile(addition, options), 2, {arrayOf(x), number(7)}, {.trace = trace});
  EXPECT_EQ(result.outcome, Outcome::Succeeded);
  EXPECT_EQ(x, (Numbers{17, 27}));
  return records;
}

TEST(Trace, HasEachOperationOfABlock) {
  std::vector<std::string> operations;
  for (const TraceRecord &record : traceOf(on(Device::Reference), {.blocks = {{1, 0, 0}}})) {
    EXPECT_EQ(record.block, (std::array<int64_t, 3>{1, 0, 0}));
    EXPECT_EQ(record.place.file, "k.mlir");
    EXPECT_FALSE(record.thread);
    operations.push_back(record.operation);
  }
  EXPECT_EQ(operations,
            (std::vector<std::string>{"entry", "get_tile_block_id", "offset", "load_ptr_tko",
                                      "addi", "store_ptr_tko", "return", "entry"}));
}

TEST(Trace, ShowsValuesAndAccesses) {
  const auto records = traceOf(on(Device::Reference), {.operations = {"addi", "store_ptr_tko"}});
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[2].place.line, 6);
  EXPECT_EQ(records[2].place.column, 12);
  EXPECT_EQ(records[2].text, "k.mlir:6:12: block (1, 0, 0): addi(%result = i32 20, %arg1 = i32 7) "
                             "-> %1 = i32 27");
  EXPECT_NE(records[3].text.find("; writes parameter 1 (2xi32)[1], 1 element"), std::string::npos)
      << records[3].text;
}

// A random schedule delays memory operations; each has a line of its own when it is performed.
TEST(Trace, HasOneStorePerBlockInARandomSchedule) {
  CompileOptions options = on(Device::Reference);
  options.schedule = Schedule::Random;
  int performed = 0;
  for (const TraceRecord &record : traceOf(options, {.operations = {"store_ptr_tko"}}))
    performed += record.text.find("performs; writes") != std::string::npos;
  EXPECT_EQ(performed, 2);
}

// One thread of block 1 stores x[1]; the guard of the instruction is false for the others.
TEST(Trace, HasTheInstructionsOfThreads) {
  int stores = 0;
  for (const TraceRecord &record :
       traceOf(on(Device::Ptx), {.blocks = {{1, 0, 0}}, .operations = {"st"}})) {
    EXPECT_EQ(record.block, (std::array<int64_t, 3>{1, 0, 0}));
    EXPECT_TRUE(record.thread);
    EXPECT_EQ(record.place.file, "<PTX of k.mlir>");
    EXPECT_GT(record.place.line, 0);
    EXPECT_EQ(record.operation.find("st.global"), 0u) << record.operation;
    if (record.text.find(" -> not executed") != std::string::npos)
      continue;
    ++stores;
    EXPECT_NE(record.text.find("; 4 bytes of parameter 1 (2xi32) at byte 4"), std::string::npos)
        << record.text;
  }
  EXPECT_EQ(stores, 1);
}

TEST(Trace, RefusesWhatItCannotTrace) {
  const auto whyNot = [](const CompileOptions &options, TraceOptions trace) {
    Numbers x(2);
    trace.receive = [](const TraceRecord &) {};
    auto launch = Launch::create(compile(addition, options), *runtime::Grid::create(2),
                                 {arrayOf(x), number(7)}, {.trace = trace});
    return launch ? "" : launch.failure().message;
  };
  EXPECT_EQ(whyNot(on(Device::Cpu), {}),
            "kernel @add: only the reference machine and the PTX machine trace a launch");
  EXPECT_EQ(whyNot(on(Device::Reference), {.blocks = {{2, 0, 0}}}),
            "kernel @add: there is no block (2, 0, 0) to trace in a grid of (2, 1, 1)");
  EXPECT_EQ(whyNot(on(Device::Ptx), {.blocks = {{0, -1, 0}}}),
            "kernel @add: there is no block (0, -1, 0) to trace in a grid of (2, 1, 1)");
  EXPECT_NE(whyNot(on(Device::Reference), {.operations = {"adi"}})
                .find("kernel @add: there is no operation 'adi'"),
            std::string::npos);
  EXPECT_EQ(whyNot(on(Device::Ptx), {.operations = {"ld.global.f32", "addf"}}),
            "kernel @add: there is no PTX instruction 'addf' to trace");
  CompileOptions exhaustive = on(Device::Reference);
  exhaustive.schedule = Schedule::Exhaustive;
  EXPECT_EQ(whyNot(exhaustive, {}), "kernel @add: the exhaustive schedule has no trace");
}

} // namespace
