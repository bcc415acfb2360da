// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that all orders of a schedule are legal, and that random schedules produce all the orders
// that they should. The results of random schedules are compared with the outcomes of all
// executions, and waiting with the progress guarantees of the memory model (memory model, 1).

#include "mlir/Parser/Parser.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/reference/machine/Machine.h"
#include "tilewright/tile/Dialect.h"

#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using namespace tilewright::reference;

namespace {

using Numbers = std::vector<int32_t>;

/// A kernel `@k(%x: tile<ptr<i32>>)` with an array of zeros, and names for common values.
class Kernel {
public:
  explicit Kernel(const std::string &body, size_t elements) : x(elements) {
    context.loadDialect<tile::TileDialect>();
    std::string text = "cuda_tile.module @m { entry @k(%x: tile<ptr<i32>>) {\n"
                       "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
                       "%0 = constant <i32: 0> : tile<i32>\n"
                       "%1 = constant <i32: 1> : tile<i32>\n"
                       "%x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                       "%start = make_token : token\n" +
                       body + "}}";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    module->walk([&](tile::ModuleOp op) { kernels = op; });
    machine.emplace(*Machine::load(kernels));
    std::span<uint8_t> bytes(reinterpret_cast<uint8_t *>(x.data()), 4 * x.size());
    parameter = Element::fromBits(Format::Pointer, machine->bindArray("X", Format::I32, bytes));
  }

  LaunchResult launch(int64_t blocks, const LaunchOptions &options = {},
                      llvm::raw_ostream &output = llvm::nulls()) {
    std::fill(x.begin(), x.end(), 0);
    return *machine->launch(entry(), *runtime::Grid::create(blocks), parameter, output, options);
  }
  /// The contents of the array after random schedules.
  std::set<Numbers> outcomesAtRandom(int64_t blocks, uint64_t seeds) {
    std::set<Numbers> outcomes;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      LaunchOptions options;
      options.schedule = Schedule::Random;
      options.seed = seed;
      EXPECT_TRUE(launch(blocks, options).succeeded());
      outcomes.insert(x);
    }
    return outcomes;
  }
  /// The contents of the array after all executions.
  std::set<Numbers> outcomesOfAll(int64_t blocks) {
    std::fill(x.begin(), x.end(), 0);
    ExhaustiveResult result = *machine->explore(entry(), *runtime::Grid::create(blocks), parameter);
    EXPECT_FALSE(result.limit);
    EXPECT_TRUE(result.findings.empty());
    std::set<Numbers> outcomes;
    for (const MemoryChange &change : result.outcomes) {
      Numbers outcome(x.size());
      for (const ArrayElement &element : change)
        outcome[element.index] = int32_t(element.value.bits);
      outcomes.insert(outcome);
    }
    return outcomes;
  }

  Numbers x;

private:
  tile::EntryOp entry() { return *kernels.getBody().getOps<tile::EntryOp>().begin(); }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tile::ModuleOp kernels;
  std::optional<Machine> machine;
  Element parameter = Element::boolean(false);
};

LaunchOptions atRandom() {
  LaunchOptions options;
  options.schedule = Schedule::Random;
  return options;
}

/// Deadlocks must be found in few steps.
LaunchOptions quickly(LaunchOptions options) {
  options.maxSteps = 5000;
  return options;
}

std::vector<std::string> notesOf(const Finding &finding) {
  std::vector<std::string> notes;
  for (const report::Related &related : finding.related)
    notes.push_back(related.message);
  return notes;
}

std::vector<std::string> messagesOf(const LaunchResult &result) {
  std::vector<std::string> messages;
  for (const Finding &finding : result.findings)
    messages.push_back(finding.message);
  return messages;
}

//===-- Elements come in any order ------------------------------------------------------------===//

