// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explores kernels exhaustively: waiting terminates, values propagate, and incomplete explorations
// are reported. test/litmus/ has the litmus tests as kernels.

#include "mlir/Parser/Parser.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/tile/Dialect.h"

#include <chrono>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

using namespace tilewright;
using namespace tilewright::reference;

namespace {

/// A kernel `@k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>)` with arrays X and Y of zeros.
class Kernel {
public:
  explicit Kernel(const std::string &body, size_t elements = 4) : x(elements), y(elements) {
    context.loadDialect<tile::TileDialect>();
    std::string text = "cuda_tile.module @m { entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {\n"
                       "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
                       "%0 = constant <i32: 0> : tile<i32>\n"
                       "%1 = constant <i32: 1> : tile<i32>\n" +
                       body + "}}";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
  }

  ExhaustiveResult explore(int64_t blocks, const ExhaustiveLimits &limits = {},
                           const LaunchOptions &options = {}) {
    tile::EntryOp entry;
    module->walk([&](tile::EntryOp op) { entry = op; });
    support::Result<Program> program = Program::of(entry);
    Memory memory;
    llvm::SmallVector<Element> parameters;
    for (auto [name, array] : {std::pair("X", &x), std::pair("Y", &y)}) {
      Allocation allocation{name, Format::I32};
      allocation.bytes = {reinterpret_cast<uint8_t *>(array->data()), 4 * array->size()};
      parameters.push_back(
          Element::fromBits(Format::Pointer, memory.allocate(std::move(allocation), 1).address));
    }
    return exploreAll(*program, *runtime::Grid::create(blocks), memory,
                      llvm::DenseMap<mlir::StringAttr, uint64_t>(), parameters, options, limits);
  }

