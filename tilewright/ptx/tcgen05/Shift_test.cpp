// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.shift: which lanes get which rows, and its rules.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

/// Fills 16 columns of the own lane with 1000 * lane + column.
static std::string fill() {
  std::string code = "mul.lo.u32 %r6, %r1, 1000;\n";
  for (unsigned at = 0; at < 16; ++at)
    code += "add.u32 %v" + std::to_string(at) + ", %r6, " + std::to_string(at) + ";\n";
  return code + "tcgen05.st.sync.aligned.32x32b.x16.b32 [%r5], " + registerList("%v", 16) +
         ";\ntcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n" +
         after;
}

static const std::string begin = init + allocation(32) + fill(),
                         shift = "@%p2 tcgen05.shift.cta_group::1.down [%r4+4];\n",
                         finish = commit + waiting + after + results(16) + release(32);

/// Columns 4 to 11 are shifted: the last lane of each quarter keeps its row.
static uint32_t shiftedAt(unsigned lane, unsigned column, unsigned times) {
  const bool isShifted = column >= 4 && column < 12;
  const unsigned last = lane / 32 * 32 + 31;
  return 1000 * (isShifted ? std::min(lane + times, last) : lane) + column;
}

TEST(TensorShift, MovesRowsInEachQuarter) {
  for (unsigned times : {1u, 2u, 40u}) {
    std::string shifts;
    for (unsigned time = 0; time < times; ++time)
      shifts += shift;
    const Words found = tensorResult(begin + shifts + finish, Words(1), 128 * 16);
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned column = 0; column < 16; ++column)
        ASSERT_EQ(found[lane * 16 + column], shiftedAt(lane, column, times))
            << lane << " " << column;
  }
}

TEST(TensorShift, MovesInBothCtas) {
  const std::string code = fill() + "@%p5 tcgen05.shift.down.cta_group::2 [%r4+4];\n",
                    kernel = pairKernel(16, code, paired(allocation(32)), paired(release(32)));
  for (const Schedule &schedule : Schedules::all()) {
    Words found(256 * 16);
    // The second CTA fills its columns before the first one shifts them.
    const std::string ordered = replaced(kernel, "@%p5 tcgen05.shift",
                                         "tcgen05.fence::before_thread_sync;\n" + clusterBarrier +
                                             after + "@%p5 tcgen05.shift");
    ASSERT_EQ(pairRun(ordered, Words(2 * 12288), schedule, found), "nothing");
    for (unsigned row = 0; row < 256; ++row)
      for (unsigned column = 0; column < 16; ++column)
        ASSERT_EQ(found[row * 16 + column], shiftedAt(row % 128, column, 1))
            << row << " " << column;
  }
}

TEST(TensorShift, ChecksRules) {
  const auto found = [](const std::string &code) { return withoutNumbers(tensorFinding(code)); };
  const std::string at = " @ tcgen#.shift.cta_group::#.down";
  EXPECT_EQ(found(begin + shift + finish), "nothing");
  EXPECT_EQ(found(begin + replaced(shift, "[%r4+4]", "[%r4+0x100004]") + finish),
            "tensor-memory: tcgen#.shift begins at lane #, #, # or #, and not at lane "
            "#, column #" +
                at);
  EXPECT_EQ(found(begin + replaced(shift, "[%r4+4]", "[%r4+0x800004]") + finish),
            "tensor-memory: tcgen#.shift begins at lane #, #, # or #, and not at lane "
            "#, column #" +
                at);
  EXPECT_EQ(found(begin + replaced(shift, "[%r4+4]", "[%r4+0x200004]") + finish),
            "tensor-memory: the machine does not implement this (the kernel may be right): "
            "tcgen#.shift from lane #, column #" +
                at);
  EXPECT_EQ(found(begin + replaced(shift, "[%r4+4]", "[%r4+25]") + finish),
            "tensor-memory: columns # to # of tensor memory are not inside of one allocation" + at);
  EXPECT_EQ(found(begin + replaced(shift, "%r4+4", "%r31") + finish),
            "undefined-value: an operand of a tcgen# instruction is not defined" + at);
  EXPECT_EQ(found(begin + replaced(shift, "group::1", "group::2") + finish),
            "tensor-memory: all tcgen# instructions of a kernel have the same .cta_group @ "
            "tcgen#.shift.cta_group::#.down");
  // The columns are read before the shift is complete.
  EXPECT_NE(found(begin + shift + "bar.sync 0;\n" + results(16) + commit + waiting + release(32))
                .find("may be incomplete: nothing waited for it with a tcgen#.commit"),
            std::string::npos);
  // Another shift by the same thread needs no wait, but a store does.
  EXPECT_EQ(found(begin + shift + shift + finish), "nothing");
  EXPECT_NE(found(begin + shift + "bar.sync 0;\n" + fill() + finish).find("may be incomplete"),
            std::string::npos);
}
