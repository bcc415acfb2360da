// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the planner: kernels that differ in a few lines, with expected placements, reasons and
// matmul plans written by hand; and arena offsets checked against live ranges computed operation by
// operation.

#include "test/support/cpu/PlanTest.h"

#include <map>
#include <random>

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

namespace {

struct Expected {
  const char *op; ///< The first operation of this name.
  Placement placement;
  Reason reason;
  std::vector<std::string> because;
};

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
  // A reshape that adds a dimension needs no tile in memory; one that moves elements does.
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

/// An operation without code between members, such as a view, does not end the group.
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

/// A sum of loads in a loop is computed into its own buffer, in one loop with the load; not if
/// something else reads it, or if no tile is loaded.
TEST(Plan, UpdatesCarriedTilesInPlace) {
  auto loop = [](const std::string &body) {
    return "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%a = %none) -> "
           "(tile<16x16xf32>) {\n" +
           loadOf("%b", "%k") + body + "continue %c : tile<16x16xf32>\n}\n" + storeOf("%r");
  };
  const std::string sum = "%c = addf %a, %b rounding<nearest_even>" + t;
  ParsedKernel kernel(views + loop(sum));
  const Plan plan(kernel.entry(), target());
  Operation *add = firstNamed(kernel, "addf"), *load = firstNamed(kernel, "load_view_tko");
  EXPECT_EQ(plan.placements.decisionOf(add->getResult(0)).reason, Reason::UpdatesCarried);
  EXPECT_EQ(plan.placements.of(load->getResult(0)), Placement::InLoop);
  EXPECT_TRUE(plan.arena.shareBuffer(add->getResult(0), add->getOperand(0)));
  const std::optional<RowLoop> &rows = plan.loops[0].rows;
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows, 1);
  EXPECT_EQ(rows->blocks(), 16);
  // A store must not be repeated for each block of rows.
  ParsedKernel storing(views + loop(storeOf("%b") + sum));
  EXPECT_FALSE(Plan(storing.entry(), target()).loops[0].rows);

  expect(loop("%d = exp %a" + t + storeOf("%d") + sum),
         {{"addf", Placement::Fused, Reason::OneUser, {"continue"}}});
  expect(loop("%c = addf %a, %a rounding<nearest_even>" + t),
         {{"addf", Placement::Fused, Reason::OneUser, {"continue"}}});
}

/// The initial value of a loop-carried tile is computed into the carried buffer, if it has no other
/// use in the loop or after it.
TEST(Plan, LoopsBeginInPlace) {
  auto isInPlace = [](const std::string &inBody, const std::string &after,
                      const std::string &initial = "%a") {
    ParsedKernel kernel(views + loadOf("%a") +
                        "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%z = " +
                        initial + ") -> (tile<16x16xf32>) {\n%y = exp %z" + t + inBody +
                        "continue %y : tile<16x16xf32>\n}\n" + storeOf("%r") + after);
    const Plan plan(kernel.entry(), target());
    auto loop = kernel.first<tile::ForOp>();
    return plan.arena.shareBuffer(loop.getInitValues()[0], loop.iterArgs()[0]);
  };
  EXPECT_TRUE(isInPlace("", ""));
  EXPECT_FALSE(isInPlace(storeOf("%a"), ""));
  EXPECT_FALSE(isInPlace("", storeOf("%a")));
  EXPECT_FALSE(isInPlace("", "", "%none")); // a constant
}