/// Eight elements of one store have the same place: any of them may be last (memory model, 13, test
/// 43).
TEST(RandomSchedule, AliasingStoreLeavesAnyElement) {
  Kernel kernel(R"(
    %ids = iota : tile<8xi32>
    %to = broadcast %x1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %s = store_ptr_tko relaxed tl_blk %to, %ids : tile<8xptr<i32>>, tile<8xi32> -> token)",
                1);
  std::set<Numbers> all = kernel.outcomesOfAll(1);
  EXPECT_EQ(all, (std::set<Numbers>{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(kernel.outcomesAtRandom(1, 100), all);
}

/// After two stores to neighbouring places, each place may have either value: operations are not
/// atomic as a whole (memory model, 2).
TEST(RandomSchedule, InterleavesElementsOfTwoStores) {
  Kernel kernel(R"(
    %ids = iota : tile<2xi32>
    %two = broadcast %x1 : tile<1xptr<i32>> -> tile<2xptr<i32>>
    %to = offset %two, %ids : tile<2xptr<i32>>, tile<2xi32> -> tile<2xptr<i32>>
    %bx1 = reshape %bx : tile<i32> -> tile<1xi32>
    %number = broadcast %bx1 : tile<1xi32> -> tile<2xi32>
    %s = store_ptr_tko relaxed device %to, %number : tile<2xptr<i32>>, tile<2xi32> -> token)",
                2);
  std::set<Numbers> all = kernel.outcomesOfAll(2);
  EXPECT_EQ(all, (std::set<Numbers>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(kernel.outcomesAtRandom(2, 200), all);
}

/// All elements of an atomic on one place take effect, in some order (memory model, 7). The old
/// value of each element is stored behind the two sums.
TEST(RandomSchedule, AtomicElementsInAnyOrder) {
  Kernel kernel(R"(
    %where = constant <i32: [0, 0, 0, 1]> : tile<4xi32>
    %four = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %counters = offset %four, %where : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %one = constant <i32: 1> : tile<4xi32>
    %old, %t = atomic_rmw_tko relaxed device %counters, add, %one
        : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %behind = constant <i32: [2, 3, 4, 5]> : tile<4xi32>
    %to = offset %four, %behind : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %s = store_ptr_tko weak %to, %old : tile<4xptr<i32>>, tile<4xi32> -> token)",
                6);
  EXPECT_EQ(kernel.outcomesAtRandom(1, 100), (std::set<Numbers>{{3, 1, 0, 1, 2, 0},
                                                                {3, 1, 0, 2, 1, 0},
                                                                {3, 1, 1, 0, 2, 0},
                                                                {3, 1, 1, 2, 0, 0},
                                                                {3, 1, 2, 0, 1, 0},
                                                                {3, 1, 2, 1, 0, 0}}));
}

/// The pieces of a large operation cover all of it.
TEST(RandomSchedule, StoresAllElementsOfLargeTiles) {
  Kernel kernel(R"(
    %ids = iota : tile<4096xi32>
    %all = broadcast %x1 : tile<1xptr<i32>> -> tile<4096xptr<i32>>
    %to = offset %all, %ids : tile<4096xptr<i32>>, tile<4096xi32> -> tile<4096xptr<i32>>
    %s = store_ptr_tko weak %to, %ids : tile<4096xptr<i32>>, tile<4096xi32> -> token
    %v, %l = load_ptr_tko weak %to token=%s : tile<4096xptr<i32>> -> tile<4096xi32>, token
    %twice = addi %v, %v : tile<4096xi32>
    %s2 = store_ptr_tko weak %to, %twice token=%l : tile<4096xptr<i32>>, tile<4096xi32> -> token)",
                4096);
  Numbers expected(4096);
  for (int32_t i = 0; i < 4096; ++i)
    expected[i] = 2 * i;
  EXPECT_EQ(kernel.outcomesAtRandom(1, 3), std::set<Numbers>{expected});
}

/// A chain of a hundred thousand operations must not overflow the stack.
TEST(RandomSchedule, LongTokenChains) {
  Kernel kernel(R"(
    %many = constant <i32: 100000> : tile<i32>
    %end = for %i in (%0 to %many, step %1) : tile<i32> iter_values(%t = %start) -> (token) {
      %s = store_ptr_tko weak %x, %i token=%t : tile<ptr<i32>>, tile<i32> -> token
      continue %s : token
    })",
                1);
  EXPECT_EQ(kernel.outcomesAtRandom(1, 1), std::set<Numbers>{{99999}});
}

