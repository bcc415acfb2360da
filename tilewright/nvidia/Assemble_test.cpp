// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the parser for the resources that ptxas reports.

#include "tilewright/nvidia/Assemble.h"

#include <gtest/gtest.h>

using namespace tilewright::nvidia;

TEST(Assemble, ReadsTheResourcesOfEntries) {
  // As ptxas 13.0 prints it.
  const auto all =
      resourcesIn("ptxas info    : 0 bytes gmem\n"
                  "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
                  "ptxas info    : Function properties for k\n"
                  "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                  "ptxas info    : Used 10 registers, used 0 barriers, 32768 bytes smem\n"
                  "ptxas info    : Compile time = 11.016 ms\n"
                  "ptxas info    : Compiling entry function 'other' for 'sm_90a'\n"
                  "ptxas info    : Function properties for other\n"
                  "    4736 bytes stack frame, 5004 bytes spill stores, 6012 bytes spill "
                  "loads\n"
                  "ptxas info    : Used 255 registers, used 1 barriers\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].entry, "k");
  EXPECT_EQ(all[0].registers, 10);
  EXPECT_EQ(all[0].stack + all[0].spillStores + all[0].spillLoads, 0);
  EXPECT_EQ(all[1].entry, "other");
  EXPECT_EQ(all[1].registers, 255);
  EXPECT_EQ(all[1].stack, 4736);
  EXPECT_EQ(all[1].spillStores, 5004);
  EXPECT_EQ(all[1].spillLoads, 6012);
  // 65536 / (128 * 16) and 65536 / (128 * 256).
  EXPECT_EQ(all[0].ctasByRegisters(128), 32);
  EXPECT_EQ(all[1].ctasByRegisters(128), 2);
  EXPECT_TRUE(resourcesIn("").empty());
}
