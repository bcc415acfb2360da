// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma: products from all layouts of shared memory and from registers, and what is between a
// product and its registers.

#include "tilewright/ptx/Testing.h"

#include "tilewright/numerics/Convert.h"

#include <bit>
#include <functional>

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

namespace {
/// A layout as the manual draws it: where the element of a row and a column of a matrix of `bytes`
/// wide elements is, and what its descriptor says.
struct Layout {
  std::function<unsigned(unsigned row, unsigned column, unsigned bytes)> at;
  unsigned leading, stride, mode;
  bool isTransposed = false;
};
} // namespace

/// Rows of `width` bytes below each other; the 16 bytes number c of a row are at c ^ change.
static Layout wide(unsigned width, unsigned mode) {
  const auto at = [=](unsigned row, unsigned column, unsigned bytes) {
    const unsigned byte = column * bytes, change = row * width / 128 % (width / 16);
    return row * width + (byte / 16 ^ change) * 16 + byte % 16;
  };
  return {at, 16, 8 * width, mode};
}

/// 8 rows of 16 bytes are a block of 128; two blocks side by side, then the next 8 rows.
static const Layout blocks = {[](unsigned row, unsigned column, unsigned bytes) {
                                const unsigned byte = column * bytes;
                                return row / 8 * 256 + byte / 16 * 128 + row % 8 * 16 + byte % 16;
                              },
                              128, 256, 0};

/// The same with rows and columns exchanged.
static const Layout transposedBlocks = {[](unsigned row, unsigned column, unsigned) {
                                          return row / 8 * 256 + column / 8 * 128 +
                                                 column % 8 * 16 + row % 8 * 2;
                                        },
                                        128, 256, 0, true};

/// Columns of `width` bytes, 8 of them together; more rows than fit are 2048 bytes further on.
static Layout tall(unsigned width, unsigned mode) {
  const auto at = [=](unsigned row, unsigned column, unsigned) {
    const unsigned perSpan = width / 2, byte = row % perSpan * 2;
    const unsigned change = column % 8 * width / 128 % (width / 16);
    return row / perSpan * 2048 + column / 8 * 1024 + column % 8 * width +
           (byte / 16 ^ change) * 16 + byte % 16;
  };
  return {at, 2048, 1024, mode, true};
}

static uint64_t descriptorOf(const Layout &layout, unsigned start) {
  return start >> 4 | uint64_t(layout.leading >> 4) << 16 | uint64_t(layout.stride >> 4) << 32 |
         uint64_t(layout.mode) << 62;
}

static std::string list(const std::string &prefix, unsigned count) {
  std::string text = "{";
  for (unsigned at = 0; at < count; ++at)
    text += (at ? ", " : "") + prefix + std::to_string(at);
  return text + "}";
}

namespace {
struct Form {
  std::string types; ///< `f32.f16.f16`
  unsigned n, k, bytes;
  std::string constants; ///< Behind the predicate.
  std::function<uint32_t(int)> encode;
  bool isFloat = true;
};
} // namespace

static uint32_t half(int value) {
  return uint32_t(
      numerics::floatToFloat({std::bit_cast<uint32_t>(float(value)), numerics::Format::F32},
                             numerics::Format::F16)
          .bits);
}
static uint32_t brain(int value) { return std::bit_cast<uint32_t>(float(value)) >> 16; }
static uint32_t single(int value) { return std::bit_cast<uint32_t>(float(value)); }
static uint32_t byteOf(int value) { return uint8_t(value); }
static uint32_t e4m3(int value) {
  return uint32_t(numerics::roundToFormat(value, numerics::Format::F8E4M3FN).bits);
}
static uint32_t e5m2(int value) {
  return uint32_t(numerics::roundToFormat(value, numerics::Format::F8E5M2).bits);
}

