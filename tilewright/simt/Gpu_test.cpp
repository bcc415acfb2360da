// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that threads execute together.

#include "test/support/simt/SimtTest.h"

using namespace tilewright::simt;

using Values = std::vector<double>;

/// Each thread starts with its number as the i32 %l, and stores %r.
static Ran together(const std::string &body, Workgroup workgroup, const std::string &type = "i32") {
  const int64_t count = workgroup.size();
  return runText("func.func @f(%out: memref<" + std::to_string(count) + "x" + type + R"(>) {
                   %t = gpu.thread_id x
                   %l = arith.index_cast %t : index to i32
                   )" +
                     body + "\nmemref.store %r, %out[%t] : memref<" + std::to_string(count) + "x" +
                     type + ">\nreturn }",
                 workgroup, {zeros({count})});
}

static const std::string widths = "%o = arith.constant 1 : i32 %w = arith.constant 4 : i32\n";

TEST(Ids, AreCountedWithXFastest) {
  Ran ran = runText(R"(func.func @f(%out: memref<2x3x2x8xindex>) {
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %z = gpu.thread_id z
      %l = gpu.lane_id
      %s = gpu.subgroup_id : index
      %n = gpu.num_subgroups : index
      %w = gpu.subgroup_size : index
      %d = gpu.block_dim y
      %b = gpu.block_id x
      %g = gpu.grid_dim x
      %v = vector.from_elements %l, %s, %n, %w, %d, %b, %g, %x : vector<8xindex>
      %c0 = arith.constant 0 : index
      vector.store %v, %out[%z, %y, %x, %c0] : memref<2x3x2x8xindex>, vector<8xindex>
      return })",
                    {{2, 3, 2}, 8}, {zeros({2, 3, 2, 8})});
  EXPECT_EQ(ran.ruleIds(), RuleIds{});
  // Thread (1, 1, 1) is number 9: lane 1 of subgroup 1 of 2, of 8 lanes.
  const Values all = ran.values(0);
  EXPECT_EQ(Values(all.begin() + 72, all.begin() + 80), (Values{1, 1, 2, 8, 3, 0, 1, 1}));
}

TEST(Shuffles, Modes) {
  const auto shuffle = [](const std::string &mode) {
    return together(widths + "%s, %v = gpu.shuffle " + mode +
                        " %l, %o, %w : i32\n"
                        "%m = arith.constant -1 : i32 %r = arith.select %v, %s, %m : i32",
                    {{8, 1, 1}, 4})
        .values(0);
  };
  EXPECT_EQ(shuffle("xor"), (Values{1, 0, 3, 2, 5, 4, 7, 6}));
  EXPECT_EQ(shuffle("down"), (Values{1, 2, 3, -1, 5, 6, 7, -1}));
  EXPECT_EQ(shuffle("up"), (Values{-1, 0, 1, 2, -1, 4, 5, 6}));
  EXPECT_EQ(shuffle("idx"), (Values{1, 1, 1, 1, 5, 5, 5, 5}));
}

/// Lanes from the width on have a false validity result and poison as value.
TEST(Shuffles, Width) {
  Ran ran = together("%o = arith.constant 1 : i32 %w = arith.constant 2 : i32\n"
                     "%s, %v = gpu.shuffle xor %l, %o, %w : i32\n"
                     "%r = arith.extui %v : i1 to i32",
                     {{4, 1, 1}, 4});
  EXPECT_EQ(ran.values(0), (Values{1, 1, 0, 0}));
  EXPECT_EQ(together("%o = arith.constant 1 : i32 %w = arith.constant 2 : i32\n"
                     "%r, %v = gpu.shuffle xor %l, %o, %w : i32",
                     {{4, 1, 1}, 4})
                .ruleIds(),
            RuleIds{"poison"});
  EXPECT_EQ(together("%o = arith.constant 1 : i32 %w = arith.constant 8 : i32\n"
                     "%r, %v = gpu.shuffle xor %l, %o, %w : i32",
                     {{4, 1, 1}, 4})
                .ruleIds(),
            RuleIds{"out-of-bounds"});
}

