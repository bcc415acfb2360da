// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which arrays an address stands for.

#include "tilewright/runtime/Kernel.h"
#include "tilewright/runtime/Multicast.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

using namespace tilewright;
using namespace tilewright::runtime;

namespace {

/// The addresses of the copies of an address.
std::vector<uint64_t> copiesAt(uint64_t address) {
  const twCopies *copies = tw_copies(address);
  std::vector<uint64_t> found;
  for (int64_t i = 0; i < copies->count; ++i)
    found.push_back(address + copies->distances[i]);
  return found;
}

uint64_t numberOf(const void *address) { return reinterpret_cast<uintptr_t>(address); }

TEST(Multicast, AddressResolvesToAllArrays) {
  alignas(64) int32_t a[16], b[16], c[16];
  void *const arrays[] = {a, c, b};
  support::Result<Multicast> multicast = Multicast::create(arrays, sizeof a);
  ASSERT_TRUE(multicast) << multicast.failure().message;
  const uint64_t address = numberOf(multicast->address());
  EXPECT_EQ(address % 64, 0u);
  EXPECT_EQ(copiesAt(address), (std::vector{numberOf(a), numberOf(c), numberOf(b)}));
  EXPECT_EQ(copiesAt(address + 20),
            (std::vector{numberOf(a + 5), numberOf(c + 5), numberOf(b + 5)}));
  // A view without elements may begin at the end.
  EXPECT_EQ(copiesAt(address + sizeof a).size(), 3u);
}

TEST(Multicast, OtherAddressesStandForThemselves) {
  int32_t a[16], b[16];
  void *const arrays[] = {a, b};
  EXPECT_EQ(copiesAt(numberOf(a)), std::vector{numberOf(a)});
  uint64_t address;
  {
    support::Result<Multicast> multicast = Multicast::create(arrays, sizeof a);
    ASSERT_TRUE(multicast);
    address = numberOf(multicast->address());
    EXPECT_EQ(copiesAt(numberOf(a)), std::vector{numberOf(a)});
    EXPECT_EQ(copiesAt(address - 1), std::vector{address - 1});
    EXPECT_EQ(copiesAt(address + sizeof a + 1), std::vector{address + sizeof a + 1});
  }
  EXPECT_EQ(copiesAt(address), std::vector{address});
}

TEST(Multicast, AlignedLikeLeastAlignedArray) {
  alignas(64) int32_t memory[32];
  void *const arrays[] = {memory, memory + 17};
  support::Result<Multicast> multicast = Multicast::create(arrays, 4);
  ASSERT_TRUE(multicast);
  EXPECT_EQ(numberOf(multicast->address()) % 8, 4u);
}

/// The end of a range belongs to it (a view without elements may begin there), so no other array
/// may begin there.
TEST(Multicast, EndAddressIsNotReused) {
  alignas(4096) static char copies[2][4096];
  void *const arrays[] = {copies[0], copies[1]};
  support::Result<Multicast> multicast = Multicast::create(arrays, 4096);
  ASSERT_TRUE(multicast);
  void *end = static_cast<char *>(multicast->address()) + 4096;
  void *there =
      mmap(end, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  EXPECT_EQ(there, MAP_FAILED);
}

TEST(Multicast, RequiresAnArray) {
  support::Result<Multicast> none = Multicast::create({}, 4);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.failure().message,
            "multicast memory stands for at least one array, but there is none");
  int32_t a;
  void *const arrays[] = {&a};
  support::Result<Multicast> large = Multicast::create(arrays, uint64_t(1) << 62);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.failure().message,
            "there is no range of 4611686018427387904 addresses left for multicast memory");
}

TEST(Multicast, CInterface) {
  int32_t a, b;
  void *const arrays[] = {&a, &b};
  void *address = tw_multicast_create(arrays, 2, sizeof a);
  EXPECT_EQ(copiesAt(numberOf(address)), (std::vector{numberOf(&a), numberOf(&b)}));
  tw_multicast_destroy(address);
  EXPECT_EQ(copiesAt(numberOf(address)), std::vector{numberOf(address)});
  tw_multicast_destroy(nullptr);
  testing::internal::CaptureStderr();
  EXPECT_EQ(tw_multicast_create(arrays, -1, 4), nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tilewright: error: multicast memory cannot have -1 arrays of 4 bytes\n");
}

} // namespace