/// If a matmul would load through 400 operations, which cost 2 each, every 161st of them is
/// computed before. The first one shares its loop with the load; the second one needs a loop of its
/// own (most-loop-work), so it reads the first one in a buffer for one row.
TEST(Plan, CutsLongChains) {
  std::string text = loadOf("%v0");
  for (unsigned i = 1; i <= 400; ++i)
    text += "%v" + std::to_string(i) + " = negf %v" + std::to_string(i - 1) + t;
  text += "%m = mmaf %v400, %none, %none : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n";
  ParsedKernel kernel(views + text + storeOf("%m"));
  const Plan plan(kernel.entry(), target());
  std::map<Reason, unsigned> counts;
  for (Operation *op : kernel.operations())
    if (llvm::isa<tile::NegFOp, tile::LoadViewOp>(op))
      ++counts[plan.placements.decisionOf(op->getResult(0)).reason];
  const std::map<Reason, unsigned> expected = {
      {Reason::OneUser, 398}, {Reason::SharedLoop, 1}, {Reason::OneRow, 1}, {Reason::LongChain, 1}};
  EXPECT_EQ(counts, expected);
}

//===-- Accesses ------------------------------------------------------------------------------===//

/// A row of 16 floats in a tensor; `%n` is unknown, but its definition may say something about it.
struct View {
  const char *shape, *stride, *operands; ///< Of make_tensor_view.
  const char *type;                      ///< Extent and stride.
  const char *ordering;
  AccessReason reason;
  Rows rows;
  Lanes outside;
};

const View rowsOfViews[] = {
    {"64", "1", "", "64xf32, strides=[1]", "weak", AccessReason::GroupContiguous, Rows::Contiguous,
     Lanes::ContiguousMasked},
    {"60", "1", "", "60xf32, strides=[1]", "weak", AccessReason::GroupTested, Rows::Tested,
     Lanes::ContiguousMasked},
    {"%n", "1", "tile<i32> -> ", "?xf32, strides=[1]", "weak", AccessReason::GroupTested,
     Rows::Tested, Lanes::ContiguousMasked},
    {"64", "%n", "tile<i32> -> ", "64xf32, strides=[?]", "weak", AccessReason::GroupTested,
     Rows::Tested, Lanes::Gathered},
    // Constants are known even if the type is dynamic.
    {"%64", "%1", "tile<i32> -> ", "?xf32, strides=[?]", "weak", AccessReason::GroupContiguous,
     Rows::Contiguous, Lanes::ContiguousMasked},
    {"64", "%8", "tile<i32> -> ", "64xf32, strides=[?]", "weak", AccessReason::GroupApart,
     Rows::Apart, Lanes::Gathered},
    {"64", "8", "", "64xf32, strides=[8]", "weak", AccessReason::Strided, Rows::Apart,
     Lanes::Gathered},
    {"64", "1", "", "64xf32, strides=[1]", "relaxed device", AccessReason::Ordered, Rows::Apart,
     Lanes::ContiguousMasked},
};

TEST(Plan, SaysHowViewsAreAccessed) {
  for (const View &view : rowsOfViews) {
    const std::string tensor = "tensor_view<" + std::string(view.type) + ">",
                      tiles = "partition_view<tile=(16), " + tensor + ">";
    ParsedKernel kernel(views +
                        "%n, %y, %z = get_tile_block_id : tile<i32>\n"
                        "%64 = constant <i32: 64> : tile<i32>\n"
                        "%t = make_tensor_view %f, shape = [" +
                        view.shape + "], strides = [" + view.stride + "] : " + view.operands +
                        tensor + "\n%p = make_partition_view %t : " + tiles +
                        "\n%a, %a_t = load_view_tko " + view.ordering + " %p[%0] : " + tiles +
                        ", tile<i32> -> tile<16xf32>, token\n");
    const Plan plan(kernel.entry(), target());
    const Access &access = plan.accessOf(kernel.first<tile::LoadViewOp>());
    EXPECT_EQ(int(access.reason), int(view.reason)) << tensor << view.shape << view.stride;
    EXPECT_EQ(int(access.rows), int(view.rows)) << tensor << view.shape << view.stride;
    EXPECT_EQ(int(access.outside), int(view.outside)) << tensor << view.shape << view.stride;
    EXPECT_EQ(access.width, access.reason == AccessReason::Strided ? 16 : 1) << tensor;
  }
}

