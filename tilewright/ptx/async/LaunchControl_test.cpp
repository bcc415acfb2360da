// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clusterlaunchcontrol: whichever CTA does the work, the work of each CTA of the grid is done once.

#include "tilewright/ptx/async/CopiesTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static const std::string waitForNext =
    "$wait:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], %r5;\n"
    "@!%p2 bra $wait;\nxor.b32 %r5, %r5, 1;\n";
static const std::string request = "clusterlaunchcontrol.try_cancel.async.shared::cta."
                                   "mbarrier::complete_tx::bytes.b128 [tile], [bar];\n";

/// A CTA of one thread adds 1 to the word with its number, and repeats this for cancelled CTAs.
/// Word 12 counts the CTAs that began.
static std::string workers(const std::string &query) {
  return R"(
  .reg .b128 %q;
  red.relaxed.gpu.global.add.u32 [%rd1+48], 1;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ctaid.y;
  mov.u32 %r5, 0;
)" + init +
         "$work:\n" + expect("16") + request + R"(
  mad.lo.u32 %r6, %r4, 4, %r3;
  mul.wide.u32 %rd2, %r6, 4;
  add.u64 %rd2, %rd1, %rd2;
  red.relaxed.gpu.global.add.u32 [%rd2], 1;
)" + waitForNext +
         R"(
  ld.shared.b128 %q, [tile];
  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q;
)" + query +
         "  @%p1 bra $work;\n";
}

static const std::string requestByEach = R"(
  @%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r3, %q;
  @%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r4, %q;
  @%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r7, %q;
  @%p1 add.u32 %r3, %r3, %r7;
)";
static const std::string requestByOne = R"(
  @%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r3, %r4, %r7, _}, %q;
  @%p1 add.u32 %r3, %r3, %r7;
)";

/// The schedule decides in which order CTAs begin; how many began is not compared.
static Words workOf(const std::string &code, const Schedule &schedule, const Trial &launch) {
  Kernel kernel(textOf(code));
  EXPECT_EQ(kernel.refused, "");
  Region &out = kernel.array(launch.array);
  kernel.launch.grid = launch.grid;
  kernel.launch.block = {launch.threads, 1, 1};
  kernel.launch.cluster = launch.cluster;
  kernel.schedule = schedule;
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(), "nothing");
  return Kernel::values<uint32_t>(out);
}

TEST(LaunchControl, RunsEachCtaOnce) {
  std::set<uint32_t> begun;
  for (const std::string &query : {requestByEach, requestByOne})
    for (const Schedule &schedule : Schedules::all()) {
      Words words = workOf(workers(query), schedule, {"", Words(13), 1, {4, 3, 1}});
      begun.insert(words.back());
      words.pop_back();
      EXPECT_EQ(words, Words(12, 1));
    }
  // If CTAs begin one after the other, one CTA does the work of all; if all begin, each does its
  // own.
  EXPECT_TRUE(begun.contains(1));
  EXPECT_TRUE(begun.contains(12));
  EXPECT_GT(begun.size(), 2u);
}

/// As in the manual: a thread of the first CTA cancels for its whole cluster. The first `active`
/// threads of a CTA add 1 to the word of its number; the word behind those counts the CTAs that
/// began.
static std::string clusterWorkers(uint32_t ctas, uint32_t active) {
  return "setp.ge.u32 %p5, %r1, " + std::to_string(active) + R"(;
  @%p5 bra $end;
  .reg .b128 %q;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r5, 0;
  setp.eq.u32 %p4, %r1, 0;
  setp.eq.and.u32 %p3, %r2, 0, %p4;
  @%p4 red.relaxed.gpu.global.add.u32 [%rd1+)" +
         std::to_string(4 * ctas) + "], 1;\n@%p4 " + init + R"(
  fence.mbarrier_init.release.cluster;
  barrier.cluster.arrive;
$work:
  barrier.cluster.wait;
  @%p4 )" +
         expect("16") + R"(
  @%p3 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [tile], [bar];
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd2, %rd1, %rd2;
  red.relaxed.gpu.global.add.u32 [%rd2], 1;
)" + waitForNext +
         R"(
  ld.shared.b128 %q, [tile];
  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q;
  @%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r3, %q;
  add.u32 %r3, %r3, %r2;
  barrier.cluster.arrive;
  @%p1 bra $work;
  barrier.cluster.wait;
$end:)";
}

TEST(LaunchControl, CancelsWholeClusters) {
  for (uint32_t threads : {1u, 48u})
    for (const Schedule &schedule : Schedules::all()) {
      Words words = workOf(clusterWorkers(12, threads), schedule,
                           {"", Words(13), threads, {12, 1, 1}, {{2, 1, 1}}});
      EXPECT_EQ(words.back() % 2, 0u);
      words.pop_back();
      EXPECT_EQ(words, Words(12, threads));
    }
}