/// A kernel that copies 32 KiB to shared memory, and multiplies twice.
static std::string kernelOf(const Form &form, uint64_t a, uint64_t b, bool isInRegisters,
                            const std::string &fence = "fence.proxy.async;",
                            const std::string &product = "") {
  const unsigned registers = form.n / 2;
  const std::string type = form.isFloat ? "f32" : "b32";
  std::string text = header();
  text.replace(text.find("sm_90"), 5, "sm_90a");
  text += ".shared .align 1024 .b8 tile[32768];\n"
          ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 regs)\n{\n"
          ".reg ." +
          type + " d<" + std::to_string(registers) +
          ">;\n.reg .b32 a<4>, %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred p, q;\n"
          "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nld.param.u64 %rd3, [regs];\n"
          "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmul.wide.u32 %rd4, %r1, 16;\n"
          "add.u64 %rd3, %rd3, %rd4;\nld.global.v4.b32 {a0, a1, a2, a3}, [%rd3];\n"
          "add.u64 %rd2, %rd2, %rd4;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\n$copy:\n"
          "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd2];\n"
          "st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};\nadd.u64 %rd2, %rd2, 2048;\n"
          "add.u32 %r3, %r3, 2048;\nadd.u32 %r2, %r2, 2048;\nsetp.lt.u32 p, %r2, 32768;\n"
          "@p bra $copy;\n" +
          fence + "\nbar.sync 0;\n";
  for (unsigned at = 0; at < registers; ++at)
    text += "mov." + type + " d" + std::to_string(at) + ", " + (form.isFloat ? "0f3F800000" : "1") +
            ";\n";
  text += "mov.b64 %rd5, " + std::to_string(a) + ";\nmov.b64 %rd6, " + std::to_string(b) +
          ";\nmov.u32 %r3, tile;\nshr.u32 %r3, %r3, 4;\ncvt.u64.u32 %rd7, %r3;\n"
          "add.u64 %rd5, %rd5, %rd7;\nadd.u64 %rd6, %rd6, %rd7;\nsetp.eq.u32 p, %r1, %r1;\n"
          "setp.ne.u32 q, %r1, %r1;\n";
  const std::string multiply =
      "wgmma.mma_async.sync.aligned.m64n" + std::to_string(form.n) + "k" + std::to_string(form.k) +
      "." + form.types + " " + list("d", registers) + ", " +
      (isInRegisters ? "{a0, a1, a2, a3}" : "%rd5") + ", %rd6, p" + form.constants + ";\n";
  text += product.empty() ? "wgmma.fence.sync.aligned;\n" + multiply + multiply +
                                "wgmma.commit_group.sync.aligned;\n"
                                "wgmma.wait_group.sync.aligned 0;\n"
                          : std::string();
  std::string special = product;
  for (size_t at; (at = special.find("MULTIPLY")) != std::string::npos;)
    special.replace(at, 8, multiply);
  text += special + "mul.wide.u32 %rd4, %r1, " + std::to_string(4 * registers) +
          ";\nadd.u64 %rd1, %rd1, %rd4;\n";
  for (unsigned at = 0; at < registers; ++at)
    text += "st.global." + type + " [%rd1+" + std::to_string(4 * at) + "], d" + std::to_string(at) +
            ";\n";
  return text + "ret;\n}\n";
}

namespace {
/// Two matrices of small numbers, in the layouts of a form.
struct Matrices {
  std::vector<int> a, b;
  std::vector<uint32_t> image = std::vector<uint32_t>(8192), registers = std::vector<uint32_t>(512);

  Matrices(const Form &form, const Layout &ofA, const Layout &ofB)
      : a(64 * form.k), b(form.n * form.k) {
    for (unsigned at = 0; at < a.size(); ++at)
      a[at] = int(at * 7 % 11) - 5;
    for (unsigned at = 0; at < b.size(); ++at)
      b[at] = int(at * 5 % 13) - 6;
    auto *bytes = reinterpret_cast<uint8_t *>(image.data());
    const auto put = [&](unsigned at, int value) {
      const uint32_t bits = form.encode(value);
      std::memcpy(bytes + at, &bits, form.bytes);
    };
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned k = 0; k < form.k; ++k)
        put(ofA.at(row, k, form.bytes), a[row * form.k + k]);
    for (unsigned row = 0; row < form.n; ++row)
      for (unsigned k = 0; k < form.k; ++k)
        put(16384 + ofB.at(row, k, form.bytes), b[row * form.k + k]);
    putRegisters(form);
  }

