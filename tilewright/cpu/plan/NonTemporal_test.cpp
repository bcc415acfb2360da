// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which stores may be non-temporal, from which size on, and why others are not.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// Stores the numbers from 0 on as elements of this type through a view of rows with this stride.
std::string storeOf(int64_t extent, const std::string &element, const std::string &stride = "1") {
  const std::string size = std::to_string(extent), strided = "strides=[" + stride + "]",
                    tensor = "tensor_view<65536x" + element + ", " + strided + ">",
                    tiles = "partition_view<tile=(" + size + "), " + tensor + ">",
                    tile = "tile<" + size + "x" + element + ">";
  return "%p = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<" + element + ">>\n" +
         "%0 = constant <i32: 0> : tile<i32>\n" + "%v = iota : " + tile + "\n" +
         "%a = make_tensor_view %p, shape = [65536], strides = [" + stride + "] : " + tensor +
         "\n%b = make_partition_view %a : " + tiles +
         "\n%t = store_view_tko weak %v, %b[%0] : " + tile + ", " + tiles +
         ", tile<i32> -> token\n";
}

NonTemporal nonTemporalIn(const std::string &text, const Target &target = cpu::target()) {
  ParsedKernel kernel(text);
  mlir::Operation *store = firstNamed(kernel, "store_view_tko");
  store = store ? store : firstNamed(kernel, "store_ptr_tko");
  return Plan(kernel.entry(), target).accessOf(store).nonTemporal;
}

void expectReason(const NonTemporal &found, NonTemporalReason reason) {
  EXPECT_EQ(int(found.reason), int(reason));
  EXPECT_EQ(found.isPossible(), found.leastBytes > 0);
}

/// The last-level cache of a target that is not this machine has 32 MiB.
TEST(NonTemporal, LeavesRoomInTheCache) {
  const NonTemporal usual = nonTemporalIn(storeOf(64, "i32"));
  EXPECT_EQ(int(usual.reason), int(NonTemporalReason::LargeTensor));
  EXPECT_EQ(usual.leastBytes, 16 << 20);
  EXPECT_EQ(usual.leastBytesOfThreads, 22369620) << "two thirds";
  EXPECT_EQ(nonTemporalIn(storeOf(64, "i32"), tuned("non-temporal-denominator=4")).leastBytes,
            8 << 20);
  EXPECT_EQ(nonTemporalIn(storeOf(64, "i32"), tuned("shared-non-temporal-numerator=3"))
                .leastBytesOfThreads,
            33554430);
}

/// 16 elements of 4 bytes are a line, and so are 32 of 2 bytes, or 64 bytes. Shorter rows are not.
TEST(NonTemporal, StoresWholeLines) {
  for (auto [extent, element] : {std::pair<int64_t, const char *>{16, "i32"},
                                 {8, "i64"},
                                 {64, "i32"},
                                 {32, "i16"},
                                 {64, "i8"}})
    expectReason(nonTemporalIn(storeOf(extent, element)), NonTemporalReason::LargeTensor);
  for (auto [extent, element] :
       {std::pair<int64_t, const char *>{8, "i32"}, {4, "i64"}, {16, "i16"}, {32, "i8"}})
    expectReason(nonTemporalIn(storeOf(extent, element)), NonTemporalReason::PartialLines);
}

TEST(NonTemporal, NeedsRegistersOfHalfALine) {
  auto reasonOn = [](const char *target) {
    return int(nonTemporalIn(storeOf(64, "i32"), *Target::named(target)).reason);
  };
  EXPECT_EQ(reasonOn("x86-64-v4"), int(NonTemporalReason::LargeTensor));
  EXPECT_EQ(reasonOn("x86-64"), int(NonTemporalReason::NarrowRegisters));
  EXPECT_EQ(reasonOn("aarch64"), int(NonTemporalReason::NarrowRegisters));
}

/// Addresses that skip every other element are no rows.
TEST(NonTemporal, NeedsContiguousRows) {
  const std::string pointers = "%i = iota : tile<64xi32>\n"
                               "%x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                               "%xs = broadcast %x1 : tile<1xptr<i32>> -> tile<64xptr<i32>>\n",
                    type = " : tile<64xi32>\n",
                    step = "%p = offset %xs, %j : tile<64xptr<i32>>, "
                           "tile<64xi32> -> tile<64xptr<i32>>\n",
                    store = "%t = store_ptr_tko weak %p, %i : tile<64xptr<i32>>, tile<64xi32> -> "
                            "token\n";
  expectReason(nonTemporalIn(pointers + "%j = addi %i, %i" + type + step + store),
               NonTemporalReason::Scattered);
  expectReason(nonTemporalIn(pointers + "%three = constant <i32: 3>" + type +
                             "%j = addi %i, %three" + type + step + store),
               NonTemporalReason::LargeLaunch);
}

/// Loads are never non-temporal, and stores outside of groups are not, either: those of scalars,
/// and through views with a stride.
TEST(NonTemporal, ConcernsStoresOfGroups) {
  ParsedKernel kernel(views + loadOf("%a") + cpu::storeOf("%a", "%1"));
  const Plan plan(kernel.entry(), target());
  expectReason(plan.accessOf(firstNamed(kernel, "load_view_tko")).nonTemporal,
               NonTemporalReason::NoGroup);
  expectReason(nonTemporalIn(storeOf(64, "i32", "2")), NonTemporalReason::NoGroup);
  expectReason(nonTemporalIn("%0 = constant <i32: 0> : tile<i32>\n"
                             "%t = store_ptr_tko relaxed device %x, %0 : tile<ptr<i32>>, tile<i32> "
                             "-> token\n"),
               NonTemporalReason::NoGroup);
}

} // namespace
