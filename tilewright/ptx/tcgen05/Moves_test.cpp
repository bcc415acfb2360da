// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of tensor memory, tcgen05.ld and .st in all shapes, waits and fences.

#include "tilewright/ptx/tcgen05/TensorTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

//===-- Shapes ------------------------------------------------------------------------------===//

namespace {
/// A shape, and how bits of the lane and of the register number make up lane and column of an
/// element: the weights are 1000 * lane + column.
struct Shape {
  const char *name;
  unsigned registers, columns;
  std::vector<unsigned> ofLane, ofRegister;
};
} // namespace

static const std::vector<Shape> shapes = {
    {"32x32b", 1, 1, {1000, 2000, 4000, 8000, 16000}, {1, 2, 4, 8, 16, 32, 64}},
    {"16x64b", 1, 2, {8000, 1, 1000, 2000, 4000}, {2, 4, 8, 16, 32, 64, 128}},
    {"16x128b", 2, 4, {1, 2, 1000, 2000, 4000}, {8000, 4, 8, 16, 32, 64, 128}},
    {"16x256b", 4, 8, {2, 4, 1000, 2000, 4000}, {1, 8000, 8, 16, 32, 64, 128}},
    // The second half of the lanes has columns from 256 on.
    {"16x32bx2", 1, 1, {1000, 2000, 4000, 8000, 256}, {1, 2, 4, 8, 16, 32, 64}},
};

static unsigned sumOf(unsigned bits, const std::vector<unsigned> &weights) {
  unsigned sum = 0;
  for (size_t bit = 0; bit < weights.size(); ++bit)
    sum += bits >> bit & 1 ? weights[bit] : 0;
  return sum;
}

/// Fills all 512 columns with 1000 * lane + column.
static std::string fill() {
  std::string code = "shl.b32 %r6, %r1, 0;\nmul.lo.u32 %r6, %r6, 1000;\n";
  for (unsigned part = 0; part < 8; ++part) {
    for (unsigned at = 0; at < 64; ++at)
      code +=
          "add.u32 %v" + std::to_string(at) + ", %r6, " + std::to_string(64 * part + at) + ";\n";
    code += "tcgen05.st.sync.aligned.32x32b.x64.b32 [%r5+" + std::to_string(64 * part) + "], " +
            registerList("%v", 64) + ";\n";
  }
  return code + "tcgen05.wait::st.sync.aligned;\n";
}

static std::string load(const Shape &shape, unsigned count, const std::string &address,
                        const std::string &modifier = "") {
  const bool isSplit = std::string(shape.name) == "16x32bx2";
  return "tcgen05.ld.sync.aligned." + std::string(shape.name) + ".x" + std::to_string(count) +
         modifier + ".b32 " + registerList("%v", count * shape.registers) + ", [" + address + "]" +
         (isSplit ? ", 256" : "") + ";\n";
}

static std::string store(const Shape &shape, unsigned count, const std::string &address,
                         const std::string &modifier = "") {
  const bool isSplit = std::string(shape.name) == "16x32bx2";
  return "tcgen05.st.sync.aligned." + std::string(shape.name) + ".x" + std::to_string(count) +
         modifier + ".b32 [" + address + "]" + (isSplit ? ", 256" : "") + ", " +
         registerList("%v", count * shape.registers) + ";\n";
}

static const std::string waitLoad = "tcgen05.wait::ld.sync.aligned;\n",
                         waitStore = "tcgen05.wait::st.sync.aligned;\n";

TEST(TensorMoves, LoadsAllShapes) {
  for (const Shape &shape : shapes)
    for (unsigned count = 1; count * shape.registers <= 128; count *= 2) {
      const unsigned all = count * shape.registers;
      // Those of 16 lanes from the upper half of the quarter.
      const bool isWhole = &shape == &shapes[0];
      const std::string address = isWhole ? "%r5" : "%r7";
      const Words found =
          tensorResult(allocation(512) + fill() + "add.u32 %r7, %r5, 0x100000;\n" +
                           load(shape, count, address) + waitLoad + output(all) + release(512),
                       Words(1), 128 * all);
      for (unsigned thread = 0; thread < 128; ++thread)
        for (unsigned number = 0; number < all; ++number) {
          const unsigned first = 1000 * (thread / 32 * 32 + (isWhole ? 0 : 16));
          ASSERT_EQ(found[thread * all + number],
                    first + sumOf(thread % 32, shape.ofLane) + sumOf(number, shape.ofRegister))
              << shape.name << " x" << count << ", thread " << thread << ", register " << number;
        }
    }
}

