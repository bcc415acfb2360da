// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of control flow, of index arithmetic, and of refused programs.

#include "test/support/simt/SimtTest.h"
#include "tilewright/simt/Operations.h"

#include <cmath>
#include <set>

using namespace tilewright::simt;

using Values = std::vector<double>;

//===-- Rules ----------------------------------------------------------------------------===//

// SARIF refers to the rule of a finding by its row.
TEST(Rules, HaveARowForEachFinding) {
  using tilewright::report::FindingKind;
  std::set<std::string> ids;
  for (const tilewright::report::Rule &rule : rules())
    ids.insert(rule.id.str());
  EXPECT_EQ(ids.size(), rules().size());
  for (FindingKind kind :
       {FindingKind::Unsupported, FindingKind::StepLimit, FindingKind::Difference})
    EXPECT_TRUE(ids.count(nameOf(kind).str())) << nameOf(kind).str();
  for (unsigned check = 0; check < checkCount; ++check)
    EXPECT_TRUE(ids.count(ruleOf(Check(check)).id.str()));
}

//===-- Control flow ---------------------------------------------------------------------===//

TEST(Control, BranchesMerge) {
  EXPECT_EQ(perThread("%r = scf.if %small -> index { scf.yield %t : index } else {\n"
                      "%d = arith.addi %t, %t : index scf.yield %d : index }")
                .values(0),
            (Values{0, 1, 2, 3, 8, 10, 12, 14}));
  // The same value from both branches, one of which is uniform.
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

/// Both values are yielded at once: the pair is swapped, not copied.
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
  // The smallest power of two above t.
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
      perThread("scf.for %i = %c0 to %c4 step %c0 { }\n%r = arith.constant 0 : index").ruleIds(),
      RuleIds{"loop"});
  Ran ran = runText("func.func @f() { %true = arith.constant true\n"
                    "scf.while : () -> () { scf.condition(%true) } do { scf.yield } return }",
                    {}, {}, {1000});
  EXPECT_EQ(ran.ruleIds(), RuleIds{"step-limit"});
}

TEST(Control, PoisonConditionsAreFound) {
  EXPECT_EQ(
      perThread("%p = ub.poison : i1\nscf.if %p { }\n%r = arith.constant 0 : index").ruleIds(),
      RuleIds{"poison"});
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
  EXPECT_NE(refuse("func.func @f() -> i32 { %x = arith.constant 1 : i32 return %x : i32 }")
                .find("'f' returns 1 values"),
            std::string::npos);
  EXPECT_NE(refuse("func.func private @f()").find("has no body"), std::string::npos);
  EXPECT_NE(refuse(R"(func.func @f(%a: memref<4xf32>) {
                        %t = arith.constant true
                        %m = arith.select %t, %a, %a : memref<4xf32>
                        return })",
                   {iota({4})})
                .find("a choice between memory cannot be executed"),
            std::string::npos);
}

/// The limit applies to all threads together, and is checked before anything is allocated.
TEST(Refusals, ValuesThatAreTooLarge) {
  const auto refuses = [](llvm::StringRef type, Workgroup workgroup, llvm::StringRef why) {
    const Ran ran = runText(("func.func @f() {\n%v = ub.poison : " + type + "\nreturn }").str(),
                            workgroup, {}, {.elements = 64});
    return why.empty() ? ran.refusal.empty() : llvm::StringRef(ran.refusal).ends_with(why);
  };
  EXPECT_TRUE(refuses("vector<64xf32>", {}, ""));
  EXPECT_TRUE(refuses("vector<65xf32>", {},
                      ":2:6: a value of type vector<65xf32> in each of 1 threads has more elements "
                      "than the limit of 64"));
  EXPECT_TRUE(refuses("vector<64xf32>", {{2, 1, 1}},
                      ":2:6: a value of type vector<64xf32> in each of 2 threads has more elements "
                      "than the limit of 64"));
  EXPECT_TRUE(refuses("vector<4294967296x4294967296xf32>", {},
                      ":2:6: a value of type vector<4294967296x4294967296xf32> has more elements "
                      "than 64 bits can count"));
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
  const auto text = [&](std::vector<double> expected, std::vector<double> found,
                        double relative = 0) -> std::string {
    std::optional<Difference> difference =
        firstDifference(buffers(expected), buffers(found), relative);
    return difference ? difference->text : "";
  };
  EXPECT_EQ(text({0, 1, 2, 3}, {-0.0, 1, 2, 3}), "");
  EXPECT_EQ(text({NAN, 1, 2, 3}, {-NAN, 1, 2, 3}), "");
  EXPECT_EQ(text({0, 1, 2, 3}, {0, 1, 2.5, 4}), "argument 1 [1, 0]: expected 2, found 2.5");
  EXPECT_EQ(text({0, 1, 2, 3}, {0, 1, 2.5, 4}, 0.25), "");
  EXPECT_EQ(text({0, 1, 2, 3}, {0, 1, 2.5, 4}, 0.2), "argument 1 [1, 1]: expected 3, found 4");
  EXPECT_NE(text({0, 1, 2, 3}, {0, 1, 2, INFINITY}, 0.5), "");
  const std::optional<Difference> third =
      firstDifference(buffers({0, 1, 2, 3}), buffers({0, 1, 2.5, 4}));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->argument, "argument 1");
  EXPECT_EQ(third->element, 2);
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