//===-- Waiting -------------------------------------------------------------------------------===//

/// Every block waits for all others, so all of them must be live at the same time, however many
/// there are.
TEST(Schedules, BarrierOfAllBlocks) {
  Kernel kernel(R"(
    %n, %ny, %nz = get_num_tile_blocks : tile<i32>
    %old, %t0 = atomic_rmw_tko acq_rel device %x, add, %1
        : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %met = loop iter_values(%tk = %t0) : token -> token {
      %v, %t = load_ptr_tko acquire device %x token=%tk : tile<ptr<i32>> -> tile<i32>, token
      %all = cmpi equal %v, %n, signed : tile<i32> -> tile<i1>
      if %all { break %t : token }
      continue %t : token
    })",
                1);
  EXPECT_EQ(messagesOf(kernel.launch(200)), std::vector<std::string>());
  EXPECT_EQ(kernel.x, Numbers{200});
  EXPECT_EQ(messagesOf(kernel.launch(200, atRandom())), std::vector<std::string>());
  EXPECT_EQ(kernel.x, Numbers{200});
}

TEST(Schedules, ReportDeadlocks) {
  Kernel kernel(R"(
    loop {
      %v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
      %go = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %go { break }
      continue
    })",
                1);
  for (LaunchOptions options : {LaunchOptions(), atRandom()}) {
    LaunchResult result = kernel.launch(3, quickly(options));
    ASSERT_EQ(result.findings.size(), 1u);
    const Finding &found = result.findings[0];
    EXPECT_EQ(found.kind, FindingKind::Deadlock);
    EXPECT_EQ(found.message,
              "block (0, 0, 0): waits for ever: all 3 blocks that are left wait, and "
              "nothing that they repeat changes memory");
    EXPECT_EQ(found.array, "X");
    EXPECT_EQ(found.arrayElement, 0);
    EXPECT_EQ(notesOf(found), (std::vector<std::string>{
                                  "waits here: load_ptr_tko reads X[0], which is 0, and so do 2 "
                                  "other blocks"}));
  }
}

/// Atomics that store the existing value change nothing. Here, a block took a lock and ended.
TEST(Schedules, ReportIdleAtomicSpins) {
  const std::string takes = R"(
    %old, %t = atomic_rmw_tko relaxed device %x, xchg, %1
        : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)";
  const std::pair<const char *, const char *> spins[] = {
      {"atomic_rmw_tko", R"(%v, %w = atomic_rmw_tko acq_rel device %x, xchg, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)"},
      {"atomic_rmw_tko", R"(%v, %w = atomic_rmw_tko relaxed device %x, add, %0
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)"},
      {"atomic_rmw_tko", R"(%v, %w = atomic_rmw_tko relaxed device %x, or, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)"},
      {"atomic_cas_tko", R"(%v, %w = atomic_cas_tko acq_rel device %x, %0, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)"},
      {"atomic_cas_tko", R"(%v, %w = atomic_cas_tko acq_rel device %x, %1, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)"}};
  for (auto [name, spin] : spins) {
    Kernel kernel(takes + "\nloop {\n" + spin + R"(
      %go = cmpi equal %v, %0, signed : tile<i32> -> tile<i1>
      if %go { break }
      continue
    })",
                  1);
    for (LaunchOptions options : {LaunchOptions(), atRandom()}) {
      LaunchResult result = kernel.launch(4, quickly(options));
      ASSERT_EQ(result.findings.size(), 1u) << spin;
      EXPECT_EQ(result.findings[0].kind, FindingKind::Deadlock) << spin;
      EXPECT_EQ(notesOf(result.findings[0]),
                (std::vector<std::string>{"waits here: " + std::string(name) +
                                          " reads X[0], which is 1, and so do 3 other blocks"}));
    }
  }
}

