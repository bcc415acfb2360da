// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is decided, and why? Kernels that differ in a few lines, with the places, the reasons and
// the products of their plans by hand; and offsets in the arena against lifetimes that are computed
// operation by operation.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/Plan.h"

#include <map>
#include <random>

using namespace tilewright;
using namespace tilewright::cpu;
using analysis::ParsedKernel;
using mlir::Operation;
using mlir::Value;

namespace {

const Target &target() {
  static const Target found = *Target::named("x86-64-v3");
  return found;
}

/// Views of a tensor of floats: rows of 16, tiles of 16x16.
const std::string views = R"(
    %f = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f32>>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %8 = constant <i32: 8> : tile<i32>
    %none = constant <f32: 0.0> : tile<16x16xf32>
    %tv = make_tensor_view %f, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64, 1]>>
)";
const std::string view = "partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64, 1]>>";

std::string loadOf(const std::string &name, const std::string &row = "%0") {
  return name + ", " + name + "_t = load_view_tko weak %pv[" + row + ", %0] : " + view +
         ", tile<i32> -> tile<16x16xf32>, token\n";
}

std::string storeOf(const std::string &name, const std::string &row = "%0") {
  return name + "_s = store_view_tko weak " + name + ", %pv[" + row + ", %0] : tile<16x16xf32>, " +
         view + ", tile<i32> -> token\n";
}

const std::string t = " : tile<16x16xf32>\n";

struct Expected {
  const char *op; ///< The first of its name.
  Placement placement;
  Reason reason;
  std::vector<std::string> because;
};