TEST(TensorMoves, StoresWhatItLoads) {
  for (const Shape &shape : shapes)
    for (unsigned count = 1; count * shape.registers <= 128; count *= 2) {
      const unsigned all = count * shape.registers;
      Words in(128 * all);
      for (size_t at = 0; at < in.size(); ++at)
        in[at] = uint32_t(at * 2654435761u);
      for (bool isHalf : {false, true}) {
        if (isHalf && all * shape.columns / shape.registers > 128)
          continue; // twice as many columns
        const std::string code = allocation(512) + input(all) +
                                 store(shape, count, "%r5", isHalf ? ".unpack::16b" : "") +
                                 waitStore + load(shape, count, "%r5", isHalf ? ".pack::16b" : "") +
                                 waitLoad + output(all) + release(512);
        EXPECT_EQ(tensorResult(code, in, in.size()), in) << shape.name << " x" << count << isHalf;
      }
    }
}

TEST(TensorMoves, PacksHalves) {
  // Column 2 c and 2 c + 1 of lane 1 are 1000 + 2 c and 1001 + 2 c.
  const Words found =
      tensorResult(allocation(512) + fill() + load(shapes[0], 4, "%r5", ".pack::16b") + waitLoad +
                       output(4) + release(512),
                   Words(1), 512);
  EXPECT_EQ(Words(found.begin() + 4, found.begin() + 8),
            (Words{1000 | 1001 << 16, 1002 | 1003 << 16, 1004 | 1005 << 16, 1006 | 1007 << 16}));
}

//===-- Allocation --------------------------------------------------------------------------===//

static const std::string alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], ",
                         dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 ",
                         permit = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n";

/// A bulk copy overwrites the address that an allocation wrote.
TEST(TensorAllocation, AddressNeedsNoProxyFence) {
  const auto overwrite = [](const std::string &before, const std::string &between) {
    return before + "@%p1 " + alloc.substr(0, alloc.find("slot")) + "tile], 32;\n" + R"(
  bar.sync 0;
  ld.shared.b32 %r4, [tile];
  @%p2 mbarrier.init.shared::cta.b64 [bar], 1;
)" + between +
           R"(
  @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
  @%p2 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd2], 16, [bar];
$wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0;
  @!%p3 bra $wait;
  ld.shared.b32 %v0, [tile];
)" + output(1) +
           release(32);
  };
  EXPECT_EQ(tensorResult(overwrite("", "bar.sync 0;\n"), {7, 8, 9, 10}, 128), Words(128, 7));
  EXPECT_EQ(tensorFinding(overwrite("", "bar.sync 0;\n@%p2 st.shared.b32 [tile+4], 5;\n"),
                          {7, 8, 9, 10}, 128)
                .substr(0, 12),
            "proxy-fence:");
  EXPECT_EQ(tensorFinding(overwrite("@%p2 st.shared.b32 [tile+8], 5;\n", "bar.sync 0;\n"),
                          {7, 8, 9, 10}, 128)
                .substr(0, 12),
            "proxy-fence:");
  // A warp that reads the address without a barrier.
  EXPECT_NE(tensorFinding("@%p1 " + alloc + "32;\nld.shared.b32 %r4, [slot];\n" + release(32))
                .find("race: "),
            std::string::npos);
}

