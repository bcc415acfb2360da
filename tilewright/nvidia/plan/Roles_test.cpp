// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which loops have a producer warp, what it executes, and the reasons against it.

#include "tilewright/nvidia/plan/RolesTesting.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::nvidia::testing;

namespace {

/// Stores the sums of a loop, converted to f16.
std::string stored(const std::string &sums, const std::string &to) {
  return "%h" + sums + " = ftof %" + sums + " : " + tile32 + " -> " + tile16 + at("h" + sums) +
         "%w" + sums + " = store_view_tko weak %h" + sums + ", %" + to +
         "[%zero, %zero] : " + tile16 + ", " + view + ", tile<i32> -> token" + at("store" + sums);
}

class NvidiaRoles : public RolesTest {};

TEST_F(NvidiaRoles, theProducerExecutesWhatTheCopiesNeed) {
  Plan plan = planOf("%other = iota : tile<64xi32>" + at("other") + loop("s"));
  ASSERT_TRUE(plan.roles.areSpecialised());
  EXPECT_EQ(plan.threads, 128);
  EXPECT_EQ(plan.launchedThreads(), 160);
  EXPECT_EQ(sliceOf(plan), "p zero one av a bv b s ds");
  EXPECT_EQ(nameOf(plan.roles.start), "s");
  const Ring &ring = plan.roles.rings.front().second;
  EXPECT_EQ(ring.copies.size(), 2u);
  EXPECT_EQ(ring.bytes, 2 * 64 * 64 * 2);
  EXPECT_EQ(ring.stages, 2);
  EXPECT_EQ(ring.barriers % 8, 0);
}

TEST_F(NvidiaRoles, aRingHasTheStagesOfItsLoop) {
  stages = Tuning().mostStages;
  EXPECT_EQ(planOf(loop("s")).roles.rings.front().second.stages, Tuning().mostStages);
}

/// Both operands are tiles of the same shape, but of different views.
TEST_F(NvidiaRoles, aMapHasTheExtentsOfAnOperand) {
  Plan plan = planOf(loop("s"));
  ASSERT_EQ(plan.roles.maps.size(), 2u);
  for (const TensorMap &map : plan.roles.maps) {
    EXPECT_EQ(map.dims, (llvm::SmallVector<unsigned, 5>{1, 0}));
    EXPECT_EQ(map.box, (llvm::SmallVector<int64_t, 5>{64, 64}));
    EXPECT_EQ(map.span(), 128);
  }
  EXPECT_EQ(plan.roles.mapsInShared % TensorMap::bytes, 0);
  EXPECT_EQ(plan.roles.mapsInPool % TensorMap::bytes, 0);
}

TEST_F(NvidiaRoles, equalAccessesHaveOneMap) {
  EXPECT_EQ(planOf(loop("s", "a", "a")).roles.maps.size(), 1u);
  EXPECT_EQ(planOf(loop("s") + loop("t")).roles.maps.size(), 2u);
}

TEST_F(NvidiaRoles, theSliceHasTheControlFlowAroundProducts) {
  Plan plan = planOf("%r = if %if -> (" + tile32 + ") {\n" + loop("s") + "yield %s : " + tile32 +
                     "\n} else {\nyield %none : " + tile32 + "\n}" + at("r"));
  ASSERT_TRUE(plan.roles.areSpecialised()) << reasonOf(plan, "s");
  EXPECT_EQ(sliceOf(plan), "p zero one av a bv b r s ds");
  EXPECT_EQ(nameOf(plan.roles.start), "r");
}

TEST_F(NvidiaRoles, otherTargetsHaveNoProducer) {
  for (const char *target : {"sm_80", "sm_120a"}) {
    Plan plan = planOf(loop("s"), target);
    EXPECT_FALSE(plan.roles.areSpecialised()) << target;
    EXPECT_TRUE(plan.roles.reasons.empty()) << target;
  }
}

/// The entry begins with the question. If the answer is no, the same threads hold tiles, without
/// a producer, and there are no rings beside the stages.
TEST_F(NvidiaRoles, theKernelAsksWhatIsNotKnown) {
  Plan plan = planOf("%other = iota : tile<64xi32>" + at("other") + loop("s", "c", "b"));
  ASSERT_TRUE(plan.roles.areSpecialised()) << reasonOf(plan, "s");
  ASSERT_EQ(plan.roles.questions.size(), 1u);
  const Question &question = plan.roles.questions.front();
  EXPECT_EQ(question.kind, Question::Address);
  EXPECT_EQ(question.divisor, 16);
  EXPECT_EQ(nameOf(question.view.getDefiningOp()), "cv");
  ASSERT_EQ(plan.roles.asked.size(), 1u);
  EXPECT_EQ(nameOf(*plan.roles.asked.begin()), "cv");
  ASSERT_TRUE(plan.otherwise);
  EXPECT_FALSE(plan.otherwise->roles.areSpecialised());
  EXPECT_EQ(plan.otherwise->threads, plan.threads);
  EXPECT_EQ(plan.otherwise->pipelines.size(), 1u);
  EXPECT_LE(plan.otherwise->shared.bytes, plan.shared.bytes);
}

TEST_F(NvidiaRoles, nothingIsAskedThatIsKnown) {
  Plan plan = planOf(loop("s"));
  EXPECT_TRUE(plan.roles.questions.empty());
  EXPECT_FALSE(plan.otherwise);
}

/// A stride is asked about once, and no stride of the type is.
TEST_F(NvidiaRoles, questionsAreAboutAddressesStridesExtentsAndRows) {
  const std::string dynamic = "tensor_view<512x?xf16, strides=[?,?]>";
  std::string made = "%dv = make_tensor_view %p, shape = [512, %w], strides = [%w, %w] : tile<i64> "
                     "-> " +
                     dynamic + at("dv") + "%d = make_partition_view %dv : " + view + at("d");
  std::string body = loop("s", "d", "d");
  for (std::string *text : {&made, &body})
    for (size_t found; (found = text->find(array)) != std::string::npos;)
      text->replace(found, array.size(), dynamic);
  Plan plan = planAfter("%w = exti %n signed : tile<i32> -> tile<i64>" + at("w") + made, body);
  ASSERT_TRUE(plan.roles.areSpecialised()) << reasonOf(plan, "s");
  std::string kinds;
  for (const Question &question : plan.roles.questions) {
    kinds += "ASER"[question.kind] + std::to_string(question.dim) + " ";
    EXPECT_EQ(question.divisor, question.kind == Question::Stride ? 8 : 1);
  }
  EXPECT_EQ(kinds, "S0 R1 E1 ");
  EXPECT_EQ(plan.roles.asked.size(), 3u); // p, w, dv
}

TEST_F(NvidiaRoles, loadedPointersAreNotAskedAbout) {
  for (const std::string &body : {loop("s", "c", "b"), loop("s", "b", "c")}) {
    Plan plan = planAfter(makeView("b", "p") + makeLateView(), body);
    EXPECT_FALSE(plan.roles.areSpecialised());
    EXPECT_EQ(reasonOf(plan, "s").substr(3),
              ": the address is not known to be a multiple of 16 bytes");
  }
}

/// What follows a return may hold only where the kernel does not return.
TEST_F(NvidiaRoles, nothingBehindAReturnIsAskedAbout) {
  const std::string leave = "if %if {\nreturn" + at("leave") + "}" + at("branch");
  EXPECT_EQ(planAfter(makeView("b", "p") + makeView("c", "q") + leave, loop("s", "b", "c"))
                .roles.questions.size(),
            1u);
  Plan late = planAfter(makeView("b", "p") + leave + makeView("c", "q"), loop("s", "b", "c"));
  EXPECT_EQ(reasonOf(late, "s"), "rhs: the address is not known to be a multiple of 16 bytes");
}

/// A loop without a producer leaves nothing behind for another one that has one.
TEST_F(NvidiaRoles, eachLoopIsJudgedAlone) {
  for (const std::string &body :
       {loop("s", "a", "c") + loop("t", "b", "b"), loop("t", "b", "b") + loop("s", "a", "c")}) {
    Plan plan = planAfter(makeView("a", "p") + makeView("b", "p") + makeLateView(), body);
    ASSERT_TRUE(plan.roles.areSpecialised());
    EXPECT_TRUE(plan.roles.questions.empty());
    EXPECT_EQ(reasonOf(plan, "s"), "rhs: the address is not known to be a multiple of 16 bytes");
    EXPECT_EQ(reasonOf(plan, "t"), "");
    EXPECT_EQ(plan.roles.rings.size(), 1u);
    ASSERT_EQ(plan.roles.maps.size(), 1u);
    EXPECT_EQ(nameOf(plan.roles.maps[0].view.getDefiningOp()), "bv");
    EXPECT_EQ(sliceOf(plan), "p zero one bv b t dt");
  }
}

TEST_F(NvidiaRoles, arraysAreMadeBeforeTheFirstLoop) {
  Plan plan = planOf(loop("s") + makeView("d", "p") + loop("t", "d", "b"));
  EXPECT_EQ(reasonOf(plan, "s"), "");
  EXPECT_EQ(reasonOf(plan, "t"), "lhs: the array is not made before the first loop with products");
}

TEST_F(NvidiaRoles, rolesMeetBehindWritesThatLoadsFollow) {
  auto meetings = [&](const std::string &body) {
    Plan plan = planOf(body + loop("s", "a", "b", "w"));
    EXPECT_TRUE(plan.roles.areSpecialised());
    std::string names;
    module->walk([&](mlir::Operation *op) {
      if (plan.roles.meetings.contains(op))
        names += nameOf(op) + (plan.roles.slice.contains(op) ? "" : " outside of the slice");
    });
    return names;
  };
  const std::string type = " : tile<ptr<i32>> -> tile<i32>, token";
  EXPECT_EQ(meetings("%w = store_ptr_tko weak %e, %one : tile<ptr<i32>>, tile<i32> -> token" +
                     at("store")),
            "store");
  EXPECT_EQ(meetings("%v, %w = load_ptr_tko acquire device %e" + type + at("acquire")), "acquire");
  EXPECT_EQ(meetings("%v, %x = load_ptr_tko weak %e" + type + at("weak") +
                     "%u = make_token : token\n%w = join_tokens %u, %x : token\n"),
            "");
  EXPECT_EQ(reason("%w = print_tko \"text\" -> token\n" + loop("s", "a", "b", "w")),
            "lhs: a token orders the load after what a producer cannot wait for");
}

/// The token of a branch may be either one.
TEST_F(NvidiaRoles, tokensOfControlFlowLeadToAllOfTheirSources) {
  const std::string store =
      "%w = store_ptr_tko weak %e, %one : tile<ptr<i32>>, tile<i32> -> token\n";
  auto countMeetings = [&](const std::string &body) {
    return planOf(body + loop("s", "a", "b", "t")).roles.meetings.size();
  };
  EXPECT_EQ(countMeetings("%u = make_token : token\n%t = if %if -> (token) {\nyield %u : token\n} "
                          "else {\n" +
                          store + "yield %w : token\n}\n"),
            1u);
  EXPECT_EQ(countMeetings("%u = make_token : token\n%t = for %j in (%zero to %n, step %one) : "
                          "tile<i32> iter_values(%before = %u) -> (token) {\n" +
                          store + "continue %w : token\n}\n"),
            1u);
}

TEST_F(NvidiaRoles, bothRolesLoadScalars) {
  auto loaded = [&](const std::string &order, const std::string &after = "") {
    return "%m, %w = load_ptr_tko " + order + " %e : tile<ptr<i32>> -> tile<i32>, token" + at("m") +
           after + loop("s", "a", "b", "", "%zero to %m, step %one");
  };
  Plan plan = planOf(loaded("weak"));
  ASSERT_TRUE(plan.roles.areSpecialised());
  EXPECT_EQ(sliceOf(plan), "p zero one av a bv b m s ds");
  const std::string store =
      "%o = store_ptr_tko weak %e, %one token=%w : tile<ptr<i32>>, tile<i32> -> token\n";
  const std::string problem =
      "lhs: the load depends on what a producer cannot compute: load_ptr_tko";
  EXPECT_EQ(reason(loaded("weak", store)), problem + " is ordered with a write by a token");
  EXPECT_EQ(reason(loaded("relaxed device")), problem + " has effects");
}

/// A producer copies operands of products, and computes none, not even of one element.
TEST_F(NvidiaRoles, productsAreNoScalars) {
  const std::string bound =
      "%f = constant <i8: 2> : tile<1x1xi8>\n"
      "%g = constant <i32: 1> : tile<1x1xi32>\n"
      "%mm = mmai %f, %f, %g signed signed : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>\n"
      "%bound = reshape %mm : tile<1x1xi32> -> tile<i32>\n";
  EXPECT_EQ(reason(bound + loop("s", "a", "b", "", "%zero to %bound, step %one")),
            "lhs: the load depends on what a producer cannot compute: mmai is a product");
}

/// A later load may hand the order on to a store.
TEST_F(NvidiaRoles, loadsBeforeJoinedTokensPrecedeTheirStore) {
  const std::string joined = "%m, %w = load_ptr_tko weak %e : tile<ptr<i32>> -> tile<i32>, token\n"
                             "%j = join_tokens %w, %w : token\n"
                             "%l, %v = load_ptr_tko weak %e token=%j : tile<ptr<i32>> -> "
                             "tile<i32>, token\n";
  const std::string products = loop("s", "a", "b", "", "%zero to %m, step %one");
  EXPECT_TRUE(planOf(joined + products).roles.areSpecialised());
  EXPECT_NE(
      reason(joined + products +
             "%o = store_ptr_tko weak %e, %one token=%v : tile<ptr<i32>>, tile<i32> -> token\n"),
      "");
}

/// Its tile of 8 KiB takes the place of the stages, which begin behind the memory of exchanges.
TEST_F(NvidiaRoles, aStoreBehindAllProductsUsesAMap) {
  Plan plan = planOf(loop("s") + stored("s", "a"));
  ASSERT_EQ(plan.roles.stores.size(), 1u);
  const auto &[op, store] = plan.roles.stores.front();
  EXPECT_EQ(nameOf(op), "stores");
  EXPECT_EQ(plan.roles.mapsOfLoads, 2u);
  EXPECT_EQ(store.map, 2u);
  EXPECT_EQ(plan.roles.maps.size(), 3u);
  EXPECT_EQ(store.rowDim, 1u);
  EXPECT_EQ(store.part.image.rows, 64);
  EXPECT_EQ(store.part.image.rowBytes, 128);
  const Staging &staging = plan.staged.front().second;
  EXPECT_EQ(store.offset, std::min(staging.lhs.offset, staging.rhs.offset));
  EXPECT_FALSE(plan.accessLayouts.contains(op));
}

TEST_F(NvidiaRoles, storesOfOneViewShareAMap) {
  Plan plan =
      planOf(loop("s") + stored("s", "a") + "%u = addf %s, %s : " + tile32 + stored("u", "a"));
  EXPECT_EQ(plan.roles.stores.size(), 2u);
  EXPECT_EQ(plan.roles.maps.size(), 3u);
}

/// Stages are read again, or the address is not known to be aligned, or there are no stages.
TEST_F(NvidiaRoles, otherStoresUseNoMap) {
  Plan first = planOf(loop("s") + stored("s", "a") + loop("u") + stored("u", "a"));
  ASSERT_EQ(first.roles.stores.size(), 1u);
  EXPECT_EQ(nameOf(first.roles.stores.front().first), "storeu");
  EXPECT_TRUE(planOf(loop("s") + stored("s", "c")).roles.stores.empty());
  EXPECT_TRUE(planOf(loop("s") + "if %if {\n" + stored("s", "a") + "}").roles.stores.empty());
  EXPECT_TRUE(planOf(loop("s") + stored("s", "a"), "sm_100a").roles.stores.empty());
}

TEST_F(NvidiaRoles, entriesWithFencesHaveNone) {
  EXPECT_EQ(reason("%u = make_token : token\n%f = memory_fence_alias_tko %u\n" + loop("s")),
            "the entry has a fence");
}

TEST_F(NvidiaRoles, bothRolesReturnEarly) {
  Plan plan = planOf("if %if {\nreturn" + at("leave") + "}" + at("branch") + loop("s"));
  ASSERT_TRUE(plan.roles.areSpecialised());
  EXPECT_EQ(sliceOf(plan), "p zero one av a bv b branch leave s ds");
}

/// A warp of 32 threads counts as a warpgroup in the limit that ptxas assumes: 65536 / 256 and
/// 65536 / 384 registers.
TEST_F(NvidiaRoles, theLimitOfRegistersCountsTheProducer) {
  Plan plan = planOf(loop("s"));
  EXPECT_EQ(plan.registersOfThread(), 255);
  plan.threads = 256;
  EXPECT_EQ(plan.registersOfThread(), 224); // 65536 / 288 = 227, in units of 8
  EXPECT_EQ(plan.registerLimit(), 224);     // ptxas assumes 384 threads: 170
}

} // namespace
