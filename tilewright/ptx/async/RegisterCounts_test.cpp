// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setmaxnreg: the registers of a CTA, and the warps of a warpgroup.

#include "tilewright/ptx/async/AsyncTesting.h"
#include "tilewright/ptx/async/RegisterCounts.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// Runs a CTA of two warpgroups with these directives; %p1 is true in the first one. Returns the
/// finding under all schedules.
static std::string findingIn(const std::string &directives, const std::string &code,
                             uint32_t threads = 256) {
  std::string text = textOf(
      "setp.lt.u32 %p1, %r1, 128;\nand.b32 %r3, %r1, 127;\nsetp.lt.u32 %p2, %r3, 32;\n" + code);
  text.replace(text.find("\n{"), 1, "\n" + directives + "\n");
  std::string found;
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(text);
    kernel.array(Words(1));
    kernel.launch.block = {threads, 1, 1};
    kernel.schedule = schedule;
    kernel.run();
    if (!found.empty() && found != kernel.firstFinding())
      return "different schedules: " + found + "; " + kernel.firstFinding();
    found = kernel.firstFinding();
  }
  return found;
}

/// One warpgroup returns registers, the other one takes them.
static std::string exchange(const std::string &left, const std::string &taken) {
  return "@%p1 bra $first;\nsetmaxnreg.inc.sync.aligned.u32 " + taken +
         ";\nbra.uni $end;\n$first:\nsetmaxnreg.dec.sync.aligned.u32 " + left + ";\n$end:\n";
}

TEST(RegisterCounts, AtEntry) {
  // As ptxas 13.0 reports it for a kernel with setmaxnreg; 0 means that it ignores the instruction.
  Function entry;
  EXPECT_EQ(registersAtEntry(entry), 0u);
  entry.requiredThreads = {256, 1, 1};
  EXPECT_EQ(registersAtEntry(entry), 0u);
  entry.leastCtas = 2;
  EXPECT_EQ(registersAtEntry(entry), 128u);
  entry.requiredThreads = {384, 1, 1};
  entry.leastCtas = 1;
  EXPECT_EQ(registersAtEntry(entry), 168u); // 65536 / 384 = 170.67
  entry.mostRegisters = 100;                // warps get registers in eights
  EXPECT_EQ(registersAtEntry(entry), 104u);
}

TEST(RegisterCounts, IncreaseWaitsForReleasedRegisters) {
  // 2 * 128 = 24 + 232: under every schedule the second warpgroup gets its registers.
  EXPECT_EQ(findingIn(".maxnreg 128", exchange("24", "232")), "nothing");
  // Unknown register count: ptxas ignores the instruction.
  EXPECT_EQ(findingIn("", exchange("24", "240")), "nothing");
  // Registers of exited warps are available.
  EXPECT_EQ(findingIn(".maxnreg 128", exchange("24", "240")), "nothing");
}

TEST(RegisterCounts, IncreaseBeyondFreeRegisters) {
  // The first warpgroup returned 4 * 104 registers, of which three warps of the second one take
  // 112.
  EXPECT_EQ(findingIn(".maxnreg 128", exchange("24", "240") + "bar.sync 0;\n"),
            "deadlock: no thread can go on: 32 wait here, this one for 240 registers, where its "
            "warp has 128 for each thread and the CTA has 80 left");
  EXPECT_EQ(findingIn(".maxnreg 128", "setmaxnreg.inc.sync.aligned.u32 136;\n"),
            "deadlock: no thread can go on: 256 wait here, this one for 136 registers, where its "
            "warp has 128 for each thread and the CTA has 0 left");
}

TEST(RegisterCounts, AllWarpsOfWarpgroup) {
  const std::string change = "setmaxnreg.dec.sync.aligned.u32 24;\n";
  EXPECT_EQ(findingIn("", "@%p2 bra $end;\n" + change + "$end:\n", 128),
            "collective: all 4 warps of the warpgroup have to execute this, but warp 0 has ended "
            "without it");
  const auto split = [&](const std::string &other) {
    return findingIn("", "@%p2 bra $other;\n" + change + "bra.uni $end;\n$other:\n" + other +
                             "$end:\n");
  };
  EXPECT_EQ(split(change), "nothing");
  EXPECT_EQ(split("setmaxnreg.dec.sync.aligned.u32 32;\n"), "nothing");
  EXPECT_EQ(
      split("setmaxnreg.inc.sync.aligned.u32 24;\n"),
      "collective: a warp of the warpgroup increases its registers, and another one decreases "
      "them");
  EXPECT_EQ(findingIn("", change, 192),
            "collective: all 4 warps of the warpgroup have to execute this, but some do not exist");
  EXPECT_EQ(findingIn("", change, 1),
            "collective: all 32 lanes of the warp have to execute this, but some do not exist or "
            "have ended");
}