TEST(Reduces, SubgroupsAndClusters) {
  const auto reduce = [](const std::string &cluster) {
    return together("%r = gpu.subgroup_reduce add %l " + cluster + " : (i32) -> i32",
                    {{8, 1, 1}, 8})
        .values(0);
  };
  EXPECT_EQ(reduce(""), Values(8, 28));
  EXPECT_EQ(reduce("cluster(size = 2)"), (Values{1, 1, 5, 5, 9, 9, 13, 13}));
  EXPECT_EQ(reduce("cluster(size = 2, stride = 4)"), (Values{4, 6, 8, 10, 4, 6, 8, 10}));
  EXPECT_EQ(reduce("uniform cluster(size = 4, stride = 2)"),
            (Values{12, 16, 12, 16, 12, 16, 12, 16}));
  EXPECT_EQ(together("%r = gpu.subgroup_reduce maxsi %l : (i32) -> i32", {{8, 1, 1}, 4}).values(0),
            (Values{3, 3, 3, 3, 7, 7, 7, 7}));
  EXPECT_EQ(together("%r = gpu.all_reduce add %l {} : (i32) -> i32", {{8, 1, 1}, 4}).values(0),
            Values(8, 28));
}

/// A tree of shuffles gives the same sum as the operation.
TEST(Reduces, EqualShuffles) {
  std::string body = "%w = arith.constant 8 : i32 %s0 = arith.addi %l, %l : i32\n";
  for (int step = 0; step < 3; ++step) {
    const std::string n = std::to_string(step),
                      next = step == 2 ? "r" : "s" + std::to_string(step + 1);
    body += "%o" + n + " = arith.constant " + std::to_string(1 << step) + " : i32\n%p" + n +
            ", %v" + n + " = gpu.shuffle xor %s" + n + ", %o" + n + ", %w : i32\n%" + next +
            " = arith.addi %s" + n + ", %p" + n + " : i32\n";
  }
  EXPECT_EQ(together(body, {{8, 1, 1}, 8}).values(0), Values(8, 56));
}

//===-- Not together ---------------------------------------------------------------------===//

static const std::string half =
    "%c = arith.constant 4 : index %h = arith.cmpi ult, %t, %c : index\n"
    "%r = arith.constant 0 : i32\n";

TEST(Divergence, BarrierOfHalf) {
  Ran ran = together(half + "scf.if %h { gpu.barrier }", {{8, 1, 1}, 8});
  ASSERT_EQ(ran.ruleIds(), RuleIds{"divergent-barrier"});
  EXPECT_NE(ran.findings[0].message.find(
                "'gpu.barrier' is reached by 4 of the 8 threads of the workgroup; "
                "'scf.if' at"),
            std::string::npos)
      << ran.findings[0].message;
  EXPECT_NE(ran.findings[0].message.find("went on with 4 of 8"), std::string::npos);
}

TEST(Divergence, SubgroupOperationsOfHalf) {
  for (const char *operation : {"%x = gpu.subgroup_reduce add %l : (i32) -> i32",
                                "%o = arith.constant 1 : i32 %w = arith.constant 8 : i32\n"
                                "%x, %v = gpu.shuffle xor %l, %o, %w : i32",
                                "%x = gpu.all_reduce add %l {} : (i32) -> i32"})
    EXPECT_EQ(together(half + "scf.if %h { " + operation + " }", {{8, 1, 1}, 8}).ruleIds(),
              RuleIds{"divergent-barrier"});
}

/// One of two whole subgroups may shuffle, and so may the first half of a subgroup with half the
/// width.
TEST(Divergence, WholeSubgroupsAreFine) {
  EXPECT_EQ(together(half + "scf.if %h { %x = gpu.subgroup_reduce add %l : (i32) -> i32 }",
                     {{8, 1, 1}, 4})
                .ruleIds(),
            RuleIds{});
  EXPECT_EQ(together(half + "scf.if %h { %o = arith.constant 1 : i32 %w = arith.constant 4 : i32\n"
                            "%x, %v = gpu.shuffle xor %l, %o, %w : i32 }",
                     {{8, 1, 1}, 8})
                .ruleIds(),
            RuleIds{});
}

TEST(Divergence, LoopsThatEndAtDifferentTimes) {
  EXPECT_EQ(together(half + "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index\n"
                            "scf.for %i = %c0 to %t step %c1 { gpu.barrier }",
                     {{8, 1, 1}, 8})
                .ruleIds(),
            RuleIds{"divergent-barrier"});
}
