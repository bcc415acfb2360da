// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests where barriers are placed. Expected results are derived by hand from the tokens (memory
// model, 5).

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

/// An access is named by a letter, which is also its token.
class NvidiaBarriers : public testing::Test {
protected:
  NvidiaBarriers() { context.loadDialect<tile::TileDialect>(); }

  static std::string load(const std::string &name, const std::string &token = "",
                          const std::string &order = "weak") {
    return "%v" + name + ", %" + name + " = load_ptr_tko " + order + " %p" + after(token) +
           " : tile<ptr<i32>> -> tile<i32>, token loc(\"" + name + "\")\n";
  }
  static std::string store(const std::string &name, const std::string &token = "",
                           const std::string &order = "weak") {
    return "%" + name + " = store_ptr_tko " + order + " %p, %one" + after(token) +
           " : tile<ptr<i32>>, tile<i32> -> token loc(\"" + name + "\")\n";
  }

  /// The names of the accesses that follow a barrier, in program order.
  std::string barriersOf(const std::string &body) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m {\n entry @k(%p: tile<ptr<i32>>, %holds: tile<i1>) {\n"
        "%zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n"
        "%none = make_token : token\n" +
            body + "\n}\n}\n",
        &context);
    EXPECT_TRUE(bool(module));
    std::string names;
    if (module)
      module->walk([&](tile::EntryOp entry) {
        Plan plan(entry, *Target::named("sm_80"));
        entry.walk([&](mlir::Operation *op) {
          if (plan.barriers.contains(op))
            names += llvm::cast<mlir::NameLoc>(op->getLoc()).getName().str();
        });
      });
    return names;
  }

  mlir::MLIRContext context;

private:
  static std::string after(const std::string &token) {
    return token.empty() ? "" : " token=%" + token;
  }
};

TEST_F(NvidiaBarriers, standWhereATokenOrdersAWrite) {
  EXPECT_EQ(barriersOf(store("a") + load("b", "a")), "b");
  EXPECT_EQ(barriersOf(load("a") + store("b", "a")), "b");
  EXPECT_EQ(barriersOf(store("a") + store("b", "a")), "b");
  EXPECT_EQ(barriersOf(load("a") + load("b", "a")), "");
}

TEST_F(NvidiaBarriers, areNotNeededWhereNoTokenLeads) {
  EXPECT_EQ(barriersOf(store("a") + load("b")), "");
  EXPECT_EQ(barriersOf(store("a") + load("b", "none")), "");
  EXPECT_EQ(barriersOf(store("a") + load("b") + load("c", "b")), "");
}

TEST_F(NvidiaBarriers, oneIsEnoughForAllAccessesBefore) {
  EXPECT_EQ(barriersOf(store("a") + store("b") + load("c", "a") + load("d", "b")), "c");
  EXPECT_EQ(barriersOf(store("a") + load("b", "a") + store("c", "b") + load("d", "c")), "bcd");
}

TEST_F(NvidiaBarriers, tokensGoThroughJoinsAndPrints) {
  EXPECT_EQ(
      barriersOf(load("a") + store("b") + "%j = join_tokens %a, %b : token\n" + load("c", "j")),
      "c");
  EXPECT_EQ(barriersOf(store("a") + "%q = print_tko \"x\" token=%a -> token\n" + load("b", "q")),
            "b");
}

TEST_F(NvidiaBarriers, whatFollowsAnOrderedLoadSeesWhatItSaw) {
  EXPECT_EQ(barriersOf(load("a", "", "acquire device") + load("b", "a")), "b");
  EXPECT_EQ(barriersOf(load("a") + load("b", "a", "acquire device")), "");
}

static std::string inFor(const std::string &body, const std::string &last) {
  return "%r = for %i in (%zero to %one, step %one) : tile<i32> iter_values(%t = %none) -> (token) "
         "{\n" +
         body + "continue %" + last + " : token\n}\n";
}

TEST_F(NvidiaBarriers, loadsOfALoopWaitForNothing) {
  EXPECT_EQ(barriersOf(inFor(load("a", "t") + load("b", "a"), "b")), "");
}

