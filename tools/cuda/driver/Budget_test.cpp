// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cuda/driver/Budget.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tilewright::cuda;

TEST(Budget, ParsesSizesWithUnits) {
  EXPECT_EQ(readMemorySize("1"), 1u);
  EXPECT_EQ(readMemorySize("1000000"), 1000000u);
  EXPECT_EQ(readMemorySize("512K"), 524288u);
  EXPECT_EQ(readMemorySize("3M"), 3145728u);
  EXPECT_EQ(readMemorySize("8G"), 8589934592u);
  EXPECT_EQ(readMemorySize("1T"), 1099511627776u);
  EXPECT_EQ(readMemorySize("8388607T"), 9223370937343148032u);
  for (const char *wrong : {"", "G", "0", "0G", "-1", "+1", "1g", "1 G", "1GB", "1.5G", "8388608T",
                            "9223372036854775808", "99999999999999999999"})
    EXPECT_EQ(readMemorySize(wrong), std::nullopt) << wrong;
}

/// A single test, because the limit is read only once per process.
TEST(Budget, RejectsReservationsBeyondLimit) {
  setenv("TILEWRIGHT_MEMORY", "1M", 1);
  EXPECT_EQ(memoryLimit(), 1u << 20);
  EXPECT_EQ(memoryLeft(), 1u << 20);
  EXPECT_TRUE(reserveMemory(1 << 19));
  EXPECT_EQ(memoryLeft(), 1u << 19);
  EXPECT_FALSE(reserveMemory((1 << 19) + 1));
  EXPECT_FALSE(reserveMemory(SIZE_MAX)); // the sum must not wrap around
  EXPECT_TRUE(reserveMemory(1 << 19));
  EXPECT_FALSE(reserveMemory(1));
  EXPECT_EQ(memoryLeft(), 0u);
  releaseMemory(1 << 20);
  EXPECT_EQ(memoryLeft(), 1u << 20);
}
