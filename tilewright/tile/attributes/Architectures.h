// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU architectures that optimization hints may name, besides `default` (bytecode format,
// 10.3). The vendor's compiler accepts the same names.

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_ARCHITECTURES_H
#define TILEWRIGHT_TILE_ATTRIBUTES_ARCHITECTURES_H

#include <array>
#include <string_view>

namespace tilewright::tile {

inline constexpr std::array<std::string_view, 12> architectures = {
    "sm_80",  "sm_86",  "sm_87",  "sm_88",  "sm_89",  "sm_90",
    "sm_100", "sm_103", "sm_107", "sm_110", "sm_120", "sm_121"};

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_ARCHITECTURES_H
