// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, atomics and asynchronous copies.

#include "tilewright/ptx/Testing.h"

#include <bit>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// Runs a kernel of one or more threads with one array in %rd1; returns the array afterwards.
/// Expects a finding of the check `expected`, or none if it is StepLimit.
static std::vector<uint32_t> after(const std::string &code, std::vector<uint32_t> array,
                                   uint32_t threads = 1, Check expected = Check::StepLimit) {
  Kernel kernel(header() + R"(
.global .align 4 .u32 counter = 5;
.const .align 8 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 200};
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b16 %h<5>;
  .reg .b32 %r<9>;
  .reg .f32 %f<5>;
  .reg .f64 %fd<5>;
  .reg .b64 %rd<9>;
  .shared .align 16 .b8 tile[256];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
)" + code + "\nret;\n}\n");
  Region &out = kernel.array(array);
  kernel.launch.block = {threads, 1, 1};
  kernel.run();
  if (expected == Check::StepLimit) {
    EXPECT_TRUE(kernel.findings.empty()) << code << kernel.findings.front().message;
  } else {
    const bool isFound =
        std::any_of(kernel.findings.begin(), kernel.findings.end(),
                    [&](const Finding &finding) { return finding.check == expected; });
    EXPECT_TRUE(isFound) << ruleOf(expected).id << ": " << code;
  }
  return Kernel::values<uint32_t>(out);
}

using Words = std::vector<uint32_t>;

TEST(Memory, LoadsAndStoresInAllSpacesAndSizes) {
  EXPECT_EQ(after("ld.global.s8 %r2, [%rd1];\nst.global.u32 [%rd1+4], %r2;", {0x80, 0}),
            (Words{0x80, 0xFFFFFF80}));
  EXPECT_EQ(after("ld.global.u8 %r2, [%rd1];\nst.global.u16 [%rd1+6], %r2;", {0x80, 0x1111}),
            (Words{0x80, 0x801111}));
  EXPECT_EQ(
      after("ld.global.v2.u32 {%r2, %r3}, [%rd1];\nst.global.v2.b32 [%rd1], {%r3, %r2};", {1, 2}),
      (Words{2, 1}));
  EXPECT_EQ(after("ld.global.nc.L1::no_allocate.v4.b32 {%r2, _, %r3, %r4}, "
                  "[%rd1];\nst.global.v4.b32 [%rd1], {%r4, %r3, 9, %r2};",
                  {1, 2, 3, 4}),
            (Words{4, 3, 9, 1}));
  EXPECT_EQ(after("ld.const.u32 %r2, [table+4];\nst.global.u32 [%rd1], %r2;", {0}),
            (Words{0xC8070605}));
  EXPECT_EQ(after("ld.global.u32 %r2, [counter];\nst.global.u32 [%rd1], %r2;", {0}), (Words{5}));
  // Shared memory through its window, local memory through its window and its space.
  EXPECT_EQ(after("mov.u32 %r2, tile;\ncvt.u64.u32 %rd2, %r2;\ncvta.shared.u64 %rd3, %rd2;\nst.u32 "
                  "[%rd3+8], 42;\nld.shared.u32 %r3, [tile+8];\nst.global.u32 [%rd1], %r3;",
                  {0}),
            (Words{42}));
  EXPECT_EQ(
      after(".local .align 8 .b8 l[16];\nmov.u64 %rd2, l;\ncvta.local.u64 %rd3, %rd2;\nst.u64 "
            "[%rd3+8], 0x700000005;\nld.local.u32 %r3, [%rd2+12];\ncvta.to.local.u64 %rd4, "
            "%rd3;\nld.local.u32 %r4, [%rd4+8];\nst.global.v2.u32 [%rd1], {%r3, %r4};",
            {0, 0}),
      (Words{7, 5}));
  EXPECT_EQ(after("mov.u64 %rd2, out;\nld.param.u64 %rd3, [%rd2];\nst.global.u32 [%rd3], 3;", {0}),
            (Words{3}));
  EXPECT_EQ(after("mov.u64 %rd2, tile;\ncvta.shared.u64 %rd2, %rd2;\nisspacep.shared %p1, "
                  "%rd2;\nisspacep.global %p2, %rd2;\nselp.b32 %r2, 1, 0, %p1;\nselp.b32 %r3, 1, "
                  "0, %p2;\nst.global.v2.u32 [%rd1], {%r2, %r3};",
                  {5, 5}),
            (Words{1, 0}));
}