/// Two blocks take two locks in different orders, while the third one has long ended. The finding
/// has a note with the source line of each.
TEST(ProgramOrder, DeadlockNamesBlocksAndLines) {
  Kernel kernel(R"(
    %two = constant <i32: 2> : tile<i32>
    %is_last = cmpi equal %bx, %two, signed : tile<i32> -> tile<i1>
    if %is_last { return }
    %other = subi %1, %bx : tile<i32>
    %mine = offset %x, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %theirs = offset %x, %other : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %arrived = offset %x, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %a, %t0 = atomic_rmw_tko acq_rel device %mine, xchg, %1
        : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %n, %t1 = atomic_rmw_tko acq_rel device %arrived, add, %1 token=%t0
        : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    loop {
      %v, %t = load_ptr_tko acquire device %arrived : tile<ptr<i32>> -> tile<i32>, token
      %both = cmpi equal %v, %two, signed : tile<i32> -> tile<i1>
      if %both { break }
      continue
    }
    loop {
      %v, %t = atomic_rmw_tko acq_rel device %theirs, xchg, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %free = cmpi equal %v, %0, signed : tile<i32> -> tile<i1>
      if %free { break }
      continue
    })",
                3);
  LaunchResult result = kernel.launch(3, quickly({}));
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding &found = result.findings[0];
  EXPECT_EQ(found.message, "block (0, 0, 0): waits for ever: all 2 blocks that are left wait, and "
                           "nothing that they repeat changes memory");
  EXPECT_EQ(notesOf(found),
            (std::vector<std::string>{
                "waits here: atomic_rmw_tko reads X[1], which is 1",
                "block (1, 0, 0): waits here: atomic_rmw_tko reads X[0], which is 1"}));
  EXPECT_EQ(checkOf(found), std::nullopt);
  EXPECT_EQ(report::ruleIdOf(found), "deadlock");
}

/// Blocks that spin while another one counts for a long time before it releases them. That block
/// can still change memory, although its loop reads what they read and writes nothing.
TEST(Schedules, WaitForSlowBlock) {
  Kernel kernel(R"(
    %many = constant <i32: 3000> : tile<i32>
    %is_slow = cmpi equal %bx, %1, signed : tile<i32> -> tile<i1>
    if %is_slow {
      for %i in (%0 to %many, step %1) : tile<i32> {
        %v, %t = atomic_rmw_tko relaxed device %x, add, %0
            : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
        continue
      }
      %tries = loop iter_values(%n = %0) : tile<i32> -> tile<i32> {
        %v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
        %next = addi %n, %1 : tile<i32>
        %tired = cmpi equal %next, %many, signed : tile<i32> -> tile<i1>
        if %tired { break %next : tile<i32> }
        continue %next : tile<i32>
      }
      %old, %u = atomic_rmw_tko acq_rel device %x, xchg, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    }
    loop {
      %v, %t = atomic_cas_tko acq_rel device %x, %1, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %go = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %go { break }
      continue
    })",
                1);
  for (LaunchOptions options : {LaunchOptions(), atRandom()}) {
    EXPECT_EQ(messagesOf(kernel.launch(5, options)), std::vector<std::string>());
    EXPECT_EQ(kernel.x, Numbers{1});
  }
}