/// Pointers are consecutive, or come from memory; AVX2 has no fast gathers, so cheap addresses are
/// computed one by one.
TEST(Plan, SaysHowPointersAreAccessed) {
  ParsedKernel kernel("%lanes = iota : tile<64xi32>\n"
                      "%x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                      "%xs = broadcast %x1 : tile<1xptr<i32>> -> tile<64xptr<i32>>\n"
                      "%p = offset %xs, %lanes : tile<64xptr<i32>>, tile<64xi32> -> "
                      "tile<64xptr<i32>>\n"
                      "%v, %t0 = load_ptr_tko weak %p : tile<64xptr<i32>> -> tile<64xi32>, token\n"
                      "%q = offset %xs, %v : tile<64xptr<i32>>, tile<64xi32> -> "
                      "tile<64xptr<i32>>\n"
                      "%w, %t1 = load_ptr_tko weak %q token = %t0 : tile<64xptr<i32>> -> "
                      "tile<64xi32>, token\n"
                      "%o, %t2 = atomic_rmw_tko relaxed tl_blk %p, add, %w token = %t1 : "
                      "tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token\n"
                      "%s, %t3 = load_ptr_tko relaxed device %p token = %t2 : tile<64xptr<i32>> -> "
                      "tile<64xi32>, token\n");
  const Plan plan(kernel.entry(), target());
  struct {
    AccessReason reason;
    Rows rows;
    int64_t width;
    bool hasScalarAddresses;
  } const expected[] = {{AccessReason::PointerRows, Rows::Tested, 16, false},
                        {AccessReason::PointersApart, Rows::Apart, 16, true},
                        {AccessReason::BlockOnly, Rows::Apart, 8, false},
                        {AccessReason::PointersInOrder, Rows::Apart, 1, {}}};
  ASSERT_EQ(plan.accesses.size(), std::size(expected));
  for (auto [entry, want] : llvm::zip_equal(plan.accesses, expected)) {
    EXPECT_EQ(int(entry.second.reason), int(want.reason));
    EXPECT_EQ(int(entry.second.rows), int(want.rows));
    EXPECT_EQ(entry.second.width, want.width);
    EXPECT_EQ(entry.second.hasScalarAddresses, want.hasScalarAddresses);
  }
}

//===-- Vectors and folds ---------------------------------------------------------------------===//

/// A kernel that folds `%a`, of 16x256 elements of a type, along a dimension.
struct Folding {
  std::string op, element, body;
  int dim;
};

std::string textOf(const Folding &fold) {
  const std::string from = "tile<16x256x" + fold.element + ">", one = "tile<" + fold.element + ">";
  const std::string to = fold.op == "scan" ? from
                         : fold.dim == 0   ? "tile<256x" + fold.element + ">"
                                           : "tile<16x" + fold.element + ">";
  const bool isFloat = fold.element[0] == 'f';
  return "%i = iota : tile<4096xi32>\n"
         "%j = reshape %i : tile<4096xi32> -> tile<16x256xi32>\n" +
         std::string(isFloat ? "%a = itof %j signed : tile<16x256xi32> -> " + from + "\n"
                             : "%k = constant <i32: 3> : tile<16x256xi32>\n"
                               "%a = xori %j, %k : tile<16x256xi32>\n") +
         "%r = " + fold.op + " %a dim=" + std::to_string(fold.dim) +
         (fold.op == "scan" ? " reverse=false" : "") + " identities=[" + (isFloat ? "0.0" : "0") +
         " : " + fold.element + "] : " + from + " -> " + to + "\n(%e: " + one + ", %so: " + one +
         ") {\n" + fold.body + " : " + one + "\nyield %both : " + one + "\n}\n";
}

