// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the tests of this folder: a kernel with one array, run under several schedules.

#ifndef TILEWRIGHT_PTX_ASYNC_ASYNCTESTING_H
#define TILEWRIGHT_PTX_ASYNC_ASYNCTESTING_H

#include "tilewright/ptx/Testing.h"

namespace tilewright::ptx::testing {

using Words = std::vector<uint32_t>;

/// A launch of a kernel with an array as its only parameter; %rd1 has the address.
struct Trial {
  std::string code;
  Words array = Words(1);
  uint32_t threads = 1;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::optional<std::array<uint32_t, 3>> cluster = std::nullopt;
};

inline std::string textOf(const std::string &code) {
  std::string text = header();
  text.replace(text.find("sm_90"), 5, "sm_90a");
  return text + R"(
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<9>;
  .reg .b16 %h<9>;
  .reg .b32 %r<32>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<9>;
  .shared .align 1024 .b8 tile[4096];
  .shared .align 8 .b64 bar[4];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %cluster_ctarank;
)" + code +
         "\nret;\n}\n";
}

struct Schedules {
  static std::vector<Schedule> all() {
    std::vector<Schedule> list(2);
    list[1].order = Order::Down;
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Schedule schedule;
      schedule.order = Order::Random;
      schedule.seed = seed;
      list.push_back(schedule);
    }
    return list;
  }
};

/// Runs the kernel under all schedules; returns the array, which must be the same each time.
inline Words resultOf(const Trial &trial) {
  Words result;
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(textOf(trial.code));
    EXPECT_TRUE(kernel.refused.empty()) << kernel.refused;
    if (!kernel.refused.empty())
      return {};
    Region &out = kernel.array(trial.array);
    kernel.launch.grid = trial.grid;
    kernel.launch.cluster = trial.cluster;
    kernel.launch.block = {trial.threads, 1, 1};
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

/// Expects a finding under every schedule, at an instruction with this text, with `message` in its
/// message. Returns what is wrong, or an empty string.
inline std::string misses(const Trial &trial, Check check, const std::string &message,
                          const std::string &instruction) {
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(textOf(trial.code));
    if (!kernel.refused.empty())
      return kernel.refused;
    kernel.array(trial.array);
    kernel.launch.grid = trial.grid;
    kernel.launch.cluster = trial.cluster;
    kernel.launch.block = {trial.threads, 1, 1};
    kernel.schedule = schedule;
    std::string others = "nothing";
    bool isFound = false;
    for (const Finding &finding : kernel.run()) {
      const auto &body = kernel.module.functions[finding.site.function].body;
      const std::string at =
          finding.site.instruction < body.size() ? spell(body[finding.site.instruction]) : "ret";
      others = std::string(ruleOf(finding.check).id) + " at " + at + ": " + finding.message;
      isFound |= finding.check == check && at.starts_with(instruction) &&
                 finding.message.find(message) != std::string::npos;
    }
    if (!isFound)
      return "found " + others;
  }
  return {};
}

} // namespace tilewright::ptx::testing

#endif // TILEWRIGHT_PTX_ASYNC_ASYNCTESTING_H