/// Each block takes a lock by `xchg`, increments the value that it protects, and releases the lock.
TEST(Schedules, PassLocksOn) {
  Kernel kernel(R"(
    %sum = offset %x, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %taken = loop iter_values(%tk = %start) : token -> token {
      %v, %t = atomic_rmw_tko acq_rel device %x, xchg, %1 token=%tk
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %free = cmpi equal %v, %0, signed : tile<i32> -> tile<i1>
      if %free { break %t : token }
      continue %t : token
    }
    %old, %t1 = load_ptr_tko weak %sum token=%taken : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %1 : tile<i32>
    %t2 = store_ptr_tko weak %sum, %new token=%t1 : tile<ptr<i32>>, tile<i32> -> token
    %t3 = store_ptr_tko release device %x, %0 token=%t2 : tile<ptr<i32>>, tile<i32> -> token)",
                2);
  EXPECT_EQ(messagesOf(kernel.launch(50)), std::vector<std::string>());
  EXPECT_EQ(kernel.x, (Numbers{0, 50}));
  for (uint64_t seed = 0; seed < 10; ++seed) {
    LaunchOptions options = atRandom();
    options.seed = seed;
    EXPECT_EQ(messagesOf(kernel.launch(50, options)), std::vector<std::string>());
    EXPECT_EQ(kernel.x, (Numbers{0, 50}));
  }
}

/// A loop that writes and restores a value in each iteration does not count as deadlocked: another
/// block might see the intermediate value.
TEST(Schedules, WritingLoopsReachStepLimit) {
  Kernel kernel(R"(
    loop {
      %a, %t = atomic_rmw_tko acq_rel device %x, xchg, %1
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %b, %u = atomic_rmw_tko acq_rel device %x, xchg, %0 token=%t
          : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      continue
    })",
                1);
  for (LaunchOptions options : {LaunchOptions(), atRandom()}) {
    LaunchResult result = kernel.launch(2, quickly(options));
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::StepLimit);
  }
}

/// A block that waits with the scope `sys` may be waiting for the host, whose threads the machine
/// does not know.
TEST(Schedules, BlocksMayWaitForHost) {
  Kernel kernel(R"(
    loop {
      %v, %t = load_ptr_tko acquire sys %x : tile<ptr<i32>> -> tile<i32>, token
      %go = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %go { break }
      continue
    })",
                1);
  for (LaunchOptions options : {LaunchOptions(), atRandom()}) {
    LaunchResult result = kernel.launch(2, quickly(options));
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::StepLimit);
  }
}

/// A loop-carried value may not have been read yet.
TEST(RandomSchedule, ForwardsPendingValues) {
  Kernel kernel(R"(
    %seen, %n = loop iter_values(%last = %0, %i = %0) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
      %v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %i, %1 : tile<i32>
      %two = constant <i32: 2> : tile<i32>
      %done = cmpi equal %next, %two, signed : tile<i32> -> tile<i1>
      if %done { break %v, %next : tile<i32>, tile<i32> }
      continue %v, %next : tile<i32>, tile<i32>
    }
    %s = store_ptr_tko relaxed device %x, %n : tile<ptr<i32>>, tile<i32> -> token)",
                1);
  EXPECT_EQ(kernel.outcomesAtRandom(1, 20), std::set<Numbers>{{2}});
}

/// A loop that reads memory that no block writes still ends if it counts its iterations.
TEST(ProgramOrder, CountingLoopsAreNoDeadlock) {
  const std::string counting = R"(
    %many = constant <i32: 30000> : tile<i32>
    %sum = for %i in (%0 to %many, step %1) : tile<i32> iter_values(%s = %0) -> (tile<i32>) {
      %v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %s, %1 : tile<i32>
      continue %next : tile<i32>
    })";
  const std::string giveUp = R"(
    %tries = loop iter_values(%n = %0) : tile<i32> -> tile<i32> {
      %v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %n, %1 : tile<i32>
      %tired = cmpi equal %next, %many, signed : tile<i32> -> tile<i1>
      if %tired { break %next : tile<i32> }
      continue %next : tile<i32>
    }
    %both = addi %sum, %tries : tile<i32>
    %r, %u = atomic_rmw_tko relaxed device %x, xchg, %both
        : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)";
  Kernel kernel(counting + giveUp, 1);
  EXPECT_EQ(messagesOf(kernel.launch(1)), std::vector<std::string>());
  EXPECT_EQ(kernel.x, Numbers{60000});
}

