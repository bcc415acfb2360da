// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, memory, and what a run refuses.

#include "tilewright/simt/Operations.h"
#include "tilewright/simt/SimtTest.h"

#include <cmath>
#include <set>

using namespace tilewright::simt;

using Values = std::vector<double>;

/// Each of eight threads starts with %t, its number, and leaves an index in %out[%t].
static Ran perThread(const std::string &body, const std::string &before = "") {
  return runText(before + R"(func.func @f(%out: memref<8xindex>) {
                   %t = gpu.thread_id x
                   %c0 = arith.constant 0 : index
                   %c1 = arith.constant 1 : index
                   %c4 = arith.constant 4 : index
                   %small = arith.cmpi ult, %t, %c4 : index
                   )" +
                     body + "\nmemref.store %r, %out[%t] : memref<8xindex>\nreturn }",
                 {{8, 1, 1}, 8}, {zeros({8})});
}

//===-- Control flow ---------------------------------------------------------------------===//

TEST(Control, BranchesMerge) {
  EXPECT_EQ(perThread("%r = scf.if %small -> index { scf.yield %t : index } else {\n"
                      "%d = arith.addi %t, %t : index scf.yield %d : index }")
                .values(0),
            (Values{0, 1, 2, 3, 8, 10, 12, 14}));
  // The same value from both sides, one of them uniform.
  EXPECT_EQ(
      perThread(
          "%r = scf.if %small -> index { scf.yield %c4 : index } else { scf.yield %t : index }")
          .values(0),
      (Values{4, 4, 4, 4, 4, 5, 6, 7}));
}

TEST(Control, NestedBranches) {
  EXPECT_EQ(
      perThread(
          "%first = arith.cmpi eq, %t, %c0 : index\n"
          "%r = scf.if %small -> index {\n"
          "  %i = scf.if %first -> index { scf.yield %c4 : index } else { scf.yield %c1 : index }\n"
          "  scf.yield %i : index } else { scf.yield %c0 : index }")
          .values(0),
      (Values{4, 1, 1, 1, 0, 0, 0, 0}));
}

TEST(Control, LoopsOfDifferentLengths) {
  // 0 + 1 + ... + (t - 1)
  EXPECT_EQ(perThread("%r = scf.for %i = %c0 to %t step %c1 iter_args(%s = %c0) -> index {\n"
                      "%n = arith.addi %s, %i : index scf.yield %n : index }")
                .values(0),
            (Values{0, 0, 1, 3, 6, 10, 15, 21}));
}

/// Both are yielded at once: the pair is swapped, not copied.
TEST(Control, LoopsSwap) {
  EXPECT_EQ(perThread("%c3 = arith.constant 3 : index\n"
                      "%r, %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t, %b = %c4) -> "
                      "(index, index) {\n"
                      "scf.yield %b, %a : index, index }")
                .values(0),
            Values(8, 4));
}

TEST(Control, LoopsOfIntegers) {
  EXPECT_EQ(
      perThread(
          "%a = arith.constant -2 : i8 %b = arith.constant 3 : i8 %s = arith.constant 2 : i8\n"
          "%r = scf.for %i = %a to %b step %s iter_args(%n = %c0) -> index : i8 {\n"
          "%m = arith.addi %n, %c1 : index scf.yield %m : index }")
          .values(0),
      Values(8, 3));
  // As unsigned numbers, -2 is 254.
  EXPECT_EQ(
      perThread(
          "%a = arith.constant -2 : i8 %b = arith.constant 3 : i8 %s = arith.constant 2 : i8\n"
          "%r = scf.for unsigned %i = %a to %b step %s iter_args(%n = %c0) -> index : i8 {\n"
          "%m = arith.addi %n, %c1 : index scf.yield %m : index }")
          .values(0),
      Values(8, 0));
}

TEST(Control, WhileThreadsLeaveOneByOne) {
  // The least power of two above t.
  EXPECT_EQ(perThread("%r = scf.while (%p = %c1) : (index) -> index {\n"
                      "  %more = arith.cmpi ule, %p, %t : index\n"
                      "  scf.condition(%more) %p : index\n"
                      "} do {\n^bb0(%q: index):\n"
                      "  %d = arith.addi %q, %q : index scf.yield %d : index }")
                .values(0),
            (Values{1, 2, 4, 4, 8, 8, 8, 8}));
}