const std::string addf = "%both = addf %e, %so", subf = "%both = subf %e, %so",
                  maxf = "%both = maxf %e, %so", addi = "%both = addi %e, %so",
                  andi = "%both = andi %e, %so",
                  addfDown = "%both = addf %e, %so rounding<negative_inf>",
                  addfFlushed = "%both = addf %e, %so flush_to_zero";

TEST(Plan, SaysHowElementsAreFolded) {
  const std::pair<Folding, Fold> cases[] = {
      {{"reduce", "f32", addf, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 16, 0x80000000}},
      {{"reduce", "f32", maxf, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 16, {}}},
      {{"reduce", "f32", addf, 0}, {FoldForm::InOrder, FoldReason::OtherDimension, 16, {}}},
      {{"reduce", "f32", subf, 0}, {FoldForm::ByTree, FoldReason::OtherDimension, 16, {}}},
      {{"reduce", "f32", subf, 1}, {FoldForm::ByTree, FoldReason::OneDimension, 1, {}}},
      {{"scan", "i32", addi, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 8, 0}},
      {{"scan", "i32", andi, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 8, {}}},
      {{"scan", "i32", addi, 0}, {FoldForm::InOrder, FoldReason::OtherDimension, 16, {}}},
      {{"scan", "f32", addf, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 8, 0x80000000}},
      {{"scan", "f32", addfDown, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 8, 0}},
      {{"scan", "f32", addfFlushed, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 8, {}}},
      {{"scan", "f64", addf, 1}, {FoldForm::ByVectors, FoldReason::AlongRows, 4, 1ull << 63}},
      {{"scan", "f16", addf, 1}, {FoldForm::InOrder, FoldReason::OneDimension, 1, {}}},
      {{"scan", "f32", subf, 1}, {FoldForm::InOrder, FoldReason::OneDimension, 1, {}}},
  };
  for (const auto &[folding, expected] : cases) {
    ParsedKernel kernel(textOf(folding));
    const Plan plan(kernel.entry(), target());
    ASSERT_EQ(plan.folds.size(), 1u) << textOf(folding);
    const auto &[op, fold] = plan.folds.front();
    EXPECT_EQ(int(fold.form), int(expected.form)) << textOf(folding);
    EXPECT_EQ(int(fold.reason), int(expected.reason)) << textOf(folding);
    EXPECT_EQ(fold.width, expected.width) << textOf(folding);
    EXPECT_EQ(fold.neutral, expected.neutral) << textOf(folding);
    // Half of the elements are on the lowest level of a tree, for all lanes.
    int64_t extent = folding.dim == 0 ? 16 : 256;
    EXPECT_EQ(plan.arena.hasScratch(op), fold.form == FoldForm::ByTree);
    EXPECT_EQ(treeScratch(llvm::dyn_cast<tile::ReduceOp>(op), fold).bytes,
              fold.form == FoldForm::ByTree ? extent / 2 * fold.width * 4 : 0);
  }
}

/// Converting an integer is cheap, a power is not, and a sine needs many registers.
TEST(Plan, SaysHowManyVectorsALoopTakes) {
  const Target wide = *Target::named("x86-64-v4");
  struct {
    const char *text;
    const Target &target;
    int64_t chains;
    ChainReason reason;
  } const cases[] = {
      {"", target(), 4, ChainReason::LittleWork},
      {"%a = exp %c : tile<16x256xf32>\n", target(), 2, ChainReason::FewRegisters},
      {"%a = exp %c : tile<16x256xf32>\n", wide, 4, ChainReason::ManyRegisters},
      {"%a = sin %c : tile<16x256xf32>\n", wide, 2, ChainReason::FewRegisters},
  };
  for (const auto &one : cases) {
    std::string text = textOf({"reduce", "f32", addf, 1});
    if (*one.text) {
      text.replace(text.find("%a = itof"), 2, "%c");
      text.insert(text.find("%r ="), one.text);
    }
    ParsedKernel kernel(text);
    const Plan plan(kernel.entry(), one.target);
    const InnerLoop &loop = plan.groups.groupOf(kernel.first<tile::ReduceOp>())->loops[0];
    EXPECT_EQ(loop.width, 16);
    EXPECT_EQ(loop.wordBytes, 4);
    EXPECT_EQ(loop.chains, one.chains) << text;
    EXPECT_EQ(int(loop.chainReason), int(one.reason)) << text;
  }
}