TEST(Memory, AtomicsReturnOldValue) {
  const auto atom = [](const std::string &operation, Words words) {
    return after("atom.global." + operation + ";\nst.global.u32 [%rd1+4], %r2;", std::move(words));
  };
  EXPECT_EQ(atom("add.u32 %r2, [%rd1], 3", {5, 0}), (Words{8, 5}));
  EXPECT_EQ(atom("inc.u32 %r2, [%rd1], 5", {5, 0}), (Words{0, 5}));
  EXPECT_EQ(atom("inc.u32 %r2, [%rd1], 6", {5, 0}), (Words{6, 5}));
  EXPECT_EQ(atom("dec.u32 %r2, [%rd1], 9", {0, 0}), (Words{9, 0}));
  EXPECT_EQ(atom("dec.u32 %r2, [%rd1], 9", {10, 0}), (Words{9, 10}));
  EXPECT_EQ(atom("min.s32 %r2, [%rd1], -4", {5, 0}), (Words{uint32_t(-4), 5}));
  EXPECT_EQ(atom("max.u32 %r2, [%rd1], -4", {5, 0}), (Words{uint32_t(-4), 5}));
  EXPECT_EQ(atom("and.b32 %r2, [%rd1], 6", {5, 0}), (Words{4, 5}));
  EXPECT_EQ(atom("exch.b32 %r2, [%rd1], 6", {5, 0}), (Words{6, 5}));
  EXPECT_EQ(atom("cas.b32 %r2, [%rd1], 5, 6", {5, 0}), (Words{6, 5}));
  EXPECT_EQ(atom("cas.b32 %r2, [%rd1], 4, 6", {5, 0}), (Words{5, 5}));
  EXPECT_EQ(atom("acq_rel.gpu.xor.b32 %r2, [%rd1], 7", {5, 0}), (Words{2, 5}));
  EXPECT_EQ(after("red.global.add.f32 [%rd1], 0f3F800000;", {0x3F800000}), (Words{0x40000000}));
  EXPECT_EQ(
      after("mov.b32 %r2, 0x3C003C00;\nred.global.add.noftz.f16x2 [%rd1], %r2;", {0x3C004000}),
      (Words{0x40004200}));
  EXPECT_EQ(after("red.shared.add.u32 [tile], 1;", {0}, 1),
            (Words{0})); // undefined memory stays undefined
  // 64 threads, each once.
  EXPECT_EQ(
      after("red.global.add.u32 [%rd1], 1;\natom.global.max.u32 %r2, [%rd1+4], %r1;", {0, 0}, 64),
      (Words{64, 63}));
}

TEST(Memory, AtomicsOfFloatsAndVectors) {
  // In global memory, subnormal numbers count as zero.
  EXPECT_EQ(after("red.global.add.f32 [%rd1], 0f00000001;", {1}), (Words{0}));
  EXPECT_EQ(after("mov.b32 %r2, 1;\nst.shared.b32 [tile], %r2;\nred.shared.add.f32 [tile], "
                  "0f00000001;\nld.shared.b32 %r3, [tile];\nst.global.b32 [%rd1], %r3;",
                  {0}),
            (Words{2}));
  EXPECT_EQ(after("mov.f32 %f1, 0f3F800000;\natom.global.v2.f32.add {%f2, %f3}, [%rd1], {%f1, "
                  "%f1};\nst.global.v2.f32 [%rd1+8], {%f2, %f3};",
                  {0x3F800000, 0x40000000, 0, 0}),
            (Words{0x40000000, 0x40400000, 0x3F800000, 0x40000000}));
  EXPECT_EQ(after("mov.b32 %r2, 0x3C004000;\nred.global.v2.f16x2.max.noftz [%rd1], {%r2, %r2};",
                  {0x40003C00, 0x3C003C00}),
            (Words{0x40004000, 0x3C004000}));
  EXPECT_EQ(
      after("mov.b16 %h1, 0x3F80;\nred.global.v2.bf16.add.noftz [%rd1], {%h1, %h1};", {0x3F800000}),
      (Words{0x40003F80}));
}