  /// The fragments of A: a lane has row lane / 4 and 8 below, neighbours in 32 bits, and the same
  /// half of k further on.
  void putRegisters(const Form &form) {
    const unsigned perWord = 4 / form.bytes;
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned word = 0; word < 4; ++word)
        for (unsigned part = 0; part < perWord; ++part) {
          const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (word % 2) * 8;
          const unsigned k = thread % 4 * perWord + part + (word / 2) * form.k / 2;
          registers[thread * 4 + word] |= form.encode(a[row * form.k + k])
                                          << (8 * form.bytes * part);
        }
  }
};
} // namespace

/// Multiplies, and compares each register with 1 + twice the sum of products.
static void check(const Form &form, const Layout &ofA, const Layout &ofB, bool isInRegisters,
                  int sign = 1) {
  Matrices matrices(form, ofA, ofB);
  Kernel kernel(kernelOf(form, descriptorOf(ofA, 0), descriptorOf(ofB, 16384), isInRegisters));
  ASSERT_EQ(kernel.refused, "");
  const unsigned registers = form.n / 2;
  Region &out = kernel.array(std::vector<uint32_t>(128 * registers));
  kernel.array(matrices.image);
  kernel.array(matrices.registers);
  kernel.launch.block = {128, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  const auto words = Kernel::values<uint32_t>(out);
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < registers; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
      const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 0;
      for (unsigned k = 0; k < form.k; ++k)
        sum += matrices.a[row * form.k + k] * matrices.b[column * form.k + k];
      const uint32_t word = words[thread * registers + i];
      const int got = form.isFloat ? int(std::bit_cast<float>(word)) : int(word);
      wrong += got != 1 + 2 * sign * sum;
    }
  EXPECT_EQ(wrong, 0u) << form.types << ", n = " << form.n << ", mode " << ofA.mode << ", "
                       << ofB.mode;
}

static Form halves(unsigned n, const std::string &constants = ", 1, 1, 0, 0") {
  return {"f32.f16.f16", n, 16, 2, constants, half};
}

TEST(Wgmma, ReadsAllLayouts) {
  for (const Layout &layout : {blocks, wide(32, 3), wide(64, 2), wide(128, 1)}) {
    check(halves(8), layout, blocks, false);
    check(halves(64), blocks, layout, false);
    check({"f32.tf32.tf32", 16, 8, 4, ", 1, 1", single}, layout, layout, false);
    check({"s32.s8.s8", 32, 32, 1, "", byteOf, false}, layout, layout, false);
  }
  check({"f32.bf16.bf16", 128, 16, 2, ", 1, 1, 0, 0", brain}, wide(32, 3), blocks, false);
  check({"f32.e4m3.e4m3", 16, 32, 1, ", 1, 1", e4m3}, wide(64, 2), blocks, false);
  check({"f32.e5m2.e5m2", 16, 32, 1, ", 1, 1", e5m2}, blocks, wide(32, 3), false);
}

TEST(Wgmma, TransposesSixteenBits) {
  for (const Layout &layout : {transposedBlocks, tall(32, 3), tall(64, 2), tall(128, 1)}) {
    check(halves(64, ", 1, 1, 1, 0"), layout, blocks, false);
    check(halves(64, ", 1, 1, 0, 1"), wide(128, 1), layout, false);
  }
}

TEST(Wgmma, TakesAFromRegisters) {
  check(halves(16, ", 1, 1, 0"), blocks, blocks, true);
  check({"f32.tf32.tf32", 8, 8, 4, ", 1, 1", single}, blocks, blocks, true);
  check({"s32.s8.s8", 256, 32, 1, "", byteOf, false}, blocks, blocks, true);
  check(halves(16, ", -1, 1, 0"), blocks, blocks, true, -1);
  check(halves(16, ", 1, -1, 0, 0"), blocks, blocks, false, -1);
}