/// A loop that waits for a value beyond the end of the array never sees it: the launch ends soon
/// after the error, in every schedule, and the error is reported.
TEST(Schedules, StopSoonAfterError) {
  Kernel kernel(R"(
    %far = offset %x, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    loop {
      %v, %t = load_ptr_tko weak %far : tile<ptr<i32>> -> tile<i32>, token
      %go = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %go { break }
      continue
    })",
                1);
  LaunchOptions parallel;
  parallel.checks = Checks::none();
  parallel.checks.set(Check::Bounds, true);
  for (LaunchOptions options : {LaunchOptions(), atRandom(), parallel}) {
    options.maxStepsAfterError = 1000;
    LaunchResult result = kernel.launch(4, options);
    EXPECT_FALSE(result.succeeded());
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(checkOf(result.findings.front()), Check::Bounds);
    EXPECT_EQ(result.findings.back().kind, FindingKind::StepLimit);
    EXPECT_TRUE(llvm::StringRef(result.findings.back().message)
                    .ends_with("still running 1000 operations after the first error of the "
                               "launch, the limit. Does it wait for what the error prevents?"))
        << result.findings.back().message;
  }
}

/// Cancels a launch that prints.
class CancellingStream : public llvm::raw_ostream {
public:
  explicit CancellingStream(std::atomic<bool> &cancelled)
      : raw_ostream(/*unbuffered=*/true), cancelled(cancelled) {}

private:
  void write_impl(const char *, size_t) override { cancelled = true; }
  uint64_t current_pos() const override { return 0; }

  std::atomic<bool> &cancelled;
};

/// A loop that would continue is left when the launch is cancelled; that is not a finding.
TEST(Schedules, CancelDuringRun) {
  Kernel kernel(R"(
    loop {
      %t = print_tko "again" -> token
      continue
    })",
                1);
  for (LaunchOptions options : {LaunchOptions(), atRandom()}) {
    std::atomic<bool> cancelled = false;
    CancellingStream stream(cancelled);
    options.cancelled = &cancelled;
    LaunchResult result = kernel.launch(4, options, stream);
    EXPECT_TRUE(result.wasEnded);
    EXPECT_TRUE(result.findings.empty());
  }
}

/// A launch that is cancelled before it starts executes nothing, even if blocks run in parallel.
TEST(Schedules, CancelBeforeStart) {
  Kernel kernel(R"(
    %t = store_ptr_tko weak %x, %1 : tile<ptr<i32>>, tile<i32> -> token)",
                1);
  LaunchOptions parallel;
  parallel.checks = Checks::none();
  for (LaunchOptions options : {LaunchOptions(), atRandom(), parallel}) {
    std::atomic<bool> cancelled = true;
    options.cancelled = &cancelled;
    LaunchResult result = kernel.launch(4, options);
    EXPECT_TRUE(result.wasEnded);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(kernel.x, Numbers{0});
  }
}

// SARIF refers to the rule of a finding by its row.
TEST(Rules, RowForEachFindingKind) {
  std::set<std::string> ids;
  for (const report::Rule &rule : rules())
    ids.insert(rule.id.str());
  EXPECT_EQ(ids.size(), rules().size());
  for (FindingKind kind : {FindingKind::Unsupported, FindingKind::StepLimit, FindingKind::Deadlock})
    EXPECT_TRUE(ids.count(nameOf(kind).str())) << nameOf(kind).str();
  for (unsigned check = 0; check < checkCount; ++check)
    EXPECT_TRUE(ids.count(ruleOf(Check(check)).id.str()));
}

} // namespace