  std::vector<int32_t> x, y;

private:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// `X[0] = 1; Y[2] = 3;` for each outcome, or the findings and the limit if there are any.
std::vector<std::string> outcomesOf(const ExhaustiveResult &result) {
  std::vector<std::string> texts;
  if (result.limit)
    texts.push_back("not all: " + *result.limit);
  for (const Finding &finding : result.findings)
    texts.push_back(finding.message);
  if (!texts.empty())
    return texts;
  for (const MemoryChange &outcome : result.outcomes) {
    std::string text;
    for (const ArrayElement &element : outcome)
      text += (text.empty() ? "" : " ") + element.array + "[" + std::to_string(element.index) +
              "] = " + std::to_string(int32_t(element.value.bits)) + ";";
    texts.push_back(text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

/// Block 0 stores a tile and sets a flag; block 1 waits for it and copies the tile.
const std::string messagePassing = R"(
  %index = iota : tile<4xi32>
  %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %data = offset %xs, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %four = constant <i32: 4> : tile<i32>
  %flag = offset %y, %four : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
  if %first {
    %s = store_ptr_tko weak %data, %index : tile<4xptr<i32>>, tile<4xi32> -> token
    %f = store_ptr_tko release device %flag, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token
  } else {
    %t0 = make_token : token
    %go = loop iter_values(%tk = %t0) : token -> token {
      %f, %ft = load_ptr_tko ORDERING device %flag token=%tk : tile<ptr<i32>> -> tile<i32>, token
      %ready = cmpi not_equal %f, %0, signed : tile<i32> -> tile<i1>
      if %ready { break %ft : token }
      continue %ft : token
    }
    %v, %t = load_ptr_tko weak %data token=%go : tile<4xptr<i32>> -> tile<4xi32>, token
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ys = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %copy = offset %ys, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %s = store_ptr_tko weak %copy, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  })";

std::string with(std::string text, const std::string &what, const std::string &by) {
  for (size_t at; (at = text.find(what)) != std::string::npos;)
    text.replace(at, what.size(), by);
  return text;
}

TEST(Exhaustive, MessagePassing) {
  Kernel kernel(with(messagePassing, "ORDERING", "acquire"), 5);
  EXPECT_EQ(outcomesOf(kernel.explore(2)),
            Texts{"X[1] = 1; X[2] = 2; X[3] = 3; Y[1] = 1; Y[2] = 2; Y[3] = 3; Y[4] = 1;"});
  EXPECT_EQ(kernel.x, std::vector<int32_t>(5)) << "memory is put back";
}

TEST(Exhaustive, ReportsRaces) {
  Kernel kernel(with(messagePassing, "ORDERING", "relaxed"), 5);
  ExhaustiveResult result = kernel.explore(2);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].message,
            "block (1, 0, 0): load_ptr_tko: race on X[0] with store_ptr_tko by block (0, 0, 0): "
            "nothing orders the two, and both are weak");
  EXPECT_EQ(checkOf(result.findings[0]), Check::Race);
  EXPECT_FALSE(result.agrees());
}

TEST(Exhaustive, ReportsEndlessWaits) {
  // A consumer without producer: no block sets the flag.
  Kernel kernel(with(with(messagePassing, "ORDERING", "acquire"), "equal %bx, %0", "equal %bx, %1"),
                5);
  EXPECT_EQ(outcomesOf(kernel.explore(1)),
            Texts{"block (0, 0, 0): loop: may wait for ever: in some execution nobody writes what "
                  "would end it"});
}

/// Every block increments the counter X under the lock Y. An `xchg` on a taken lock writes the
/// value that is already there.
TEST(Exhaustive, Locks) {
  const std::string locked = R"(
    %t0 = make_token : token
    %in = loop iter_values(%tk = %t0) : token -> token {
      %was, %ct = atomic_rmw_tko acquire device %y, xchg, %1 token=%tk : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %mine = cmpi equal %was, %0, signed : tile<i32> -> tile<i1>
      if %mine { break %ct : token }
      continue %ct : token
    }
    %c, %lt = load_ptr_tko weak %x token=%in : tile<ptr<i32>> -> tile<i32>, token
    %c1 = addi %c, %1 : tile<i32>
    %wt = store_ptr_tko weak %x, %c1 token=%lt : tile<ptr<i32>>, tile<i32> -> token
    %gone, %ut = atomic_rmw_tko UNLOCK device %y, xchg, %0 token=%wt : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)";
  for (int64_t blocks : {1, 2, 3})
    EXPECT_EQ(outcomesOf(Kernel(with(locked, "UNLOCK", "release")).explore(blocks)),
              Texts{"X[0] = " + std::to_string(blocks) + ";"});
  EXPECT_FALSE(Kernel(with(locked, "UNLOCK", "relaxed")).explore(2).findings.empty());
}

TEST(Exhaustive, StopsAtTheFirstErrorIfAsked) {
  const std::string store = "%t = store_ptr_tko HOW %x, %1 : tile<ptr<i32>>, tile<i32> -> token";
  ExhaustiveLimits limits;
  limits.stopsAtError = true;
  const ExhaustiveResult racing = Kernel(with(store, "HOW", "weak")).explore(2, limits);
  EXPECT_EQ(racing.findings.size(), 1u);
  EXPECT_EQ(racing.limit, explorationHasSeenEnough);
  EXPECT_EQ(Kernel(with(store, "HOW", "relaxed device")).explore(2, limits).limit, std::nullopt);
}

TEST(Exhaustive, OrdersAtomics) {
  // Each block stores the old value: all orders of the three blocks occur, and the sum is 3.
  Kernel kernel(R"(
    %old, %t = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %mine = offset %y, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s = store_ptr_tko weak %mine, %old : tile<ptr<i32>>, tile<i32> -> token)");
  EXPECT_EQ(outcomesOf(kernel.explore(3)),
            (Texts{"X[0] = 3; Y[0] = 1; Y[1] = 2;", "X[0] = 3; Y[0] = 1; Y[2] = 2;",
                   "X[0] = 3; Y[0] = 2; Y[1] = 1;", "X[0] = 3; Y[0] = 2; Y[2] = 1;",
                   "X[0] = 3; Y[1] = 1; Y[2] = 2;", "X[0] = 3; Y[1] = 2; Y[2] = 1;"}));
}

/// Blocks that each increment X repeatedly, ordered by a token. An execution is an interleaving of
/// these atomics, and the search must do little more than enumerate them.
TEST(Exhaustive, CostIsProportionalToExecutions) {
  auto interleavings = [](uint64_t blocks, uint64_t times) {
    uint64_t count = 1, placed = 0;
    for (uint64_t block = 0; block < blocks; ++block)
      for (uint64_t time = 1; time <= times; ++time)
        count = count * ++placed / time;
    return count;
  };
  EXPECT_EQ(interleavings(2, 4), 70u);
  for (auto [blocks, times] : {std::pair(2, 1), {2, 3}, {2, 4}, {3, 2}, {3, 3}, {2, 6}}) {
    std::string body = "%t0 = make_token : token";
    for (int time = 0; time < times; ++time)
      body += with(with(R"(
    %oTHIS, %tNEXT = atomic_rmw_tko relaxed device %x, add, %1 token=%tTHIS : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)",
                        "THIS", std::to_string(time)),
                   "NEXT", std::to_string(time + 1));
    uint64_t expected = interleavings(blocks, times);
    ExhaustiveLimits limits;
    limits.exploration.runs = 8 * expected;
    ExhaustiveResult result = Kernel(body).explore(blocks, limits);
    EXPECT_EQ(result.limit, std::nullopt);
    EXPECT_EQ(result.executions, expected);
    EXPECT_EQ(outcomesOf(result), Texts{"X[0] = " + std::to_string(blocks * times) + ";"});
  }
}