static const char *copyOfTile = R"(
  mov.u32 %r2, tile;
  mad.lo.u32 %r2, %r1, 16, %r2;
  mad.wide.u32 %rd2, %r1, 16, %rd1;
  cp.async.cg.shared.global [%r2], [%rd2], 16;
  cp.async.commit_group;
)";

TEST(Memory, AsynchronousCopies) {
  const std::string read =
      "ld.shared.u32 %r3, [%r2];\nadd.u32 %r3, %r3, 1;\nst.global.u32 [%rd2], %r3;";
  EXPECT_EQ(after(copyOfTile + ("cp.async.wait_group 0;\n" + read), {1, 2, 3, 4}),
            (Words{2, 2, 3, 4}));
  EXPECT_EQ(after(copyOfTile + ("cp.async.wait_all;\n" + read), {1, 2, 3, 4}), (Words{2, 2, 3, 4}));
  after(copyOfTile + read, {1, 2, 3, 4}, 1, Check::PendingCopy);
  after(copyOfTile + ("cp.async.wait_group 1;\n" + read), {1, 2, 3, 4}, 1, Check::PendingCopy);
  // Data copied by another thread, after its wait and a barrier.
  const std::string neighbour =
      "xor.b32 %r4, %r2, 16;\nld.shared.u32 %r3, [%r4];\nst.global.u32 [%rd2], %r3;";
  EXPECT_EQ(after(copyOfTile + ("cp.async.wait_all;\nbar.sync 0;\n" + neighbour),
                  {1, 2, 3, 4, 5, 6, 7, 8}, 2),
            (Words{5, 2, 3, 4, 1, 6, 7, 8}));
  after(copyOfTile + ("cp.async.wait_all;\n" + neighbour), {1, 2, 3, 4, 5, 6, 7, 8}, 2,
        Check::Race);
  after(copyOfTile + ("bar.sync 0;\n" + neighbour), {1, 2, 3, 4, 5, 6, 7, 8}, 2,
        Check::PendingCopy);
  // Fewer bytes are read than written: the rest is zero.
  EXPECT_EQ(
      after("cp.async.ca.shared.global [tile], [%rd1], 8, 4;\ncp.async.wait_all;\nld.shared.v2.u32 "
            "{%r2, %r3}, [tile];\nst.global.v2.u32 [%rd1], {%r3, %r2};",
            {7, 8}),
      (Words{0, 7}));
  after("cp.async.cg.shared.global [tile+8], [%rd1], 16;", {1, 2, 3, 4}, 1, Check::Misaligned);
}

/// A copy may read until it was waited for: its own thread, or one that a barrier orders after the
/// beginning of the copy, must not write to the source.
TEST(Memory, CopySourcesAreReadUntilWait) {
  const std::string copy = "cp.async.cg.shared.global [tile], [%rd1], 16;\n",
                    wait = "cp.async.wait_all;\n", write = "st.global.u32 [%rd1+4], 9;\n";
  after(copy + write + wait, {1, 2, 3, 4}, 1, Check::Race);
  EXPECT_EQ(after(copy + wait + write, {1, 2, 3, 4}), (Words{1, 9, 3, 4}));
  // The copy reads values that were written before it.
  EXPECT_EQ(after(write + copy + wait + "ld.shared.u32 %r3, [tile+4];\nst.global.u32 [%rd1], %r3;",
                  {1, 2, 3, 4}),
            (Words{9, 9, 3, 4}));
  // Next to the source: four bytes are copied.
  EXPECT_EQ(after("cp.async.ca.shared.global [tile], [%rd1], 4;\n" + write + wait, {1, 2, 3, 4}),
            (Words{1, 9, 3, 4}));
  const std::string first = "setp.eq.u32 %p1, %r1, 0;\n";
  const std::string byFirst = first + "@%p1 cp.async.cg.shared.global [tile], [%rd1], 16;\n";
  after(byFirst + "bar.sync 0;\n@!%p1 " + write + wait, {1, 2, 3, 4}, 2, Check::Race);
  // The same if the wait happens to come first.
  after(byFirst + "bar.sync 0;\n" + wait + "@!%p1 " + write, {1, 2, 3, 4}, 2, Check::Race);
  EXPECT_EQ(after(byFirst + wait + "bar.sync 0;\n@!%p1 " + write, {1, 2, 3, 4}, 2),
            (Words{1, 9, 3, 4}));
}