TEST_F(NvidiaBarriers, iterationsWaitForEarlierOnes) {
  EXPECT_EQ(barriersOf(inFor(load("a", "t") + store("b", "a"), "b")), "ab");
  EXPECT_EQ(barriersOf(inFor(store("a", "t"), "a")), "a");
  // No token comes from an earlier iteration.
  EXPECT_EQ(barriersOf(inFor(load("a") + store("b", "a"), "b")), "b");
}

TEST_F(NvidiaBarriers, aLoopIsWaitedFor) {
  EXPECT_EQ(barriersOf(inFor(store("a"), "a") + load("b", "r")), "b");
  EXPECT_EQ(barriersOf(inFor(load("a"), "a") + load("b", "r")), "");
  // If there is no iteration, the barrier in the loop is not reached.
  EXPECT_EQ(barriersOf(store("a") + inFor(load("b", "a"), "b") + load("c", "a")), "bc");
}

/// An access before the loop that no token of the loop orders needs no barrier in it.
TEST_F(NvidiaBarriers, aLoopTakesTokensFromOutside) {
  EXPECT_EQ(barriersOf(store("a") + inFor(load("b", "t"), "b") + load("c", "r")), "");
  EXPECT_EQ(barriersOf(store("a") + inFor(load("b", "t"), "a") + load("c", "r")), "bc");
  EXPECT_EQ(
      barriersOf(store("a") + inFor("%j = join_tokens %a, %t : token\n" + load("b", "t"), "j")),
      "b");
}

/// Each iteration uses the same memory, which is new to the program: no token expresses that.
TEST_F(NvidiaBarriers, iterationsReuseTheMemoryOfAnAlloca) {
  const std::string memory =
      "%m = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>> loc(\"m\")\n";
  const std::string use = "%s = store_ptr_tko weak %m, %one : tile<ptr<i32>>, tile<i32> -> token "
                          "loc(\"s\")\n%v, %l = load_ptr_tko weak %m token=%s : tile<ptr<i32>> -> "
                          "tile<i32>, token loc(\"l\")\n";
  EXPECT_EQ(barriersOf(memory + use), "l");
  EXPECT_EQ(barriersOf(inFor(memory + use, "none")), "ml");
  EXPECT_EQ(barriersOf(inFor(memory, "none")), "");
}

/// A fence has barriers of its own.
TEST_F(NvidiaBarriers, afterAFenceNobodyWaits) {
  EXPECT_EQ(barriersOf(store("a") + "%f = memory_fence_alias_tko token = %a -> token\n" +
                       load("b", "f") + load("c", "a")),
            "");
}

TEST_F(NvidiaBarriers, breaksCarryTokensOut) {
  EXPECT_EQ(barriersOf("%r = loop iter_values(%t = %none) : token -> token {\n" + load("a", "t") +
                       "if %holds {\n" + store("b", "a") +
                       "break %b : token\n}\ncontinue %a : token\n}\n" + load("d", "r")),
            "abd"); // a: the loop has a store; whether that leaves the loop is not analysed
}

TEST_F(NvidiaBarriers, bothBranchesCount) {
  auto branches = [](const std::string &then, const std::string &otherwise) {
    return "if %holds {\n" + then + "} else {\n" + otherwise + "}\n";
  };
  EXPECT_EQ(barriersOf(store("a") + branches(load("b", "a"), load("d", "a")) + load("e", "a")),
            "bd");
  EXPECT_EQ(barriersOf(store("a") + branches(load("b", "a"), "") + load("e", "a")), "be");
  EXPECT_EQ(barriersOf(store("a") + branches("", load("b", "a")) + load("e", "a")), "be");
  EXPECT_EQ(barriersOf(store("a") + branches("return\n", load("b", "a")) + load("e", "a")), "b");
}

TEST_F(NvidiaBarriers, branchesYieldTokens) {
  EXPECT_EQ(barriersOf("%r = if %holds -> (token) {\n" + store("a") +
                       "yield %a : token\n} else {\n" + load("b") + "yield %b : token\n}\n" +
                       load("d", "r")),
            "d");
  EXPECT_EQ(barriersOf("%r = if %holds -> (token) {\n" + load("a") +
                       "yield %a : token\n} else {\n" + load("b") + "yield %b : token\n}\n" +
                       load("d", "r")),
            "");
}

} // namespace
