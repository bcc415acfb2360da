// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/memory/Memory.h"

#include <array>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tilewright::reference;

namespace {

constexpr int64_t block = 3;

Allocation arrayOf(std::span<uint8_t> bytes) {
  Allocation allocation{"the array", Format::I32};
  allocation.bytes = bytes;
  return allocation;
}

TEST(Memory, StoresAndLoadsSameAddress) {
  std::array<uint8_t, 8> bytes = {1, 0, 0, 0, 2, 0, 0, 0};
  Memory memory;
  uint64_t address = memory.allocate(arrayOf(bytes), 1).address;
  Place second{address + 4, Format::I32};
  Allocation *allocation = memory.allowed(second, 1, AccessKind::Write, block);
  ASSERT_NE(allocation, nullptr);
  EXPECT_EQ(load(*allocation, second), Element::integer(Format::I32, 2));
  store(*allocation, second, Element::integer(Format::I32, 0x01020304));
  EXPECT_EQ(bytes, (std::array<uint8_t, 8>{1, 0, 0, 0, 4, 3, 2, 1}));
}

TEST(Memory, NamesNearestAllocation) {
  std::array<uint8_t, 8> bytes = {};
  Memory memory;
  uint64_t address = memory.allocate(arrayOf(bytes), 1).address;
  auto objection = [&](uint64_t offset) {
    return memory.objection({address + offset, Format::I32}, AccessKind::Read, block).what;
  };
  EXPECT_NE(objection(8).find("just past the end of the array, 8 bytes at"), std::string::npos);
  EXPECT_NE(objection(12).find("4 bytes past the end of the array"), std::string::npos);
  EXPECT_NE(objection(uint64_t(-4)).find("4 bytes in front of the array"), std::string::npos);
  EXPECT_NE(objection(2).find("is not a multiple of 4, the size of i32"), std::string::npos);

  const Allocation *allocation = memory.allowed({address, Format::I32}, 1, AccessKind::Read, block);
  const Objection outside = memory.objection({address + 8, Format::I32}, AccessKind::Read, block);
  EXPECT_EQ(outside.allocation, nullptr);
  EXPECT_EQ(outside.nearest, allocation);
  EXPECT_EQ(Memory().objection({address, Format::I32}, AccessKind::Read, block).nearest, nullptr);
}

std::vector<uint64_t> addressesOf(uint64_t seed, std::span<uint8_t> bytes) {
  Memory memory(seed);
  std::vector<uint64_t> addresses;
  for (int i = 0; i < 16; ++i)
    addresses.push_back(memory.allocate(arrayOf(bytes), 1).address);
  return addresses;
}

// Wrong offsets in kernels tend to be round numbers, or small multiples of sizes.
TEST(Memory, RoundOffsetsMissOtherAllocations) {
  std::vector<uint8_t> bytes(4096);
  Memory memory;
  uint64_t first = memory.allocate(arrayOf(bytes), 1).address;
  for (int i = 0; i < 16; ++i)
    memory.allocate(arrayOf(bytes), 1);
  EXPECT_EQ(first, uint64_t(1) << 44);
  for (uint64_t unit : {uint64_t(4096), uint64_t(1) << 20, (uint64_t(1) << 20) + 4096})
    for (uint64_t count = 1; count <= 4096; ++count)
      EXPECT_EQ(memory.allowed({first + unit * count, Format::I8}, 1, AccessKind::Read, block),
                nullptr)
          << unit << " * " << count;
}

TEST(Memory, PlacementDependsOnSeedOnly) {
  std::vector<uint8_t> bytes(4096);
  EXPECT_EQ(addressesOf(7, bytes), addressesOf(7, bytes));
  EXPECT_NE(addressesOf(7, bytes), addressesOf(8, bytes));
  for (uint64_t address : addressesOf(7, bytes))
    EXPECT_EQ(address % 256, 0u);
}

// Addresses do not run out for any realistic number of allocations.
TEST(Memory, HasAddressesForManyAllocations) {
  std::vector<uint8_t> bytes(1);
  Memory memory;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(memory.hasAddress(1));
    memory.allocate(arrayOf(bytes), 1);
  }
  EXPECT_TRUE(memory.hasAddress(1));
}

TEST(Memory, RejectsPartlyOutOfBoundsElements) {
  std::array<uint8_t, 6> bytes = {};
  Memory memory;
  uint64_t address = memory.allocate(arrayOf(bytes), 1).address;
  Place last{address + 4, Format::I32};
  EXPECT_EQ(memory.allowed(last, 1, AccessKind::Read, block), nullptr);
  EXPECT_NE(
      memory.objection(last, AccessKind::Read, block).what.find("only partly inside the array"),
      std::string::npos);
}