TEST(LaunchControl, MoreClustersThanFit) {
  // At most 32 CTAs of 1024 threads run at a time; most of their threads exit at once.
  std::set<uint32_t> begun;
  for (const Schedule &schedule : Schedules::all()) {
    Words words =
        workOf(clusterWorkers(80, 32), schedule, {"", Words(81), 1024, {80, 1, 1}, {{2, 1, 1}}});
    begun.insert(words.back());
    words.pop_back();
    EXPECT_EQ(words, Words(80, 32));
  }
  EXPECT_LE(*begun.rbegin(), 80u);
}

TEST(LaunchControl, ChecksAddressSpaces) {
  // A shared variable and a generic address.
  const std::string unspecified =
      "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 ";
  for (const auto &[variable, operands] :
       {std::pair("bar", "[tile], [%rd3];\n"), std::pair("tile", "[%rd3], [bar];\n")}) {
    std::string code = workers(requestByEach);
    code.replace(code.find(request), request.size(),
                 "mov.u64 %rd3, " + std::string(variable) + ";\ncvta.shared.u64 %rd3, %rd3;\n" +
                     unspecified + operands);
    for (const Schedule &schedule : Schedules::all()) {
      Words words = workOf(code, schedule, {"", Words(13), 1, {4, 3, 1}});
      words.pop_back();
      EXPECT_EQ(words, Words(12, 1));
    }
  }
}

TEST(LaunchControl, EndlessWaitIsDeadlock) {
  // More CTAs begin when none can continue, but only as many as fit: 32, whose threads mostly exit
  // at once.
  const std::string code = "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra $end;\n" + init + waitFor("0") +
                           expect("16") + request + "$end:\n";
  for (const Order order : {Order::Up, Order::Down, Order::Random}) {
    Kernel kernel(textOf(code));
    kernel.array(Words(1));
    kernel.launch.grid = {1000000, 1, 1};
    kernel.launch.block = {1024, 1, 1};
    kernel.schedule.order = order;
    kernel.run();
    ASSERT_EQ(kernel.findings.size(), 1u);
    EXPECT_EQ(kernel.findings.front().check, Check::Deadlock) << kernel.firstFinding();
    EXPECT_NE(kernel.findings.front().message.find("32 wait here"), std::string::npos)
        << kernel.firstFinding();
  }
}

TEST(LaunchControl, ReportsMisuse) {
  const std::string begin = ".reg .b128 %q;\nmov.u32 %r5, 0;\n" + init;
  const std::string ask = expect("16") + request + waitForNext + "ld.shared.b128 %q, [tile];\n";
  const std::string query = "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q;\n";
  // The grid has one CTA, so each request fails.
  const std::string first =
      "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r3, %q;\n";
  const std::string all =
      "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r6, %r3, %r7, _}, %q;\n";
  for (const std::string &coordinates : {first, all}) {
    EXPECT_EQ(resultOf({begin + ask + coordinates}), Words(1));
    EXPECT_EQ(misses({begin + ask + coordinates + "st.global.u32 [%rd1], %r3;\n"}, Check::Undefined,
                     "a value that is not defined is written", "st.global"),
              "");
    EXPECT_EQ(misses({begin + ask + coordinates +
                      "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra $end;\n"
                      "$end:\n"},
                     Check::Undefined, "is not defined", "bra"),
              "");
  }
  EXPECT_EQ(misses({begin + ask + query + request}, Check::Collective, "may not make another one",
                   "clusterlaunchcontrol.try"),
            "");
  // Without a query, the failure of the first request is unknown.
  EXPECT_EQ(resultOf({begin + ask + expect("16") + request + "$again:\n" + waitFor("1")}),
            Words(1));
  EXPECT_EQ(misses({begin + "mov.b128 %q, {%rd1, %rd1};\n" + query}, Check::Collective,
                   "no response of try_cancel", "clusterlaunchcontrol.query"),
            "");
  // Too early, under each schedule.
  EXPECT_EQ(misses({begin + expect("16") + request + "ld.shared.b128 %q, [tile];\n"}, Check::Race,
                   "by an asynchronous operation", "ld.shared"),
            "");
  EXPECT_EQ(misses({"clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 "
                    "[%rd1], [%rd1+16];",
                    Words(8)},
                   Check::Mbarrier, "is in shared memory", "clusterlaunchcontrol"),
            "");
  for (const char *code :
       {"clusterlaunchcontrol.try_cancel.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], "
        "[%r2];",
        "clusterlaunchcontrol.query_cancel.get_first_ctaid.b32.b128 %r1, %rd1;",
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rd1;"})
    EXPECT_NE(refusalOf(code), "") << code;
}
