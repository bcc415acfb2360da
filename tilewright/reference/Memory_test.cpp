// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Memory.h"

#include <array>
#include <gtest/gtest.h>

using namespace tilewright::reference;

namespace {

constexpr int64_t block = 3;

Allocation arrayOf(std::span<uint8_t> bytes) {
  Allocation allocation{"the array", Format::I32};
  allocation.bytes = bytes;
  return allocation;
}

TEST(Memory, StoresWhereItLoads) {
  std::array<uint8_t, 8> bytes = {1, 0, 0, 0, 2, 0, 0, 0};
  Memory memory;
  uint64_t address = memory.allocate(arrayOf(bytes), 1).address;
  Place second{address + 4, Format::I32};
  Allocation *allocation = memory.allowed(second, AccessKind::Write, block);
  ASSERT_NE(allocation, nullptr);
  EXPECT_EQ(load(*allocation, second), Element::integer(Format::I32, 2));
  store(*allocation, second, Element::integer(Format::I32, 0x01020304));
  EXPECT_EQ(bytes, (std::array<uint8_t, 8>{1, 0, 0, 0, 4, 3, 2, 1}));
}

TEST(Memory, NamesTheNearestAllocation) {
  std::array<uint8_t, 8> bytes = {};
  Memory memory;
  uint64_t address = memory.allocate(arrayOf(bytes), 1).address;
  auto objection = [&](uint64_t offset) {
    return memory.objection({address + offset, Format::I32}, AccessKind::Read, block);
  };
  EXPECT_NE(objection(8).find("just past the end of the array, 8 bytes at"), std::string::npos);
  EXPECT_NE(objection(12).find("4 bytes past the end of the array"), std::string::npos);
  EXPECT_NE(objection(uint64_t(-4)).find("4 bytes in front of the array"), std::string::npos);
  EXPECT_NE(objection(2).find("is not a multiple of 4, the size of i32"), std::string::npos);
}

TEST(Memory, RefusesAnElementThatIsPartlyInside) {
  std::array<uint8_t, 6> bytes = {};
  Memory memory;
  uint64_t address = memory.allocate(arrayOf(bytes), 1).address;
  Place last{address + 4, Format::I32};
  EXPECT_EQ(memory.allowed(last, AccessKind::Read, block), nullptr);
  EXPECT_NE(memory.objection(last, AccessKind::Read, block).find("only partly inside the array"),
            std::string::npos);
}

TEST(Memory, KeepsAllocasToTheirBlockAndScope) {
  Memory memory;
  Allocation *alloca = *memory.allocateUndefined("an alloca", Format::I32, 1, 4);
  alloca->owner = block;
  Place place{alloca->address, Format::I32};
  EXPECT_EQ(memory.allowed(place, AccessKind::Read, block), alloca);
  EXPECT_EQ(memory.allowed(place, AccessKind::Read, block + 1), nullptr);
  EXPECT_NE(memory.objection(place, AccessKind::Read, block + 1).find("another tile block"),
            std::string::npos);
  memory.release(*alloca);
  EXPECT_EQ(memory.allowed(place, AccessKind::Read, block), nullptr);
  EXPECT_NE(memory.objection(place, AccessKind::Read, block).find("whose scope has ended"),
            std::string::npos);
}

TEST(Memory, TracksWhatAnAllocaHolds) {
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

TEST(Memory, RefusesWhatNoMachineHas) {
  Memory memory;
  EXPECT_FALSE(memory.allocateUndefined("an alloca", Format::F64, INT64_MAX, 8));
  EXPECT_FALSE(memory.allocateUndefined("an alloca", Format::F64, 1, uint64_t(1) << 62));
}

} // namespace
