// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the frame of a program in bytecode tells, without decoding what is in it.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_FRAME_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_FRAME_H

#include "tilewright/support/Result.h"

#include <string_view>

namespace tilewright::cuda {

/// Of Tile IR.
struct FormatVersion {
  unsigned major, minor;
  friend auto operator<=>(const FormatVersion &, const FormatVersion &) = default;
};

inline constexpr FormatVersion oldestOfClients = {13, 1};
/// The newest version all of whose operations have a meaning on our devices: 13.5 has preview
/// features.
inline constexpr FormatVersion newestOfClients = {13, 4};

/// Clients ask which version they may write by having an empty program of each compiled. One that
/// could be read only because it is empty must not pass.
support::Result<void> verifyVersion(std::string_view program);

/// Whether it is bytecode with neither functions nor global variables, so that there is nothing to
/// compile. Whoever loads it sees whether the rest is in order. False for what is no bytecode.
bool hasNothingToCompile(std::string_view program);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_FRAME_H
