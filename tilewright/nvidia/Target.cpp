// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Target.h.

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/TargetNames.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>

using namespace tilewright;
using nvidia::Target;
using support::Failure;
using support::Result;

namespace {
struct Row {
  unsigned capability;
  /// LLVM's name for the target.
  llvm::StringLiteral cpu;
  /// The first PTX version that supports it, 63 for 6.3.
  unsigned ptx;
  /// The static shared memory that `ptxas` permits per kernel.
  int64_t sharedKiB = 48;
};
} // namespace

static constexpr Row rows[] = {
    {75, "sm_75", 63},         {80, "sm_80", 70},         {86, "sm_86", 71},
    {87, "sm_87", 74},         {89, "sm_89", 78},         {90, "sm_90a", 80, 227},
    {100, "sm_100a", 86, 227}, {103, "sm_103a", 88, 227}, {110, "sm_110a", 90, 227},
    {120, "sm_120a", 87, 99},  {121, "sm_121a", 88, 99},
};

static_assert(std::ranges::equal(rows, nvidia::targetNames, {},
                                 [](const Row &row) { return std::string_view(row.cpu); }),
              "each target has a row and a name");

static Target targetOf(const Row &row) {
  Target target;
  target.triple = "nvptx64-nvidia-cuda";
  target.cpu = row.cpu.str();
  target.ptxVersion = row.ptx;
  target.hasFma = true;
  target.hasF16Conversion = true;
  target.hasBf16Rounding = row.capability >= 80;
  target.hasRemainder = false; // LLVM would divide, and round the quotient
  target.hasFastF64 = false;   // many have one f64 unit for 64 f32 units
  target.capability = row.capability;
  target.sharedBytes = row.sharedKiB << 10;
  return target;
}

std::vector<Target> Target::all() {
  std::vector<Target> targets;
  for (const Row &row : rows)
    targets.push_back(targetOf(row));
  return targets;
}

Result<Target> Target::named(std::string_view name) {
  std::string known;
  for (const Row &row : rows) {
    if (isNamed(row.cpu, name))
      return targetOf(row);
    known += (known.empty() ? "" : ", ") + row.cpu.str();
  }
  return Failure{"there is no GPU target '" + std::string(name) + "': targets are " + known};
}