//===-- Findings ----------------------------------------------------------------------------===//

static std::string findingOf(const std::string &product,
                             const std::string &fence = "fence.proxy.async;",
                             unsigned threads = 128) {
  const Form form = halves(8);
  Matrices matrices(form, blocks, blocks);
  std::string found;
  for (Order order : {Order::Up, Order::Down, Order::Random}) {
    Kernel kernel(kernelOf(form, descriptorOf(blocks, 0), descriptorOf(blocks, 16384), false, fence,
                           product));
    EXPECT_EQ(kernel.refused, "");
    kernel.array(std::vector<uint32_t>(512));
    kernel.array(matrices.image);
    kernel.array(matrices.registers);
    kernel.launch.block = {threads, 1, 1};
    kernel.schedule.order = order;
    kernel.run();
    const std::string now = kernel.firstFinding();
    EXPECT_TRUE(found.empty() || found == now) << found << "\n" << now;
    found = now;
  }
  return found;
}

static const std::string before = "wgmma.fence.sync.aligned;\n",
                         after =
                             "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

TEST(Wgmma, NeedsItsFencesAndItsWait) {
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after), "nothing");
  EXPECT_EQ(findingOf("MULTIPLY" + after),
            "wgmma: there is no wgmma.fence in front of the first wgmma.mma_async");
  EXPECT_EQ(findingOf(before + "add.f32 d1, d1, d1;\nMULTIPLY" + after),
            "wgmma: an accumulator was changed after the last wgmma.fence");
  EXPECT_EQ(findingOf(before + "MULTIPLYadd.f32 d1, d1, d1;\n" + after).substr(0, 50),
            "wgmma: a register of a wgmma is used that was not ");
  const std::string early = findingOf(before + "MULTIPLYwgmma.commit_group.sync.aligned;\n"
                                               "wgmma.wait_group.sync.aligned 1;\n");
  EXPECT_EQ(early.substr(early.rfind(':')), ": its group is still on its way");
  const std::string open = findingOf(before + "MULTIPLYwgmma.wait_group.sync.aligned 0;\n");
  EXPECT_EQ(open.substr(open.rfind(':')), ": its group is not committed");
  // After a wait, the registers may be used without a fence again.
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after + "MULTIPLY" + after), "nothing");
}

TEST(Wgmma, ReadsThroughTheAsyncProxy) {
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after, "").substr(0, 45),
            "proxy-fence: read of shared variable 'tile' a");
  const std::string store = "st.shared.b32 [tile], 0;\n";
  EXPECT_EQ(findingOf(before + "MULTIPLYwgmma.commit_group.sync.aligned;\n" + store +
                      "wgmma.wait_group.sync.aligned 0;\n")
                .substr(0, 57),
            "race: race: write of shared variable 'tile' at byte 0, un");
}

TEST(Wgmma, IsExecutedByAWarpgroup) {
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after, "fence.proxy.async;", 96).substr(0, 42),
            "collective: all 128 threads of the warpgro");
  EXPECT_EQ(findingOf("add.u64 %rd5, %rd5, %rd4;\n" + before + "MULTIPLY" + after),
            "collective: a descriptor or predicate of a wgmma is not the same in all threads of "
            "the warpgroup");
}

TEST(Wgmma, RefusesByName) {
  EXPECT_NE(refusalOf("wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f0}, %rd1, %rd2, %p1, "
                      "1, 1, 0, 0;")
                .find("is not supported in this shape"),
            std::string::npos);
  EXPECT_NE(refusalOf("setmaxnreg.inc.sync.aligned.u32 25;").find("a multiple of 8"),
            std::string::npos);
  EXPECT_NE(refusalOf("tcgen05.commit.cta_group::1.b64 [%rd1];").find("is not supported"),
            std::string::npos);
}
