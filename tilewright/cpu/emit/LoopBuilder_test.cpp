// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that a shape takes as few loops as it needs, and that the value cache ends with its region.

#include "test/support/cpu/EmitTest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace scf = mlir::scf;

namespace {

using LoopBuilderTest = EmitTest;

TEST_F(LoopBuilderTest, aNestHasALoopPerDimensionThatOneVectorDoesNotCover) {
  Position seen;
  b.forEach({1, 4, 32}, 16, [&](const Position &position) { seen = position; });
  EXPECT_EQ(seen.width, 16);
  EXPECT_EQ(seen.lanes, 2);
  ASSERT_EQ(seen.at.size(), 3u);
  EXPECT_EQ(constantOf(seen.at[0]), 0);
  auto outer = scf::getForInductionVarOwner(seen.at[1]),
       inner = scf::getForInductionVarOwner(seen.at[2]);
  ASSERT_TRUE(outer && inner);
  EXPECT_EQ(inner->getParentOp(), outer);
  EXPECT_EQ(constantOf(outer.getUpperBound()), 4);
  EXPECT_EQ(constantOf(inner.getUpperBound()), 32);
  EXPECT_EQ(constantOf(inner.getStep()), 16);
}

TEST_F(LoopBuilderTest, lanesAreAlongTheDimensionThatIsAskedFor) {
  b.forEach(
      {8, 4}, 16,
      [&](const Position &position) {
        EXPECT_EQ(position.width, 8);
        EXPECT_EQ(position.lanes, 0);
      },
      /*laneDim=*/0);
  EXPECT_EQ(count<scf::ForOp>(), 1u);
}

TEST_F(LoopBuilderTest, aScalarHasNoLoopAndNoLanes) {
  b.forEach({}, 16, [&](const Position &position) {
    EXPECT_EQ(position.width, 1);
    EXPECT_TRUE(position.at.empty());
  });
  EXPECT_EQ(count<scf::ForOp>(), 0u);
}

TEST_F(LoopBuilderTest, aFunctionHasEachConstantOnceWhereverItIsNeeded) {
  unsigned before = b.operationCount();
  Value seven;
  b.forEach({4}, 1, [&](const Position &) { seven = b.i64(7); });
  // The regions of an `if` are filled before it is inserted into the function.
  Value chosen = b.chooseValue(
      b.constantBits(b.getI1Type(), 1),
      [&] {
        Value sum = b.add(seven, b.i64(70));
        EXPECT_EQ(b.i64(7), seven);
        return sum;
      },
      [&] { return b.i64(70); });
  EXPECT_TRUE(mlir::succeeded(mlir::verify(chosen.getDefiningOp())));
  EXPECT_EQ(seven.getParentBlock(), &function.getBody().front());
  EXPECT_EQ(b.i64(7), seven);
  EXPECT_NE(b.i64(8), seven);
  EXPECT_GT(b.operationCount(), before) << "what is long stays long";
}

TEST_F(LoopBuilderTest, whatARegionComputesIsNotCachedAfterIt) {
  Position place{{b.i64(0)}};
  cache.insert(number, place, number);
  b.forEach({4}, 1, [&](const Position &position) {
    EXPECT_EQ(cache.lookup(number, place), number); // of the enclosing region
    cache.insert(number, position, position.at[0]);
    EXPECT_EQ(cache.size(), 2u);
  });
  EXPECT_EQ(cache.size(), 1u);
  auto insert = [&] {
    EXPECT_EQ(cache.size(), 1u);
    cache.insert(condition, place, condition);
  };
  b.branch(condition, insert, insert);
  EXPECT_EQ(cache.size(), 1u);
  b.chooseValue(condition, [&] { return insert(), number; }, [&] { return insert(), number; });
  EXPECT_EQ(cache.size(), 1u);
}

TEST_F(LoopBuilderTest, valuesAreCarriedWithoutALoopWhereThereIsOneIterationAtMost) {
  auto body = [&](Value at, mlir::ValueRange carried) {
    return llvm::SmallVector<Value>{b.add(carried[0], at)};
  };
  EXPECT_EQ(b.carryFrom(4, 4, 1, number, body)[0], number);
  Value once = b.carryFrom(3, 4, 1, number, body)[0];
  EXPECT_TRUE(once.getDefiningOp<mlir::arith::AddIOp>());
  EXPECT_EQ(count<scf::ForOp>(), 0u);
  Value sum = b.carryFrom(0, 4, 1, number, body)[0];
  auto loop = sum.getDefiningOp<scf::ForOp>();
  ASSERT_TRUE(loop);
  EXPECT_TRUE(mlir::succeeded(mlir::verify(loop)));
}

TEST_F(LoopBuilderTest, aConditionThatHoldsAlwaysNeedsNoBranch) {
  Value chosen = b.chooseValue({}, [&] { return number; }, [&] { return b.i64(0); });
  EXPECT_EQ(chosen, number);
  EXPECT_EQ(count<scf::IfOp>(), 0u);
}

/// Each call adds to its own value; the last one also needs a sum of the first one.
TEST_F(LoopBuilderTest, operationsTakeTurnsAsFarAsTheyDoNotNeedEachOther) {
  llvm::SmallVector<Value> sums[3];
  b.inTurns(3, [&](int64_t call) {
    sums[call].push_back(b.add(number, call == 2 ? sums[0].back() : number));
    sums[call].push_back(b.add(sums[call][0], number));
    if (call == 0)
      sums[call].push_back(b.add(sums[call][1], number));
  });
  llvm::SmallVector<Value> order;
  for (mlir::Operation &op : *sums[0][0].getParentBlock())
    if (llvm::isa<mlir::arith::AddIOp>(op))
      order.push_back(op.getResult(0));
  EXPECT_EQ(order, (llvm::SmallVector<Value>{sums[0][0], sums[1][0], sums[0][1], sums[1][1],
                                             sums[0][2], sums[2][0], sums[2][1]}));
}

/// Operations that a region uses must precede the operation that contains the region.
TEST_F(LoopBuilderTest, regionsTakeTurnsWithWhatTheyNeed) {
  Value first;
  b.inTurns(2, [&](int64_t call) {
    if (call == 0) {
      first = b.add(b.add(number, number), number);
      return;
    }
    b.branch(condition, [&] { b.add(first, number); }, [] {});
  });
  mlir::Operation *reader = *first.getUsers().begin();
  EXPECT_TRUE(first.getDefiningOp()->isBeforeInBlock(reader->getParentOp()));
}

TEST_F(LoopBuilderTest, wordsAreNumberedInRowMajorOrder) {
  Position position{{b.i64(1), b.i64(2), b.i64(3)}, /*lanes=*/1, /*width=*/2};
  auto [linear, stride] = b.locate({2, 4, 8}, position);
  EXPECT_EQ(constantOf(linear), 1 * 32 + 2 * 8 + 3);
  EXPECT_EQ(stride, 8);
}

TEST_F(LoopBuilderTest, everyOperationIsCounted) {
  unsigned before = b.operationCount();
  b.forEach({4}, 1, [&](const Position &position) { b.add(number, position.at[0]); });
  // Three bounds, the loop with its terminator, and the sum.
  EXPECT_EQ(b.operationCount() - before, 6u);
}

} // namespace
