// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how reductions and scans are computed, in which order, and their neutral elements.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;

namespace {

const std::string subf = "%both = subf %e, %so", maxf = "%both = maxf %e, %so",
                  addi = "%both = addi %e, %so", andi = "%both = andi %e, %so",
                  addfDown = "%both = addf %e, %so rounding<negative_inf>",
                  addfFlushed = "%both = addf %e, %so flush_to_zero";

TEST(Folds, SaysHowElementsAreFolded) {
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

} // namespace