TEST(Control, SwitchesAndRegions) {
  EXPECT_EQ(perThread("%r = scf.index_switch %t -> index\n"
                      "case 1 { scf.yield %c4 : index }\ncase 2 { scf.yield %c0 : index }\n"
                      "default { scf.yield %t : index }")
                .values(0),
            (Values{0, 4, 0, 3, 4, 5, 6, 7}));
  EXPECT_EQ(perThread("%r = scf.execute_region -> index { scf.yield %c4 : index }").values(0),
            Values(8, 4));
}

TEST(Control, Calls) {
  EXPECT_EQ(perThread("%a = func.call @twice(%t) : (index) -> index\n"
                      "%r = func.call @twice(%a) : (index) -> index",
                      "func.func @twice(%x: index) -> index { %y = arith.addi %x, %x : index "
                      "return %y : index }\n")
                .values(0),
            (Values{0, 4, 8, 12, 16, 20, 24, 28}));
}

TEST(Control, LoopsThatNeverEndAreFound) {
  EXPECT_EQ(
      perThread("scf.for %i = %c0 to %c4 step %c0 { }\n%r = arith.constant 0 : index").kinds(),
      Kinds{Finding::Kind::Loop});
  Ran ran = runText("func.func @f() { %true = arith.constant true\n"
                    "scf.while : () -> () { scf.condition(%true) } do { scf.yield } return }",
                    {}, {}, {1000});
  EXPECT_EQ(ran.kinds(), Kinds{Finding::Kind::StepLimit});
}

TEST(Control, PoisonConditionsAreFound) {
  EXPECT_EQ(perThread("%p = ub.poison : i1\nscf.if %p { }\n%r = arith.constant 0 : index").kinds(),
            Kinds{Finding::Kind::Poison});
}

//===-- Indices --------------------------------------------------------------------------===//

TEST(Affine, Indices) {
  EXPECT_EQ(perThread("%r = affine.apply affine_map<(d)[s] -> ((d * 3) floordiv 2 + (d + 5) mod 4 "
                      "+ s)>(%t)[%c4]")
                .values(0),
            (Values{5, 7, 10, 8, 11, 13, 16, 14}));
  EXPECT_EQ(perThread("%r = affine.min affine_map<(d) -> (d, 3)>(%t)").values(0),
            (Values{0, 1, 2, 3, 3, 3, 3, 3}));
  EXPECT_EQ(perThread("%r = affine.max affine_map<(d) -> (d, 3)>(%t)").values(0),
            (Values{3, 3, 3, 3, 4, 5, 6, 7}));
  EXPECT_EQ(perThread("%n = arith.constant -1 : index %m = arith.addi %t, %n : index\n"
                      "%i:3 = affine.delinearize_index %m into (2, 2) : index, index, index\n"
                      "%r = affine.linearize_index [%i#0, %i#2, %i#1] by (2, 2) : index")
                .values(0),
            // -1 is (-1, 1, 1), 1 is (0, 0, 1), 2 is (0, 1, 0), ...
            (Values{-1, 0, 2, 1, 3, 4, 6, 5}));
}

//===-- Memory ---------------------------------------------------------------------------===//