TEST(Exhaustive, UpdatesInPlace) {
  // Four iterations over one private element, in the array and in an alloca.
  const std::string loop = R"(
    %n = constant <i32: 4> : tile<i32>
    %begin = make_token : token
    %place = WHERE
    %start = store_ptr_tko weak %place, %1 token=%begin : tile<ptr<i32>>, tile<i32> -> token
    %end = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%tk = %start) -> (token) {
      %v, %lt = load_ptr_tko weak %place token=%tk : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %v, %v : tile<i32>
      %st = store_ptr_tko weak %place, %next token=%lt : tile<ptr<i32>>, tile<i32> -> token
      continue %st : token
    }
    %v, %lt = load_ptr_tko weak %place token=%end : tile<ptr<i32>> -> tile<i32>, token
    %mine = offset %y, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s = store_ptr_tko weak %mine, %v : tile<ptr<i32>>, tile<i32> -> token)";
  Kernel inArray(
      with(loop, "WHERE", "offset %x, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>"));
  EXPECT_EQ(outcomesOf(inArray.explore(2)), Texts{"X[0] = 16; X[1] = 16; Y[0] = 16; Y[1] = 16;"});
  Kernel inAlloca(with(loop, "WHERE", "alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>"));
  EXPECT_EQ(outcomesOf(inAlloca.explore(2)), Texts{"Y[0] = 16; Y[1] = 16;"});
}

TEST(Exhaustive, ForbidsOutOfThinAirValues) {
  // Block 0 increments the value of X and stores it to Y; block 1 does the reverse.
  Kernel kernel(R"(
    %first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    %from = select %first, %x, %y : tile<i1>, tile<ptr<i32>>
    %to = select %first, %y, %x : tile<i1>, tile<ptr<i32>>
    %v, %t = load_ptr_tko relaxed device %from : tile<ptr<i32>> -> tile<i32>, token
    %next = addi %v, %1 : tile<i32>
    %s = store_ptr_tko relaxed device %to, %next : tile<ptr<i32>>, tile<i32> -> token)");
  EXPECT_EQ(outcomesOf(kernel.explore(2)),
            (Texts{"X[0] = 1; Y[0] = 1;", "X[0] = 1; Y[0] = 2;", "X[0] = 2; Y[0] = 1;"}));
}

TEST(Exhaustive, ReportsLimits) {
  Kernel global(R"(
    %place = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>)");
  std::optional<std::string> limit = global.explore(1).limit;
  ASSERT_TRUE(limit);
  EXPECT_NE(limit->find("`global`"), std::string::npos);

  ExhaustiveLimits few;
  few.accesses = 3;
  Kernel passing(with(messagePassing, "ORDERING", "acquire"), 5);
  EXPECT_EQ(passing.explore(2, few).limit, "block 0 accesses more than 3 elements");

  ExhaustiveLimits once;
  once.exploration.runs = 1;
  EXPECT_EQ(passing.explore(2, once).limit, "more than 1 runs of tile blocks");
}