Operation *firstNamed(ParsedKernel &kernel, llvm::StringRef name) {
  Operation *found = nullptr;
  kernel.entry().walk([&](Operation *op) {
    if (op->getName().stripDialect() != name)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

void expect(const std::string &text, const std::vector<Expected> &all) {
  ParsedKernel kernel(views + text);
  const Plan plan(kernel.entry(), target());
  for (const Expected &expected : all) {
    Operation *op = firstNamed(kernel, expected.op);
    ASSERT_TRUE(op) << expected.op << text;
    const Decision &decision = plan.placements.decisionOf(op->getResult(0));
    std::vector<std::string> because;
    for (Operation *other : decision.operations)
      because.push_back(other->getName().stripDialect().str());
    llvm::sort(because);
    EXPECT_EQ(nameOf(decision.placement), nameOf(expected.placement)) << expected.op << text;
    EXPECT_EQ(int(decision.reason), int(expected.reason)) << expected.op << text;
    EXPECT_EQ(because, expected.because) << expected.op << text;
  }
}

TEST(Plan, GivesReasonsToFuse) {
  expect(loadOf("%a") + "%b = exp %a" + t + "%c = sqrt %b rounding<nearest_even>" + t +
             storeOf("%c"),
         {{"exp", Placement::Fused, Reason::OneUser, {"store_view_tko"}},
          {"sqrt", Placement::Fused, Reason::OneUser, {"store_view_tko"}},
          {"load_view_tko", Placement::InLoop, Reason::SharedLoop, {}}});
  expect(loadOf("%a") + "%b = absf %a" + t + "%m = mmaf %b, %b, %none : tile<16x16xf32>, " +
             "tile<16x16xf32>, tile<16x16xf32>\n" + storeOf("%b") + storeOf("%m", "%1"),
         {{"absf", Placement::Fused, Reason::Cheap, {}},
          {"load_view_tko", Placement::Buffer, Reason::LoadedOnce, {}},
          {"mmaf", Placement::Buffer, Reason::Kind, {}},
          {"constant", Placement::Register, Reason::Kind, {}}});
  expect(loadOf("%a") + "%b = exp %a" + t + "%m = mmaf %b, %none, %none : tile<16x16xf32>, " +
             "tile<16x16xf32>, tile<16x16xf32>\n" + storeOf("%m"),
         {{"load_view_tko", Placement::Fused, Reason::LoadedByMatmul, {"mmaf"}},
          {"exp", Placement::Fused, Reason::OneUser, {"mmaf"}}});
  expect(loadOf("%a") + "%b = exp %a" + t, {{"exp", Placement::Fused, Reason::NoUser, {}}});
}

TEST(Plan, GivesReasonsForBuffers) {
  const std::string matmul = "%m = mmaf %b, %b, %none : tile<16x16xf32>, tile<16x16xf32>, "
                             "tile<16x16xf32>\n";
  expect(loadOf("%a") + "%b = exp %a" + t + matmul + storeOf("%m") + storeOf("%b", "%1"),
         {{"exp", Placement::Buffer, Reason::SeveralUsers, {"mmaf", "store_view_tko"}}});
  // A reshape that adds a dimension needs no words in memory; one that moves elements does.
  const std::string reshaped = "%n = exp %r : tile<1x16x16xf32>\n"
                               "%q = reshape %n : tile<1x16x16xf32> -> tile<16x16xf32>\n";
  expect(loadOf("%a") + "%b = exp %a" + t + matmul +
             "%r = reshape %b : tile<16x16xf32> -> tile<1x16x16xf32>\n" + reshaped + storeOf("%m") +
             storeOf("%q", "%1"),
         {{"exp", Placement::Buffer, Reason::SeveralUsers, {"mmaf", "store_view_tko"}}});
  expect(loadOf("%a") + "%b = exp %a" + t +
             "%r = reshape %b : tile<16x16xf32> -> tile<4x4x16xf32>\n"
             "%p = permute %r [1, 0, 2] : tile<4x4x16xf32> -> tile<4x4x16xf32>\n"
             "%q = reshape %p : tile<4x4x16xf32> -> tile<16x16xf32>\n" +
             storeOf("%q"),
         {{"exp", Placement::Buffer, Reason::RowMajorUser, {"reshape"}},
          {"reshape", Placement::Fused, Reason::SameWords, {}}});
  expect(loadOf("%a") + "%b = exp %a" + t + "for %k in (%0 to %8, step %1) : tile<i32> {\n" +
             "%c = sqrt %b rounding<nearest_even>" + t + storeOf("%c", "%k") + "continue\n}\n",
         {{"exp", Placement::Buffer, Reason::UserInLoop, {"store_view_tko"}}});
  expect(loadOf("%a") + "%b = exp %a" + t +
             "%p = permute %b [1, 0] : tile<16x16xf32> -> tile<16x16xf32>\n" + storeOf("%p"),
         {{"permute", Placement::Buffer, Reason::Transposed, {}}});
  expect(loadOf("%a") + "%b = exp %a" + t +
             "%p = permute %b [1, 0] : tile<16x16xf32> -> tile<16x16xf32>\n%c = addf %b, %p "
             "rounding<nearest_even>" +
             t +
             "%m = mmaf %c, %none, %none : tile<16x16xf32>, tile<16x16xf32>, "
             "tile<16x16xf32>\n" +
             storeOf("%m"),
         {{"exp", Placement::Buffer, Reason::SeveralReads, {"mmaf"}}});
}

/// What is only described between the members of a group, as views are, does not end it.
TEST(Plan, GroupsMembersAroundViews) {
  ParsedKernel kernel(views + loadOf("%a") +
                      "%uv = make_tensor_view %f, shape = [64, 64], strides = [64, 1] : "
                      "tensor_view<64x64xf32, strides=[64, 1]>\n"
                      "%h, %w = get_tensor_shape %uv : tensor_view<64x64xf32, strides=[64, 1]> -> "
                      "tile<i32>\n" +
                      storeOf("%a", "%1"));
  const Plan plan(kernel.entry(), target());
  ASSERT_EQ(plan.groups.all().size(), 1u);
  EXPECT_EQ(plan.groups.all()[0].members.size(), 2u);
  EXPECT_EQ(plan.groups.all()[0].loops.size(), 1u);
}

TEST(Plan, KeepsWhatAContinueOverwrites) {
  expect("%r, %q = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%a = %none, %b = %none) "
         "-> (tile<16x16xf32>, tile<16x16xf32>) {\n"
         "%c = exp %a" +
             t + "%d = sqrt %a rounding<nearest_even>" + t +
             "continue %d, %c : tile<16x16xf32>, tile<16x16xf32>\n}\n" + storeOf("%r") +
             storeOf("%q", "%1"),
         {{"exp", Placement::Buffer, Reason::CarriedOperand, {"continue"}},
          {"sqrt", Placement::Fused, Reason::OneUser, {"continue"}},
          {"for", Placement::Buffer, Reason::Kind, {}}});
}

/// Of what a matmul would load through 100 operations, a part has a buffer, and a part before that
/// shares its loop with the load.
TEST(Plan, CutsLongChains) {
  std::string text = loadOf("%v0");
  for (unsigned i = 1; i <= 100; ++i)
    text += "%v" + std::to_string(i) + " = negf %v" + std::to_string(i - 1) + t;
  text += "%m = mmaf %v100, %none, %none : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n";
  ParsedKernel kernel(views + text + storeOf("%m"));
  const Plan plan(kernel.entry(), target());
  std::map<Reason, unsigned> counts;
  for (Operation *op : kernel.operations())
    if (llvm::isa<tile::NegFOp, tile::LoadViewOp>(op))
      ++counts[plan.placements.decisionOf(op->getResult(0)).reason];
  const std::map<Reason, unsigned> expected = {
      {Reason::OneUser, 98}, {Reason::SharedLoop, 2}, {Reason::LongChain, 1}};
  EXPECT_EQ(counts, expected);
}

//===-- Matmuls -------------------------------------------------------------------------------===//

/// A product in a loop, with lines of its body and the number of its iterations.
std::string productLoop(const std::string &inBody, const std::string &carried = "%m") {
  return "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%acc = %none) -> "
         "(tile<16x16xf32>) {\n" +
         loadOf("%a", "%k") + loadOf("%b", "%k") +
         "%m = mmaf %a, %b, %acc : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n" + inBody +
         "continue " + carried + " : tile<16x16xf32>\n}\n";
}

TEST(Plan, ContinuesChainsInPlace) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  Operation *op = firstNamed(kernel, "mmaf");
  const MatmulPlan &matmul = plan.matmulOf(op);
  EXPECT_EQ(matmul.carried, op->getOperand(2));
  EXPECT_EQ(tile::ConstantOp(matmul.initialAccumulator).getResult(),
            kernel.first<tile::ForOp>().getInitValues()[0]);
  EXPECT_EQ(plan.initialAccumulator(op->getOperand(2)), matmul.initialAccumulator);
  EXPECT_TRUE(plan.arena.shareBuffer(op->getOperand(2), op->getResult(0)));
  EXPECT_FALSE(matmul.isInPlace[0] || matmul.isInPlace[1]);
  EXPECT_EQ(matmul.iterations, 4);
  EXPECT_EQ(matmul.scratchBytes(), 4 * 2 * 16 * 16 * 4);
  ASSERT_TRUE(matmul.finalStore);
  EXPECT_EQ(matmul.finalStore->store, kernel.first<tile::StoreViewOp>());
  ASSERT_EQ(plan.loops.size(), 1u);
  EXPECT_EQ(plan.loops[0].carriedBytes, 16 * 16 * 4);
  EXPECT_FALSE(plan.mayWait() || plan.usesAmx());
}

TEST(Plan, ReadsSumsOfEachIterationFromTheirBuffer) {
  ParsedKernel kernel(views + productLoop("%c = negf %m" + t, "%c") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  const MatmulPlan &matmul = plan.matmulOf(firstNamed(kernel, "mmaf"));
  EXPECT_FALSE(matmul.carried || matmul.initialAccumulator || matmul.finalStore);
  EXPECT_EQ(matmul.iterations, 1);
}

/// A store of the sums is not moved over other accesses.
TEST(Plan, StoresLateWhereMemoryIsAccessedInBetween) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%none", "%1") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  EXPECT_FALSE(plan.matmulOf(firstNamed(kernel, "mmaf")).finalStore);
}

/// A carried operand that begins as a constant is read from its buffer, as it is no accumulator.
TEST(Plan, TellsOperandsFromAccumulators) {
  ParsedKernel kernel(
      views +
      "%q, %r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%lhs = %none, "
      "%acc = %none) -> (tile<16x16xf32>, tile<16x16xf32>) {\n" +
      loadOf("%a", "%k") +
      "%m = mmaf %lhs, %a, %acc : tile<16x16xf32>, tile<16x16xf32>, "
      "tile<16x16xf32>\n"
      "continue %none, %m : tile<16x16xf32>, tile<16x16xf32>\n}\n");
  const Plan plan(kernel.entry(), target());
  Operation *op = firstNamed(kernel, "mmaf");
  EXPECT_FALSE(plan.initialAccumulator(op->getOperand(0)));
  EXPECT_TRUE(plan.initialAccumulator(op->getOperand(2)));
}

//===-- Arena ---------------------------------------------------------------------------------===//

/// Products of random earlier ones, each of which has a buffer from its operation to its last use.
TEST(Plan, BuffersThatAreAliveTogetherAreDisjoint) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    auto any = [&](unsigned below) {
      return below ? "%m" + std::to_string(random() % below) : "%none";
    };
    const unsigned count = 20;
    for (unsigned i = 0; i < count; ++i)
      text += "%m" + std::to_string(i) + " = mmaf " + any(i) + ", " + any(i) + ", " + any(i) +
              " : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n";
    ParsedKernel kernel(views + text);
    const Plan plan(kernel.entry(), target());
    struct Range {
      int64_t begin, end;
    };
    std::vector<std::vector<Range>> alive(kernel.operations().size());
    for (auto [number, op] : llvm::enumerate(kernel.operations())) {
      if (op->getName().stripDialect() != "mmaf")
        continue;
      const Buffer &buffer = plan.arena.bufferOf(op->getResult(0));
      EXPECT_EQ(buffer.bytes, 16 * 16 * 4);
      EXPECT_LE(buffer.offset + buffer.bytes, plan.arena.bytes());
      size_t last = number;
      for (auto [later, user] : llvm::enumerate(kernel.operations()))
        if (llvm::is_contained(op->getResult(0).getUsers(), user))
          last = later;
      for (size_t at = number; at <= last; ++at)
        alive[at].push_back({buffer.offset, buffer.offset + buffer.bytes});
    }
    for (const std::vector<Range> &ranges : alive)
      for (size_t i = 0; i < ranges.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          EXPECT_TRUE(ranges[i].end <= ranges[j].begin || ranges[j].end <= ranges[i].begin) << text;
  }
}

} // namespace