TEST(Memory, ThreadsMayCopyTheSameBytes) {
  const std::string from = "cp.async.ca.shared.global [tile], ", source = from + "[%rd1], 4;\n",
                    wait = "cp.async.wait_all;\n", meet = "bar.sync 0;\n",
                    use = "ld.shared.u32 %r3, [tile];\nst.global.u32 [%rd1+4], %r3;";
  const std::string own = "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\n";
  EXPECT_EQ(after(source + wait + meet + use, {5, 6, 7}, 32), (Words{5, 5, 7}));
  after(source + wait + use, {5, 6, 7}, 32, Check::Race);
  after(source + meet + use, {5, 6, 7}, 32, Check::PendingCopy);
  after(own + from + "[%rd2+4], 4;\n" + wait + meet + use, {5, 6, 7}, 2, Check::Race);
  // A copy over another one that its thread has not waited for.
  after(source + from + "[%rd1+4], 4;\n" + wait + meet + use, {5, 6, 7}, 1, Check::PendingCopy);
  // The same, by one instruction in a loop, even if the bytes are the same.
  after("mov.u32 %r3, 0;\n$again:\n" + source +
            "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 2;\n@%p1 bra $again;\n" + wait + meet +
            use,
        {5, 6, 7}, 1, Check::PendingCopy);
}

TEST(Memory, UndefinedBytesPropagateUntilUsed) {
  // Padding is copied with a structure.
  EXPECT_EQ(after(".local .align 8 .b8 l[8];\nst.local.u32 [l], 7;\nld.local.u64 %rd2, "
                  "[l];\nst.global.u64 [%rd1], %rd2;",
                  {0, 0})[0],
            7u);
  // The defined half of a register is extracted.
  EXPECT_EQ(after("st.shared.u16 [tile], 9;\nld.shared.u32 %r2, [tile];\nand.b32 %r3, %r2, "
                  "0xFFFF;\nsetp.eq.u32 %p1, %r3, 9;\n@%p1 st.global.u32 [%rd1], 1;",
                  {0}),
            (Words{1}));
  after("ld.shared.u32 %r2, [tile];\nand.b32 %r3, %r2, 0xFFFF;\nsetp.eq.u32 %p1, %r3, 9;\n@%p1 "
        "st.global.u32 [%rd1], 1;",
        {0}, 1, Check::Undefined);
  after("add.u32 %r2, %r3, 1;\nst.global.u32 [%rd1], %r2;", {0}, 1, Check::Undefined);
}

TEST(Memory, AtomicsDoNotWriteUndefinedValues) {
  // %r3, %r5 and %rd3 are not defined.
  for (const char *code :
       {"red.global.add.u32 [%rd1], %r3;", "atom.global.max.u32 %r2, [%rd1], %r3;",
        "atom.global.exch.b32 %r2, [%rd1], %r3;", "atom.global.add.u64 %rd2, [%rd1], %rd3;",
        "red.global.add.u32 [%rd1+4], %r3;",
        // The comparison decides what is written, or the new value is written.
        "atom.global.cas.b32 %r2, [%rd1], %r3, 1;", "atom.global.cas.b32 %r2, [%rd1], 5, %r3;"})
    after(code, {5, 0}, 1, Check::Undefined);
  EXPECT_EQ(after("atom.global.cas.b32 %r2, [%rd1], 6, %r3;", {5}), (Words{5}));
  // In shared memory, until the value is used.
  EXPECT_EQ(after("st.shared.u32 [tile], 1;\nred.shared.add.u32 [tile], %r3;", {5}), (Words{5}));
  after("st.shared.u32 [tile], 1;\nred.shared.add.u32 [tile], %r3;\nld.shared.u32 %r2, [tile];\n"
        "st.global.u32 [%rd1], %r2;",
        {5}, 1, Check::Undefined);
}
