// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the tests of this folder: kernels of four warps with an allocation of tensor memory,
// run under several schedules.

#ifndef TILEWRIGHT_PTX_TCGEN05_TENSORTESTING_H
#define TILEWRIGHT_PTX_TCGEN05_TENSORTESTING_H

#include "tilewright/ptx/async/AsyncTesting.h"

namespace tilewright::ptx::testing::tensor {

/// A kernel with the parameters `out` (%rd1) and `in` (%rd2). %r1 is the thread, %r3 the warp, %p1
/// is true in warp 0, %p2 in thread 0.
inline std::string tensorText(const std::string &code) {
  return ".version 8.8\n.target sm_100a\n.address_size 64\n"
         R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
  .reg .pred %p<9>;
  .reg .b16 %h<9>;
  .reg .b32 %r<32>;
  .reg .b32 %v<128>;
  .reg .b64 %rd<16>;
  .shared .align 1024 .b8 tile[49152];
  .shared .align 8 .b64 bar[4];
  .shared .align 4 .b32 slot;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  mov.u32 %r1, %tid.x;
  shr.u32 %r3, %r1, 5;
  setp.lt.u32 %p1, %r1, 32;
  setp.eq.u32 %p2, %r1, 0;
  setp.ne.u32 %p4, %r1, %r1;
)" + code +
         "\nret;\n}\n";
}

/// Allocates; afterwards %r4 is the address, and %r5 that of the first lane of the warp.
inline std::string allocation(unsigned columns) {
  return "@%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], " +
         std::to_string(columns) +
         ";\nbar.sync 0;\nld.shared.b32 %r4, [slot];\nshl.b32 %r5, %r3, 21;\nadd.u32 %r5, %r5, "
         "%r4;\n";
}

inline std::string release(unsigned columns) {
  return "bar.sync 0;\n@%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, " +
         std::to_string(columns) + ";\n";
}

/// Stores `count` registers of each thread as a row of `out`.
inline std::string output(unsigned count) {
  std::string code =
      "mul.wide.u32 %rd3, %r1, " + std::to_string(4 * count) + ";\nadd.u64 %rd3, %rd3, %rd1;\n";
  for (unsigned at = 0; at < count; ++at)
    code += "st.global.b32 [%rd3+" + std::to_string(4 * at) + "], %v" + std::to_string(at) + ";\n";
  return code;
}

/// Loads `count` registers of each thread from its row of `in`.
inline std::string input(unsigned count) {
  std::string code =
      "mul.wide.u32 %rd3, %r1, " + std::to_string(4 * count) + ";\nadd.u64 %rd3, %rd3, %rd2;\n";
  for (unsigned at = 0; at < count; ++at)
    code += "ld.global.b32 %v" + std::to_string(at) + ", [%rd3+" + std::to_string(4 * at) + "];\n";
  return code;
}

/// Runs the kernel under all schedules; returns the output, which must be the same each time.
inline Words tensorResult(const std::string &code, const Words &in, size_t outWords) {
  Words result;
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(tensorText(code));
    EXPECT_EQ(kernel.refused, "");
    if (!kernel.refused.empty())
      return Words(outWords);
    Region &out = kernel.array(Words(outWords));
    kernel.array(in);
    kernel.launch.block = {128, 1, 1};
    kernel.schedule = schedule;
    kernel.run();
    for (const Finding &finding : kernel.findings)
      ADD_FAILURE() << "line " << kernel.line() << ": " << finding.message;
    const Words now = Kernel::values<uint32_t>(out);
    EXPECT_TRUE(result.empty() || result == now);
    result = now;
  }
  return result;
}

/// `#` for each number.
inline std::string withoutNumbers(const std::string &text) {
  std::string result;
  for (char letter : text)
    if (letter < '0' || letter > '9')
      result += letter;
    else if (result.empty() || result.back() != '#')
      result += '#';
  return result;
}

/// The first finding under all schedules, with its instruction: `rule: message @ instruction`. If
/// the numbers depend on the schedule, without numbers.
inline std::string tensorFinding(const std::string &code, const Words &in = Words(16384),
                                 size_t outWords = 16384, uint32_t threads = 128) {
  std::string found;
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(tensorText(code));
    if (!kernel.refused.empty())
      return kernel.refused;
    kernel.array(Words(outWords));
    kernel.array(in);
    kernel.launch.block = {threads, 1, 1};
    kernel.schedule = schedule;
    kernel.run();
    std::string now = kernel.firstFinding();
    if (!kernel.findings.empty()) {
      const Site site = kernel.findings.front().site;
      now += " @ " + spell(kernel.module.functions[site.function].body[site.instruction]);
    }
    if (!found.empty() && found != now && withoutNumbers(found) == withoutNumbers(now))
      found = now = withoutNumbers(now);
    if (!found.empty() && found != now)
      return "schedules differ: " + found + "; " + now;
    found = now;
  }
  return found;
}

} // namespace tilewright::ptx::testing::tensor

#endif // TILEWRIGHT_PTX_TCGEN05_TENSORTESTING_H
