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
  /// The shared memory of a CTA: all (CUDA programming guide, compute capabilities), and what
  /// `ptxas` permits in arrays of known size.
  int64_t mostKiB, staticKiB = 48;
};
} // namespace

static constexpr Row rows[] = {
    {75, "sm_75", 63, 64},          {80, "sm_80", 70, 163},         {86, "sm_86", 71, 99},
    {87, "sm_87", 74, 163},         {89, "sm_89", 78, 99},          {90, "sm_90a", 80, 227, 227},
    {100, "sm_100a", 86, 227, 227}, {103, "sm_103a", 88, 227, 227}, {110, "sm_110a", 90, 227, 227},
    {120, "sm_120a", 87, 99, 99},   {121, "sm_121a", 88, 99, 99},
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
  target.staticSharedBytes = row.staticKiB << 10;
  target.mostSharedBytes = row.mostKiB << 10;
  target.use(nvidia::SharedMemoryForm::Static);
  return target;
}

void Target::use(SharedMemoryForm form) {
  sharedForm = form;
  sharedBytes = form == SharedMemoryForm::Static ? staticSharedBytes : mostSharedBytes;
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