TEST(Memory, StacksAreOwnAndHeapsAreShared) {
  const std::string test = " : memref<1xindex>\nmemref.store %t, %m[%c0] : memref<1xindex>\n"
                           "%r = memref.load %m[%c0] : memref<1xindex>";
  EXPECT_EQ(perThread("%m = memref.alloca()" + test).values(0), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(perThread("%m = memref.alloca()" + test).kinds(), Kinds{});
  EXPECT_EQ(perThread("%m = memref.alloc()" + test).values(0), Values(8, 7));
  EXPECT_EQ(perThread("%m = memref.alloc()" + test).kinds(),
            (Kinds{Finding::Kind::Race, Finding::Kind::Race}));
}

static const std::string shared = "memref<8xindex, #gpu.address_space<workgroup>>";

/// Through shared memory, thread t reads what its neighbour wrote.
static std::string exchange(const std::string &between) {
  return "%m = memref.alloc() : " + shared +
         "\n%n = affine.apply affine_map<(d) -> ((d + 1) mod 8)>(%t)\n"
         "memref.store %t, %m[%t] : " +
         shared + "\n" + between + "\n%r = memref.load %m[%n] : " + shared;
}

TEST(Memory, BarriersOrder) {
  Ran ran = perThread(exchange("gpu.barrier"));
  EXPECT_EQ(ran.kinds(), Kinds{});
  EXPECT_EQ(ran.values(0), (Values{1, 2, 3, 4, 5, 6, 7, 0}));
}

TEST(Memory, RacesNameBothSides) {
  Ran ran = perThread(exchange(""));
  ASSERT_EQ(ran.kinds(), Kinds{Finding::Kind::Race});
  const std::string &message = ran.findings[0].message;
  EXPECT_TRUE(llvm::StringRef(message).starts_with(
      "race on element [1] of the memory of 'memref.alloc' at "))
      << message;
  EXPECT_NE(message.find(": read by thread 0 ('memref.load') and, with no barrier between, "
                         "write by thread 1 ('memref.store' at"),
            std::string::npos)
      << message;
  ASSERT_TRUE(ran.findings[0].other);
  EXPECT_NE(*ran.findings[0].other, ran.findings[0].where);
}

/// What is read in one turn is written in the next: a barrier is missing at its begin.
TEST(Memory, BuffersInLoopsRaceWithThemselves) {
  const auto loop = [](const std::string &first) {
    return perThread("%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> index {\n" +
                     first + "%m = memref.alloc() : " + shared +
                     "\n%n = affine.apply affine_map<(d) -> ((d + 1) mod 8)>(%t)\n"
                     "memref.store %t, %m[%t] : " +
                     shared + "\ngpu.barrier\n%x = memref.load %m[%n] : " + shared +
                     "\n%y = arith.addi %s, %x : index scf.yield %y : index }");
  };
  EXPECT_EQ(loop("gpu.barrier\n").kinds(), Kinds{});
  EXPECT_EQ(loop("gpu.barrier\n").values(0), (Values{4, 8, 12, 16, 20, 24, 28, 0}));
  EXPECT_EQ(loop("").kinds(), Kinds{Finding::Kind::Race});
}

/// Even of equal values: all threads write to one place.
TEST(Memory, WritersOfEqualValuesRace) {
  EXPECT_EQ(perThread("memref.store %c4, %out[%c0] : memref<8xindex>\ngpu.barrier\n%r = "
                      "arith.constant 1 : index")
                .kinds(),
            Kinds{Finding::Kind::Race});
  EXPECT_EQ(perThread("%f = arith.cmpi eq, %t, %c4 : index scf.if %f { memref.store %c4, %out[%c0] "
                      ": memref<8xindex> }\n"
                      "gpu.barrier\n%r = memref.load %out[%c0] : memref<8xindex>")
                .kinds(),
            Kinds{Finding::Kind::Race});
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
  EXPECT_EQ(run("").kinds(), Kinds{});
  EXPECT_EQ(run("").values(0), Values{28});
  EXPECT_EQ(run("memref.store %l, %out[%c0] : memref<1xi32>\n").kinds(),
            (Kinds{Finding::Kind::Race, Finding::Kind::Race}));
}

TEST(Memory, UninitializedReadsAreFound) {
  Ran ran = perThread("%m = memref.alloc() : " + shared + "\n%r = memref.load %m[%t] : " + shared);
  ASSERT_EQ(ran.kinds(), Kinds{Finding::Kind::Uninitialized});
  EXPECT_NE(ran.findings[0].message.find("thread 0 reads"), std::string::npos);
}

TEST(Memory, OutsideIsFound) {
  Ran ran =
      perThread("%r = memref.load %out[%t] : memref<8xindex>\n%i = arith.addi %t, %c1 : index\n"
                "memref.store %r, %out[%i] : memref<8xindex>");
  ASSERT_FALSE(ran.findings.empty());
  EXPECT_EQ(ran.findings.back().kind, Finding::Kind::OutOfBounds);
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

/// Views of a memory of 4 x 4 that holds its own places; thread t reads element t.
static Values view(const std::string &views, const std::string &type, const std::string &index) {
  Ran ran = runText(
      "func.func @f(%in: memref<4x4xindex>, %out: memref<8xindex>) {\n%t = gpu.thread_id x\n"
      "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index\n"
      "%i:2 = affine.delinearize_index %t into (4, 2) : index, index\n" +
          views + "\n%r = memref.load %v[" + index + "] : " + type +
          "\nmemref.store %r, %out[%t] : memref<8xindex>\nreturn }",
      {{8, 1, 1}, 8}, {iota({4, 4}), zeros({8})});
  EXPECT_EQ(ran.refusal, "");
  EXPECT_EQ(ran.kinds(), Kinds{});
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

/// A row of an argument may be longer than what the type shows of it.
TEST(Memory, StridedArguments) {
  Ran ran = runText(R"(func.func @f(%m: memref<2x2xf32, strided<[4, 1], offset: 1>>) {
      %c1 = arith.constant 1 : index
      %x = arith.constant 9.0 : f32
      memref.store %x, %m[%c1, %c1] : memref<2x2xf32, strided<[4, 1], offset: 1>>
      return })",
                    {}, {iota({2, 2})});
  EXPECT_EQ(ran.values(0), (Values{0, 1, 2, 9}));
}

//===-- What is refused ------------------------------------------------------------------===//

TEST(Refusals, NameThePlaceAndTheOperation) {
  const auto refuse = [](const std::string &text, llvm::ArrayRef<Numbers> arguments = {},
                         Workgroup workgroup = {}) {
    return runText(text, workgroup, arguments).refusal;
  };
  EXPECT_NE(refuse("func.func @f() {\n gpu.printf \"x\" return }")
                .find(":2:2: 'gpu.printf' cannot be executed"),
            std::string::npos);
  EXPECT_NE(
      refuse("func.func @f() { %x = arith.constant 1 : i7 return }").find("values of type i7"),
      std::string::npos);
  EXPECT_NE(refuse("func.func @f() { %x = arith.constant dense<1> : tensor<4xi8> return }")
                .find("tensor<4xi8>"),
            std::string::npos);
  EXPECT_NE(refuse("func.func @f() { func.call @f() : () -> () return }").find("calls itself"),
            std::string::npos);
  EXPECT_NE(refuse("func.func private @f()").find("has no body"), std::string::npos);
}

TEST(Refusals, ArgumentsThatDoNotFit) {
  const std::string text = "func.func @f(%m: memref<4xf32>, %i: index) { return }";
  EXPECT_NE(runText(text, {}, {iota({4})}).refusal.find("has 2 parameters, but got 1"),
            std::string::npos);
  EXPECT_EQ(runText(text, {}, {iota({5}), scalar(1)}).refusal,
            "argument 0: expected 4xf32, but got 5xf32");
  EXPECT_EQ(runText(text, {}, {iota({4}), scalar(1)}).refusal, "");
  EXPECT_NE(
      runText(text, {{0, 1, 1}}, {iota({4}), scalar(1)}).refusal.find("a workgroup of 0 x 1 x 1"),
      std::string::npos);
}

//===-- Comparisons ----------------------------------------------------------------------===//

TEST(Buffers, FirstDifference) {
  auto f32 = mlir::Float32Type::get(&sharedContext());
  const auto buffers = [&](std::vector<double> values) {
    return std::vector<Buffer>{
        bufferFor(f32, scalar(1)),
        bufferFor(mlir::MemRefType::get({2, 2}, f32), numbers({2, 2}, values))};
  };
  EXPECT_EQ(firstDifference(buffers({0, 1, 2, 3}), buffers({-0.0, 1, 2, 3})), std::nullopt);
  EXPECT_EQ(firstDifference(buffers({NAN, 1, 2, 3}), buffers({-NAN, 1, 2, 3})), std::nullopt);
  EXPECT_EQ(firstDifference(buffers({0, 1, 2, 3}), buffers({0, 1, 2.5, 4})),
            "argument 1 [1, 0]: expected 2, found 2.5");
}

TEST(Buffers, RandomArgumentsAreSmallAndReproducible) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%a: memref<?x3x?xf16>, %b: index, %c: vector<2xi1>) { return }",
      &sharedContext());
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  auto one = randomArguments(function, 1, {5}), two = randomArguments(function, 1, {5}),
       other = randomArguments(function, 2, {5});
  ASSERT_TRUE(bool(one) && bool(two) && bool(other));
  EXPECT_EQ((*one)[0].shape, (llvm::SmallVector<int64_t>{5, 3, 16}));
  EXPECT_EQ((*one)[0].bits, (*two)[0].bits);
  EXPECT_NE((*one)[0].bits, (*other)[0].bits);
  std::set<double> values;
  for (uint64_t bits : (*one)[0].bits)
    values.insert(
        tilewright::numerics::Element{bits, tilewright::numerics::Format::F16}.asDouble());
  EXPECT_EQ(values, (std::set<double>{-4, -3, -2, -1, 0, 1, 2, 3, 4}));
  EXPECT_LT((*one)[1].bits[0], 4u);
}

//===-- Nothing is untested --------------------------------------------------------------===//

namespace {
class EveryOperation : public testing::Environment {
  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*")
      return;
    for (const auto &operation : operations().all())
      EXPECT_TRUE(ranOperations().contains(operation.first()))
          << operation.first().str() << " is in no program of these tests";
  }
};
testing::Environment *const everyOperation = testing::AddGlobalTestEnvironment(new EveryOperation);
} // namespace