/// The loop runs twice, but 20 times with the stand-in value of X.
TEST(Exhaustive, IgnoresLimitsReachedOnlyByPlaceholders) {
  Kernel kernel(R"(
    %2 = constant <i32: 2> : tile<i32>
    %s = store_ptr_tko weak %x, %2 : tile<ptr<i32>>, tile<i32> -> token
    %n, %t = load_ptr_tko weak %x token=%s : tile<ptr<i32>> -> tile<i32>, token
    %end = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%tk = %t) -> (token) {
      %v, %vt = load_ptr_tko weak %y token=%tk : tile<ptr<i32>> -> tile<i32>, token
      continue %vt : token
    })");
  kernel.x[0] = 20;
  ExhaustiveLimits limits;
  limits.accesses = 4;
  LaunchOptions options;
  options.maxSteps = 20;
  ExhaustiveResult result = kernel.explore(1, limits, options);
  EXPECT_EQ(outcomesOf(result), Texts{"X[0] = 2;"});
  EXPECT_EQ(result.executions, 1u);

  limits.accesses = 3;
  EXPECT_EQ(kernel.explore(1, limits, options).limit, "block 0 accesses more than 3 elements");
  options.maxSteps = 7;
  EXPECT_EQ(kernel.explore(1, {}, options).limit, "block 0 executes more than 7 operations");
}

/// In one execution block 0 reads the 1 of block 1, which has read the 1 that is stored after the
/// loop. With the stand-in value the run does not get there.
TEST(Exhaustive, ReportsLimitThatHidesSourceOfRead) {
  Kernel kernel(R"(
    %first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %first {
      %s = store_ptr_tko relaxed device %x, %0 : tile<ptr<i32>>, tile<i32> -> token
      %n, %t = load_ptr_tko relaxed device %x token=%s : tile<ptr<i32>> -> tile<i32>, token
      for %k in (%0 to %n, step %1) : tile<i32> {
        %v, %vt = load_ptr_tko relaxed device %y : tile<ptr<i32>> -> tile<i32>, token
      }
      %f = store_ptr_tko relaxed device %y, %1 : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %n, %t = load_ptr_tko relaxed device %y : tile<ptr<i32>> -> tile<i32>, token
      %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>
      if %is {
        %s = store_ptr_tko relaxed device %x, %1 : tile<ptr<i32>>, tile<i32> -> token
      }
    })");
  kernel.x[0] = 20;
  ExhaustiveLimits limits;
  limits.accesses = 10;
  EXPECT_EQ(kernel.explore(2, limits).limit, "block 0 accesses more than 10 elements");
  EXPECT_EQ(outcomesOf(kernel.explore(2)), (Texts{"X[0] = 0; Y[0] = 1;", "X[0] = 1; Y[0] = 1;"}));
}

TEST(Exhaustive, CancelBeforeStart) {
  std::atomic<bool> cancelled = true;
  LaunchOptions options;
  options.cancelled = &cancelled;
  Kernel kernel(with(messagePassing, "ORDERING", "acquire"), 5);
  ExhaustiveResult result = kernel.explore(2, {}, options);
  EXPECT_EQ(result.limit, "the exploration was cancelled");
  EXPECT_EQ(result.executions, 0u);
  EXPECT_FALSE(result.agrees());
}

/// Six blocks that each update the counter twice have 12!/2^6 executions, which take much longer to
/// explore than the other thread waits. Memory is restored.
TEST(Exhaustive, CancelFromAnotherThread) {
  Kernel kernel(R"(
    %a, %t = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %b, %u = atomic_rmw_tko relaxed device %x, add, %1 token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token)");
  std::atomic<bool> cancelled = false;
  LaunchOptions options;
  options.cancelled = &cancelled;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled = true;
  });
  ExhaustiveResult result = kernel.explore(6, {}, options);
  other.join();
  EXPECT_EQ(result.limit, "the exploration was cancelled");
  EXPECT_EQ(kernel.x, std::vector<int32_t>(4));
}

/// Cancellation also works during one run of a block.
TEST(Exhaustive, CancelDuringLongRun) {
  Kernel kernel(R"(
    %n = constant <i32: 2147483647> : tile<i32>
    for %k in (%0 to %n, step %1) : tile<i32> { continue })");
  std::atomic<bool> cancelled = false;
  LaunchOptions options;
  options.cancelled = &cancelled;
  options.maxSteps = std::numeric_limits<int64_t>::max();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled = true;
  });
  EXPECT_EQ(kernel.explore(1, {}, options).limit, "the exploration was cancelled");
  other.join();
}

} // namespace
