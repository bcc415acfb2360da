// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: allocation, views, and invalid accesses.

#include "test/support/simt/SimtTest.h"

using namespace tilewright::simt;

using Values = std::vector<double>;

TEST(Memory, StacksAreOwnAndHeapsAreShared) {
  const std::string test = " : memref<1xindex>\nmemref.store %t, %m[%c0] : memref<1xindex>\n"
                           "%r = memref.load %m[%c0] : memref<1xindex>";
  EXPECT_EQ(perThread("%m = memref.alloca()" + test).values(0), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(perThread("%m = memref.alloca()" + test).ruleIds(), RuleIds{});
  EXPECT_EQ(perThread("%m = memref.alloc()" + test).values(0), Values(8, 7));
  EXPECT_EQ(perThread("%m = memref.alloc()" + test).ruleIds(), (RuleIds{"race", "race"}));
}

static const std::string shared = "memref<8xindex, #gpu.address_space<workgroup>>";

/// Thread t reads through shared memory what its neighbour wrote.
static std::string exchange(const std::string &between) {
  return "%m = memref.alloc() : " + shared +
         "\n%n = affine.apply affine_map<(d) -> ((d + 1) mod 8)>(%t)\n"
         "memref.store %t, %m[%t] : " +
         shared + "\n" + between + "\n%r = memref.load %m[%n] : " + shared;
}

TEST(Memory, BarriersOrder) {
  Ran ran = perThread(exchange("gpu.barrier"));
  EXPECT_EQ(ran.ruleIds(), RuleIds{});
  EXPECT_EQ(ran.values(0), (Values{1, 2, 3, 4, 5, 6, 7, 0}));
}

TEST(Memory, RacesNameBothSides) {
  Ran ran = perThread(exchange(""));
  ASSERT_EQ(ran.ruleIds(), RuleIds{"race"});
  const std::string &message = ran.findings[0].message;
  EXPECT_TRUE(llvm::StringRef(message).starts_with(
      "race on element [1] of the memory of 'memref.alloc' at "))
      << message;
  EXPECT_NE(message.find(": read by thread 0 ('memref.load') and, with no barrier between, "
                         "write by thread 1 ('memref.store' at"),
            std::string::npos)
      << message;
  ASSERT_EQ(ran.findings[0].related.size(), 1u);
  EXPECT_NE(ran.findings[0].related[0].location, ran.findings[0].location);
  EXPECT_EQ(ran.findings[0].thread, 0);
  EXPECT_EQ(ran.findings[0].arrayElement, 1);
  EXPECT_EQ(ran.findings[0].operation, "memref.load");
}

/// Only the last two threads access the same element; the elements span two pages.
TEST(Memory, RacesInLargeMemory) {
  Ran ran = perThread("%m = memref.alloc() : memref<8193xindex>\n"
                      "%i = affine.apply affine_map<(t) -> (8192 - t + t floordiv 7)>(%t)\n"
                      "memref.store %t, %m[%i] : memref<8193xindex>\n"
                      "%r = arith.addi %t, %t : index");
  ASSERT_EQ(ran.ruleIds(), RuleIds{"race"});
  EXPECT_TRUE(llvm::StringRef(ran.findings[0].message).starts_with("race on element [8186] of "))
      << ran.findings[0].message;
}

/// Elements read in one iteration are written in the next, so it needs a barrier at its start.
TEST(Memory, BuffersInLoopsRaceWithThemselves) {
  const auto loop = [](const std::string &first) {
    return perThread("%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> index {\n" +
                     first + "%m = memref.alloc() : " + shared +
                     "\n%n = affine.apply affine_map<(d) -> ((d + 1) mod 8)>(%t)\n"
                     "memref.store %t, %m[%t] : " +
                     shared + "\ngpu.barrier\n%x = memref.load %m[%n] : " + shared +
                     "\n%y = arith.addi %s, %x : index scf.yield %y : index }");
  };
  EXPECT_EQ(loop("gpu.barrier\n").ruleIds(), RuleIds{});
  EXPECT_EQ(loop("gpu.barrier\n").values(0), (Values{4, 8, 12, 16, 20, 24, 28, 0}));
  EXPECT_EQ(loop("").ruleIds(), RuleIds{"race"});
}

/// Even if the values are equal: all threads write to the same place.
TEST(Memory, WritersOfEqualValuesRace) {
  EXPECT_EQ(perThread("memref.store %c4, %out[%c0] : memref<8xindex>\ngpu.barrier\n%r = "
                      "arith.constant 1 : index")
                .ruleIds(),
            RuleIds{"race"});
  EXPECT_EQ(perThread("%f = arith.cmpi eq, %t, %c4 : index scf.if %f { memref.store %c4, %out[%c0] "
                      ": memref<8xindex> }\n"
                      "gpu.barrier\n%r = memref.load %out[%c0] : memref<8xindex>")
                .ruleIds(),
            RuleIds{"race"});
}

TEST(Memory, AtomicsDoNotRaceWithOneAnother) {
  const auto run = [](const std::string &last) {
    return runText(
        "func.func @f(%out: memref<1xi32>) {\n%c0 = arith.constant 0 : index %t = gpu.thread_id x\n"
        "%l = arith.index_cast %t : index to i32\n"
        "%o = memref.atomic_rmw addi %l, %out[%c0] : (i32, memref<1xi32>) -> i32\n" +
            last + "return }",
        {{8, 1, 1}, 8}, {zeros({1})});
  };
  EXPECT_EQ(run("").ruleIds(), RuleIds{});
  EXPECT_EQ(run("").values(0), Values{28});
  EXPECT_EQ(run("memref.store %l, %out[%c0] : memref<1xi32>\n").ruleIds(),
            (RuleIds{"race", "race"}));
}

TEST(Memory, UninitializedReadsAreFound) {
  Ran ran = perThread("%m = memref.alloc() : " + shared + "\n%r = memref.load %m[%t] : " + shared);
  ASSERT_EQ(ran.ruleIds(), RuleIds{"uninitialized-read"});
  EXPECT_NE(ran.findings[0].message.find("thread 0 reads"), std::string::npos);
}

TEST(Memory, OutsideIsFound) {
  Ran ran =
      perThread("%r = memref.load %out[%t] : memref<8xindex>\n%i = arith.addi %t, %c1 : index\n"
                "memref.store %r, %out[%i] : memref<8xindex>");
  ASSERT_FALSE(ran.findings.empty());
  EXPECT_EQ(ran.ruleIds().back(), "out-of-bounds");
  EXPECT_EQ(ran.findings.back().message,
            "thread 7 accesses argument 0 at index 8 of dimension 0, which has extent 8");
}

TEST(Memory, Globals) {
  EXPECT_EQ(
      perThread(
          "%m = memref.get_global @table : memref<8xindex>\n%r = memref.load %m[%t] : "
          "memref<8xindex>",
          "memref.global constant @table : memref<8xindex> = dense<[8, 7, 6, 5, 4, 3, 2, 1]>\n")
          .values(0),
      (Values{8, 7, 6, 5, 4, 3, 2, 1}));
}

/// Views of a 4 x 4 memory whose elements are their own indices; thread t reads element t.
static Values view(const std::string &views, const std::string &type, const std::string &index) {
  Ran ran = runText(
      "func.func @f(%in: memref<4x4xindex>, %out: memref<8xindex>) {\n%t = gpu.thread_id x\n"
      "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index\n"
      "%i:2 = affine.delinearize_index %t into (4, 2) : index, index\n" +
          views + "\n%r = memref.load %v[" + index + "] : " + type +
          "\nmemref.store %r, %out[%t] : memref<8xindex>\nreturn }",
      {{8, 1, 1}, 8}, {iota({4, 4}), zeros({8})});
  EXPECT_EQ(ran.refusal, "");
  EXPECT_EQ(ran.ruleIds(), RuleIds{});
  return ran.values(1);
}

TEST(Memory, Views) {
  EXPECT_EQ(view("%v = memref.subview %in[0, %c1] [4, 2] [1, 2] : memref<4x4xindex> to "
                 "memref<4x2xindex, strided<[4, 2], offset: ?>>",
                 "memref<4x2xindex, strided<[4, 2], offset: ?>>", "%i#0, %i#1"),
            (Values{1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(
      view("%v = memref.collapse_shape %in [[0, 1]] : memref<4x4xindex> into memref<16xindex>",
           "memref<16xindex>", "%t"),
      (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(view("%v = memref.expand_shape %in [[0, 1], [2]] output_shape [2, 2, 4] : "
                 "memref<4x4xindex> into memref<2x2x4xindex>",
                 "memref<2x2x4xindex>", "%c1, %i#1, %c1"),
            (Values{9, 13, 9, 13, 9, 13, 9, 13}));
  EXPECT_EQ(view("%v = memref.transpose %in (i, j) -> (j, i) : memref<4x4xindex> to "
                 "memref<4x4xindex, strided<[1, 4]>>",
                 "memref<4x4xindex, strided<[1, 4]>>", "%i#0, %i#1"),
            (Values{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(view("%v = memref.reinterpret_cast %in to offset: [2], sizes: [8], strides: [1] : "
                 "memref<4x4xindex> to memref<8xindex, strided<[1], offset: 2>>",
                 "memref<8xindex, strided<[1], offset: 2>>", "%t"),
            (Values{2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(view("%a = memref.assume_alignment %in, 16 : memref<4x4xindex>\n"
                 "%s = memref.memory_space_cast %a : memref<4x4xindex> to memref<4x4xindex, 1>\n"
                 "%v = memref.cast %s : memref<4x4xindex, 1> to memref<?x4xindex, 1>",
                 "memref<?x4xindex, 1>", "%i#0, %i#1"),
            (Values{0, 1, 4, 5, 8, 9, 12, 13}));
}

TEST(Memory, DynamicExtents) {
  EXPECT_EQ(
      perThread(
          "%m = memref.alloc(%c4) : memref<?xindex>\n%r = memref.dim %m, %c0 : memref<?xindex>\n"
          "memref.dealloc %m : memref<?xindex>")
          .values(0),
      Values(8, 4));
  EXPECT_EQ(
      perThread(
          "%m = memref.alloc(%t) : memref<?xindex>\n%r = memref.dim %m, %c0 : memref<?xindex>")
          .refusal.empty(),
      false);
}

/// The rows of an argument may be longer than its type shows.
TEST(Memory, StridedArguments) {
  Ran ran = runText(R"(func.func @f(%m: memref<2x2xf32, strided<[4, 1], offset: 1>>) {
      %c1 = arith.constant 1 : index
      %x = arith.constant 9.0 : f32
      memref.store %x, %m[%c1, %c1] : memref<2x2xf32, strided<[4, 1], offset: 1>>
      return })",
                    {}, {iota({2, 2})});
  EXPECT_EQ(ran.values(0), (Values{0, 1, 2, 9}));
}

/// A shape whose number of elements overflows 64 bits is refused.
TEST(Memory, CountsThatOverflowAreRefused) {
  EXPECT_NE(
      perThread("%n = arith.constant 4611686018427387904 : index\n"
                "%m = memref.alloc(%n, %n) : memref<?x?xindex>\n%r = arith.constant 0 : index")
          .refusal.find("more elements than 64 bits can count"),
      std::string::npos);
}

TEST(Memory, ViewsOutsideAreFound) {
  EXPECT_EQ(perThread("%v = memref.subview %out[%t] [2] [1] : memref<8xindex> to memref<2xindex, "
                      "strided<[1], offset: ?>>\n"
                      "%r = arith.constant 0 : index")
                .ruleIds(),
            RuleIds{"out-of-bounds"});
  EXPECT_EQ(perThread("%v = memref.reinterpret_cast %out to offset: [7], sizes: [2], strides: [1] "
                      ": memref<8xindex> to "
                      "memref<2xindex, strided<[1], offset: 7>>\n"
                      "%r = memref.load %v[%c1] : memref<2xindex, strided<[1], offset: 7>>")
                .ruleIds(),
            RuleIds{"out-of-bounds"});
}

/// There are two iterations: the second does not see values of the first.
TEST(Memory, StacksAreNewInEachTurn) {
  EXPECT_EQ(
      perThread("%c2 = arith.constant 2 : index\nscf.for %i = %c0 to %c2 step %c1 {\n"
                "%m = memref.alloca() : memref<1xindex>\n%first = arith.cmpi eq, %i, %c0 : index\n"
                "scf.if %first { memref.store %t, %m[%c0] : memref<1xindex> } else {\n"
                "%x = memref.load %m[%c0] : memref<1xindex> } }\n%r = arith.constant 0 : index")
          .ruleIds(),
      RuleIds{"uninitialized-read"});
}
