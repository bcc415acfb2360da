// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the GPU targets, for programs that do not link LLVM, such as tileiras.

#ifndef TILEWRIGHT_NVIDIA_TARGETNAMES_H
#define TILEWRIGHT_NVIDIA_TARGETNAMES_H

#include <array>
#include <string_view>

namespace tilewright::nvidia {

/// LLVM's names, in the order of compute capabilities.
inline constexpr std::array<std::string_view, 11> targetNames = {
    "sm_75",   "sm_80",   "sm_86",   "sm_87",   "sm_89",  "sm_90a",
    "sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"};

/// Whether `name` means this target: both `sm_90` and `sm_90a` mean `sm_90a`.
constexpr bool isNamed(std::string_view target, std::string_view name) {
  return name == target || (target.ends_with('a') && name == target.substr(0, target.size() - 1));
}

/// The target that `name` means; empty if there is none.
constexpr std::string_view targetNamed(std::string_view name) {
  for (std::string_view target : targetNames)
    if (isNamed(target, name))
      return target;
  return {};
}

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_TARGETNAMES_H
