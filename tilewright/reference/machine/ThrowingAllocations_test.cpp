// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks in which threads failed allocations of LLVM's containers throw.

#include "tilewright/reference/machine/ThrowingAllocations.h"

#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>
#include <new>
#include <thread>

using tilewright::reference::ThrowingAllocations;

namespace {

/// What LLVM's containers do if there is no memory.
void failToAllocate() { llvm::report_bad_alloc_error("no memory for a test"); }

void failInAnotherThread() { std::thread(failToAllocate).join(); }

TEST(ThrowingAllocations, ThrowInOwnThread) {
  ThrowingAllocations outer;
  EXPECT_THROW(failToAllocate(), std::bad_alloc);
  {
    ThrowingAllocations inner;
    EXPECT_THROW(failToAllocate(), std::bad_alloc);
  }
  EXPECT_THROW(failToAllocate(), std::bad_alloc);
}

TEST(ThrowingAllocations, ThrowInEachEnabledThread) {
  ThrowingAllocations here;
  bool hasThrown = false;
  std::thread([&] {
    ThrowingAllocations there;
    try {
      failToAllocate();
    } catch (const std::bad_alloc &) {
      hasThrown = true;
    }
  }).join();
  EXPECT_TRUE(hasThrown);
  EXPECT_THROW(failToAllocate(), std::bad_alloc);
}

/// An exception would not be caught and would end the process with another message.
TEST(ThrowingAllocationsDeathTest, EndProcessInOtherThreads) {
  ThrowingAllocations here;
  EXPECT_DEATH(failInAnotherThread(), "LLVM ERROR: out of memory\nno memory for a test");
}

TEST(ThrowingAllocationsDeathTest, EndProcessAfterwards) {
  {
    ThrowingAllocations gone;
  }
  EXPECT_DEATH(failToAllocate(), "LLVM ERROR: out of memory");
}

} // namespace