TEST(TensorAllocation, ChecksRules) {
  EXPECT_EQ(tensorFinding(allocation(64) + "@%p1 " + permit + release(64)), "nothing");
  EXPECT_EQ(tensorFinding(allocation(64)),
            "tensor-memory: these 64 columns of tensor memory are not freed before the CTA ends @ "
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32");
  EXPECT_EQ(tensorFinding(allocation(48)),
            "tensor-memory: an allocation has 32, 64, 128, 256 or 512 columns, and not 48 @ "
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32");
  EXPECT_EQ(tensorFinding("@%p1 " + permit + allocation(64)),
            "tensor-memory: the CTA has given up the permit to allocate tensor memory @ "
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32");
  EXPECT_EQ(tensorFinding(allocation(64) + release(32)),
            "tensor-memory: the allocation has 64 columns, and not 32 @ "
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32");
  EXPECT_EQ(tensorFinding(allocation(64) + "add.u32 %r4, %r4, 1;\n" + release(64)),
            "tensor-memory: no allocation of tensor memory begins at lane 0, column 1 @ "
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32");
  EXPECT_EQ(tensorFinding("@%p2 " + alloc + "32;\nbar.warp.sync -1;\n").substr(0, 9), "deadlock:");
  EXPECT_EQ(
      tensorFinding("@%p1 tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 32;\n"),
      "tensor-memory: tcgen05.alloc writes the address to shared memory, and not to parameter "
      "0 @ tcgen05.alloc.cta_group::1.sync.aligned.b32");
}

TEST(TensorAllocation, WaitsForFreeColumns) {
  // Warp 1 gets its columns when warp 0 frees the first ones.
  const std::string second = "setp.eq.u32 %p3, %r3, 1;\n@%p3 " + alloc +
                             "512;\n@%p3 ld.shared.b32 %r8, [slot];\n@%p3 " + dealloc +
                             "%r8, 512;\n";
  EXPECT_EQ(tensorFinding(allocation(32) + "bar.sync 0;\n@%p1 " + dealloc + "%r4, 32;\n" + second),
            "nothing");
  EXPECT_EQ(tensorFinding(allocation(32) + "bar.sync 0;\n" + second + "bar.sync 0;\n@%p1 " +
                          dealloc + "%r4, 32;\n"),
            "deadlock: no thread can go on: 32 wait here, this one for 512 columns of tensor "
            "memory, where 480 of 512 are free @ "
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32");
}

TEST(TensorMoves, StaysInAllocationAndQuarter) {
  const std::string beyond = allocation(32) + load(shapes[0], 64, "%r5") + waitLoad + release(32);
  EXPECT_EQ(tensorFinding(beyond),
            "tensor-memory: columns 0 to 63 of tensor memory are not inside of one allocation @ "
            "tcgen05.ld.sync.aligned.32x32b.x64.b32");
  EXPECT_EQ(tensorFinding(allocation(32) + "@%p1 bra $end;\n" + load(shapes[0], 1, "%r4") +
                          waitLoad + "$end:\n" + release(32))
                .substr(0, 56),
            "tensor-memory: warp # reaches lanes # to # of tensor mem");
  EXPECT_EQ(
      tensorFinding(allocation(32) + load(shapes[1], 1, "%r5+0x80000") + waitLoad + release(32))
          .substr(0, 56),
      "tensor-memory: warp # reaches lanes # to # of tensor mem");
  EXPECT_EQ(tensorFinding(allocation(32) + "add.u32 %r5, %r5, %r1;\n" + load(shapes[0], 1, "%r5") +
                          release(32))
                .substr(0, 68),
            "collective: an operand of a tcgen05 instruction is not the same in a");
}

//===-- Waits and fences --------------------------------------------------------------------===//

static const std::string before = "tcgen05.fence::before_thread_sync;\n",
                         after = "tcgen05.fence::after_thread_sync;\n";

TEST(TensorMoves, RegistersNeedWait) {
  const std::string begin = allocation(512) + fill() + load(shapes[0], 2, "%r5"),
                    add = "add.u32 %v1, %v1, 5;\n",
                    found =
                        "tcgen05: a register of a tcgen05.ld is used, and no tcgen05.wait::ld is "
                        "executed before the next tcgen05.ld or the end @ add.u32";
  EXPECT_EQ(tensorFinding(begin + add + release(512)), found);
  EXPECT_EQ(tensorFinding(begin + add + load(shapes[0], 1, "%r5") + waitLoad + release(512)),
            found);
  EXPECT_EQ(tensorFinding(begin + load(shapes[0], 2, "%r5") + waitLoad + release(512)), "nothing");
  // Compilers move uses in front of the wait, which does not overwrite their results.
  const auto resultOf = [&](const std::string &code) {
    const Words words = tensorResult(begin + code + output(2) + release(512), Words(1), 256);
    return Words(words.begin() + 2, words.begin() + 4); // of lane 1, with 1000 and 1001
  };
  EXPECT_EQ(resultOf(add + waitLoad), (Words{1000, 1006}));
  const std::string pack = "mov.b64 %rd4, {%v1, %v0};\n", unpack = "mov.b64 {%v0, %v1}, %rd4;\n";
  EXPECT_EQ(resultOf(pack + waitLoad + unpack), (Words{1001, 1000}));
  EXPECT_EQ(resultOf(pack + "add.u64 %rd4, %rd4, 1;\n" + waitLoad + unpack), (Words{1002, 1000}));
  EXPECT_EQ(tensorFinding(allocation(32) + load(shapes[0], 1, "%r5") + waitLoad + output(1) +
                          release(32)),
            "undefined-value: a value that is not defined is written to parameter 0 @ "
            "st.global.b32");
}

TEST(TensorMoves, ColumnsNeedWait) {
  const std::string begin = allocation(32) + input(1);
  EXPECT_EQ(tensorFinding(begin + store(shapes[0], 1, "%r5") + load(shapes[0], 1, "%r5") +
                          waitLoad + waitStore + release(32))
                .substr(0, 68),
            "tcgen#: read of tensor memory in lanes # to #, column #, where the w");
  EXPECT_EQ(tensorFinding(begin + store(shapes[0], 1, "%r5") + waitStore +
                          load(shapes[0], 1, "%r5") + store(shapes[0], 1, "%r5") + waitLoad +
                          waitStore + release(32))
                .substr(0, 5),
            "tcgen");
  // The end of the allocation.
  const std::string late = tensorFinding(begin + store(shapes[0], 1, "%r5") + release(32));
  EXPECT_EQ(late.substr(late.find(" may be ")),
            " may be incomplete: nothing waited for it with tcgen05.wait::st @ "
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32");
}

/// Two warps of the same quarter: warp 4 writes, warp 0 reads.
static std::string handOver(const std::string &first, const std::string &second) {
  return allocation(32) + "and.b32 %r6, %r3, 3;\nshl.b32 %r5, %r6, 21;\nadd.u32 %r5, %r5, %r4;\n" +
         "mov.u32 %v0, 7;\nsetp.eq.u32 %p3, %r3, 4;\n@!%p3 bra $sync;\n" +
         store(shapes[0], 1, "%r5") + first + "$sync:\n" + second + "@!%p1 bra $end;\n" +
         load(shapes[0], 1, "%r5") + waitLoad + "$end:\n" + release(32);
}

TEST(TensorOrder, RequiresFences) {
  const auto found = [](const std::string &first, const std::string &second) {
    return tensorFinding(handOver(first, second), Words(16), 16, 160);
  };
  const std::string barrier = "bar.sync 0;\n";
  EXPECT_EQ(found(waitStore + before, barrier + after), "nothing");
  const std::string none = found(waitStore, barrier + after);
  EXPECT_EQ(none.substr(0, 14), "tcgen05-fence:");
  EXPECT_NE(none.find("without a tcgen05.fence::before_thread_sync"), std::string::npos) << none;
  const std::string late = found(waitStore + before, barrier);
  EXPECT_NE(late.find("without a tcgen05.fence::after_thread_sync"), std::string::npos) << late;
  const std::string early = found(waitStore + before, after + barrier);
  EXPECT_NE(early.find("without a tcgen05.fence::after_thread_sync"), std::string::npos) << early;
  EXPECT_EQ(found(before, barrier + after).substr(0, 8), "tcgen05:");
  // Either access may come second.
  EXPECT_NE(found(waitStore + before, after).find("race: race: "), std::string::npos);
}
