// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests advice as data: verdicts, witnesses, limits and cancellation. More kernels with verdicts
// worked out by hand are in test/advise/.

#include "tilewright/api/advise/Advise.h"
#include "tilewright/api/devices/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
using Texts = std::vector<std::string>;

namespace {

/// All blocks increase x[0], in an order that nobody sees.
const char counting[] = R"(cuda_tile.module @m {
  entry @count(%x: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko acquire device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
})";

KernelAdvice advised(const char *text, int64_t blocks, const std::vector<Argument> &arguments,
                     const AdviseOptions &options = {}) {
  auto advice = adviseKernel(entryOf(text), *runtime::Grid::create(blocks), arguments, options);
  EXPECT_TRUE(advice) << advice.failure().message;
  return *advice;
}

TEST(Advise, ATokenThatOrdersALoadAndAStoreIsNeeded) {
  Numbers x = {1, 2};
  const KernelAdvice advice = advised(addition, 2, {arrayOf(x), number(5)});
  EXPECT_EQ(x, (Numbers{1, 2}));
  EXPECT_EQ(advice.entry, "add");
  EXPECT_TRUE(advice.isExhaustive);
  EXPECT_EQ(advice.executions, 1u);
  EXPECT_EQ(advice.outcomes, 1u);
  EXPECT_TRUE(advice.errors.empty());
  ASSERT_EQ(advice.operations.size(), 1u);
  const OperationAdvice &row = advice.operations[0];
  EXPECT_EQ(row.operation, "store_ptr_tko");
  EXPECT_EQ(row.place.line, 7);
  EXPECT_EQ(row.part, AdvisedPart::Token);
  EXPECT_EQ(row.form, "token=%t");
  EXPECT_EQ(row.verdict, AdviceVerdict::Needed);
  ASSERT_EQ(row.tried.size(), 1u);
  EXPECT_EQ(row.tried[0].form, "no token");
  EXPECT_EQ(row.tried[0].verdict, FormVerdict::Fails);
  ASSERT_TRUE(row.tried[0].witness);
  EXPECT_NE(row.tried[0].witness->what.find("[race]"), std::string::npos);
}

TEST(Advise, AnAcquireThatOrdersNothingCanBeRelaxed) {
  Numbers x = {0};
  const KernelAdvice advice = advised(counting, 2, {arrayOf(x)});
  EXPECT_TRUE(advice.isExhaustive);
  EXPECT_EQ(advice.outcomes, 1u);
  ASSERT_EQ(advice.operations.size(), 2u);
  EXPECT_EQ(advice.operations[0].part, AdvisedPart::Ordering);
  EXPECT_EQ(advice.operations[0].verdict, AdviceVerdict::Weakenable);
  EXPECT_EQ(advice.operations[0].weakest, Texts{"relaxed device"});
  EXPECT_EQ(advice.operations[0].tried[0].verdict, FormVerdict::Holds);
  EXPECT_EQ(advice.operations[1].part, AdvisedPart::Scope);
  EXPECT_EQ(advice.operations[1].verdict, AdviceVerdict::Needed);
  ASSERT_EQ(advice.together.size(), 1u);
  EXPECT_EQ(advice.together[0].change, "acquire device -> relaxed device");
}

TEST(Advise, SomeExecutionsProveNothing) {
  Numbers x = {0};
  AdviseOptions options;
  options.explorationRuns = 1;
  options.randomSchedules = 3;
  const KernelAdvice advice = advised(counting, 2, {arrayOf(x)}, options);
  EXPECT_FALSE(advice.isExhaustive);
  EXPECT_FALSE(advice.limit.empty());
  ASSERT_EQ(advice.operations.size(), 2u);
  EXPECT_EQ(advice.operations[0].verdict, AdviceVerdict::Weakenable);
  EXPECT_EQ(advice.operations[0].tried[0].verdict, FormVerdict::NoneFound);
  EXPECT_GE(advice.operations[0].tried[0].executions, 4u);
}