/// A print needs pointers to its arguments, then their elements.
TEST(Plan, SaysWhereAPrintKeepsItsArguments) {
  ParsedKernel kernel("%i = iota : tile<16xi32>\n%j = constant <i32: 3> : tile<i32>\n"
                      "print_tko \"%d %d\", %i, %j : tile<16xi32>, tile<i32> -> token\n");
  auto print = kernel.first<tile::PrintOp>();
  Scratch scratch = printScratch(print);
  EXPECT_EQ(scratch.parts, (llvm::SmallVector<int64_t, 2>{0, 16, 16 + 16 * 8}));
  EXPECT_EQ(scratch.bytes, 16 + 17 * 8);
  const Plan plan(kernel.entry(), target());
  EXPECT_EQ(plan.arena.scratchOffset(print, 2) - plan.arena.scratchOffset(print), 16 + 16 * 8);
}

//===-- Thresholds ----------------------------------------------------------------------------===//

/// 100 operations of which each is fused into the next, unless the limits cut the chain.
TEST(Plan, CutsChainsAtTheLimits) {
  std::string text = loadOf("%v0");
  for (unsigned i = 1; i <= 100; ++i)
    text += "%v" + std::to_string(i) + " = negf %v" + std::to_string(i - 1) + t;
  ParsedKernel kernel(views + text + "%m = mmaf %v100, %none, %none : tile<16x16xf32>, " +
                      "tile<16x16xf32>, tile<16x16xf32>\n" + storeOf("%m"));
  auto cutsWith = [&](const char *threshold) {
    const Plan plan(kernel.entry(), tuned(threshold));
    return llvm::count_if(kernel.operations(), [&](Operation *op) {
      return llvm::isa<tile::NegFOp>(op) &&
             plan.placements.of(op->getResult(0)) != Placement::Fused;
    });
  };
  // Each costs 2.
  EXPECT_EQ(cutsWith("most-fused-cost=200"), 0);
  EXPECT_EQ(cutsWith("most-fused-cost=199"), 1);
  EXPECT_EQ(cutsWith("most-fused-cost=2"), 50);
  EXPECT_EQ(cutsWith("most-fused-cost=0"), 100);
}

TEST(Plan, LimitsGroups) {
  ParsedKernel kernel(views + loadOf("%a") + "%b = exp %a" + t + storeOf("%b", "%1"));
  auto groupsIn = [&](const char *threshold) {
    return Plan(kernel.entry(), tuned(threshold)).groups.all().size();
  };
  EXPECT_EQ(groupsIn("most-group-members=2"), 1u);
  EXPECT_EQ(groupsIn("most-group-members=1"), 2u);
  ParsedKernel sum(textOf({"reduce", "f32", addf, 1}));
  auto loopIn = [&](const char *threshold) {
    return Plan(sum.entry(), tuned(threshold))
        .groups.groupOf(sum.first<tile::ReduceOp>())
        ->loops[0];
  };
  EXPECT_EQ(loopIn("chains=8").chains, 8);
  EXPECT_EQ(loopIn("chains=32").chains, 16) << "all vectors of a row";
  EXPECT_EQ(loopIn("least-busy-work=0").chains, 2);
  EXPECT_EQ(int(loopIn("least-busy-work=0").chainReason), int(ChainReason::FewRegisters));
  EXPECT_EQ(loopIn("least-access-lanes=64").width, 64);
}

//===-- Arena ---------------------------------------------------------------------------------===//

/// Products of random earlier values, each with a buffer from its definition to its last use.
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