TEST(Memory, AllocasAreLimitedToBlockAndScope) {
  Memory memory;
  Allocation *alloca = *memory.allocateUndefined("an alloca", Format::I32, 1, 4);
  alloca->owner = block;
  Place place{alloca->address, Format::I32};
  EXPECT_EQ(memory.allowed(place, 1, AccessKind::Read, block), alloca);
  EXPECT_EQ(memory.allowed(place, 1, AccessKind::Read, block + 1), nullptr);
  EXPECT_NE(memory.objection(place, AccessKind::Read, block + 1).what.find("another tile block"),
            std::string::npos);
  memory.release(*alloca);
  EXPECT_EQ(memory.allowed(place, 1, AccessKind::Read, block), nullptr);
  EXPECT_NE(memory.objection(place, AccessKind::Read, block).what.find("whose scope has ended"),
            std::string::npos);
}

TEST(Memory, TracksInitialisationOfAllocas) {
  Memory memory;
  Allocation *alloca = *memory.allocateUndefined("an alloca", Format::F4E2M1FN, 4, 1);
  Place low{alloca->address, Format::F4E2M1FN}, high{alloca->address, Format::F4E2M1FN, true};
  EXPECT_TRUE(load(*alloca, low).poison);
  store(*alloca, high, Element::fromBits(Format::F4E2M1FN, 5));
  EXPECT_TRUE(load(*alloca, low).poison) << "the other half of the byte";
  EXPECT_EQ(load(*alloca, high).bits, 5u);
  store(*alloca, high, Element::poisoned(Format::F4E2M1FN));
  EXPECT_TRUE(load(*alloca, high).poison);
}

// 2^31 bytes have 2^32 half bytes, which 32 bits cannot count.
TEST(Memory, TracksInitialisationOfLargeAllocas) {
  constexpr int64_t count = int64_t(1) << 31;
  for (int64_t elements : {count - 1, count, count + 1}) {
    Memory memory;
    auto allocated = memory.allocateUndefined("an alloca", Format::I8, elements, 1);
    ASSERT_TRUE(allocated) << allocated.failure().message;
    Place first{(*allocated)->address, Format::I8};
    Place last{(*allocated)->address + elements - 1, Format::I8};
    EXPECT_TRUE(load(**allocated, first).poison);
    EXPECT_TRUE(load(**allocated, last).poison);
    store(**allocated, last, Element::integer(Format::I8, 7));
    EXPECT_EQ(load(**allocated, last), Element::integer(Format::I8, 7));
    EXPECT_TRUE(load(**allocated, first).poison);
  }
}

/// The reason why that many f64 cannot be allocated; empty if they can.
std::string refusal(Memory &memory, int64_t count, uint64_t alignment = 8) {
  auto allocated = memory.allocateUndefined("an alloca", Format::F64, count, alignment);
  return allocated ? "" : allocated.failure().message;
}

TEST(Memory, RejectsAllocationsBeyondMachineMemory) {
  int64_t machine = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  Memory memory;
  std::string limit = " elements of f64 need more memory than is left: this machine has " +
                      std::to_string(machine) + " bytes, of which other allocas take 0";
  EXPECT_EQ(refusal(memory, INT64_MAX), "9223372036854775807" + limit);
  EXPECT_EQ(refusal(memory, machine / 8), std::to_string(machine / 8) + limit)
      << "no room for the marks of what is undefined";
  EXPECT_EQ(refusal(memory, 1, uint64_t(1) << 62),
            "there is no address left for 1 elements of f64 aligned to 4611686018427387904 bytes");
}

// Takes half of the host's memory, plus a quarter of that for the marks; a second one does not fit.
TEST(Memory, CountsLiveAllocations) {
  int64_t half = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 16;
  Memory memory;
  auto first = memory.allocateUndefined("an alloca", Format::F64, half, 8);
  ASSERT_TRUE(first) << first.failure().message;
  EXPECT_NE(refusal(memory, half).find("of which other allocas take " + std::to_string(half * 10)),
            std::string::npos);
  memory.release(**first);
  EXPECT_EQ(refusal(memory, half), "");
  memory.releaseAllSince(0);
  EXPECT_EQ(refusal(memory, half), "");
}

} // namespace
