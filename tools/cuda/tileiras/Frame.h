// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inspects the header and the sections of a bytecode file, without decoding the sections.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_FRAME_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_FRAME_H

#include "tilewright/support/Result.h"

#include <string_view>

namespace tilewright::cuda {

/// A Tile IR version.
struct FormatVersion {
  unsigned major, minor;
  friend auto operator<=>(const FormatVersion &, const FormatVersion &) = default;
};

inline constexpr FormatVersion oldestClientVersion = {13, 1};
/// The newest version that our devices support completely: 13.5 has preview features.
inline constexpr FormatVersion newestClientVersion = {13, 4};

/// Clients find out which version they may write by compiling an empty program of each version.
/// This rejects versions that are readable only because the program is empty.
support::Result<void> verifyVersion(std::string_view program);

/// Whether it is bytecode without functions and global variables, so that there is nothing to
/// compile. The loader checks the rest. False if it is not bytecode.
bool hasNothingToCompile(std::string_view program);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_FRAME_H