TEST(Advise, RacesHaveFixes) {
  Numbers x = {0};
  const KernelAdvice advice = advised(racing, 2, {arrayOf(x)});
  ASSERT_EQ(advice.errors.size(), 1u);
  EXPECT_TRUE(advice.errors[0].isRace);
  EXPECT_EQ(advice.errors[0].place.line, 4);
  EXPECT_TRUE(advice.operations.empty());
  ASSERT_EQ(advice.fixes.size(), 1u);
  ASSERT_EQ(advice.fixes[0].size(), 1u);
  EXPECT_EQ(advice.fixes[0][0].change, "weak -> relaxed device");
}

/// Outcomes have the same key however they were found. The stores also write elements that stay
/// zero.
TEST(Advise, SchedulesEndWithOutcomesOfExplorations) {
  // Without its token, the second store may come first.
  const char *text = R"(cuda_tile.module @m {
    entry @stores(%bytes: tile<ptr<i8>>) {
      %x = ptr_to_ptr %bytes : tile<ptr<i8>> -> tile<ptr<i16>>
      %1 = constant <i16: 1> : tile<i16>
      %2 = constant <i16: 2> : tile<i16>
      %t = store_ptr_tko relaxed device %x, %1 : tile<ptr<i16>>, tile<i16> -> token
      %u = store_ptr_tko relaxed device %x, %2 token=%t : tile<ptr<i16>>, tile<i16> -> token
    }
  })";
  std::vector<int8_t> x = {5, 0};
  const int64_t shape[] = {2};
  const KernelAdvice advice = advised(text, 1, {*Array::create(x.data(), Format::I8, shape)});
  const auto token = llvm::find_if(
      advice.operations, [](const OperationAdvice &row) { return row.part == AdvisedPart::Token; });
  ASSERT_NE(token, advice.operations.end());
  ASSERT_TRUE(token->tried[0].witness);
  EXPECT_EQ(token->tried[0].witness->what,
            "a new outcome: parameter 1 (2xi8)[0] = 1, parameter 1 (2xi8)[1] = 0");
  EXPECT_TRUE(llvm::StringRef(token->tried[0].witness->schedule).starts_with("random --seed "));
}

TEST(Advise, RefusesOtherArguments) {
  EXPECT_FALSE(adviseKernel(entryOf(counting), *runtime::Grid::create(1), {}));
}

TEST(Advise, CanBeCancelled) {
  Numbers x = {0};
  const std::atomic<bool> cancelled = true;
  AdviseOptions options;
  options.cancelled = &cancelled;
  const KernelAdvice advice = advised(racing, 2, {arrayOf(x)}, options);
  EXPECT_TRUE(advice.isCancelled);
  EXPECT_TRUE(advice.errors.empty());
  EXPECT_TRUE(advice.operations.empty());
  EXPECT_EQ(toString(advice), "interrupted: nothing was judged\n");
  EXPECT_NE(toJson(advice).find("\"cancelled\": true"), std::string::npos);
}

TEST(Advise, SaysWhatWasFoundBeforeAnInterrupt) {
  Numbers x = {0};
  KernelAdvice right = advised(counting, 2, {arrayOf(x)}), wrong = advised(racing, 2, {arrayOf(x)});
  right.isCancelled = wrong.isCancelled = true;
  right.operations.pop_back();
  const auto endsWith = [](const KernelAdvice &advice, llvm::StringRef end) {
    return llvm::StringRef(toString(advice)).ends_with(end);
  };
  EXPECT_NE(toString(right).find("ordering acquire: can be weakened"), std::string::npos);
  EXPECT_TRUE(endsWith(
      right, "\ninterrupted: orders, scopes and tokens that are not listed were not judged\n"));
  EXPECT_NE(toString(wrong).find("[race]"), std::string::npos);
  EXPECT_TRUE(endsWith(wrong, "\ninterrupted: changes that leave no race were not all tried\n"));
}

} // namespace
