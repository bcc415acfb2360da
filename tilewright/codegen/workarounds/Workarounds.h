// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bugs of LLVM and ptxas that we work around. Each has a file in this folder, whose first lines
// name the symptom, the versions that show it, how we avoid it, and the test with the reduced
// input. The test fails when the bug is fixed; then remove the file and its uses. Where a bug could
// not be reproduced, the file says so, and its test fails if the bug is back.

#ifndef TILEWRIGHT_CODEGEN_WORKAROUNDS_WORKAROUNDS_H
#define TILEWRIGHT_CODEGEN_WORKAROUNDS_WORKAROUNDS_H

#include "llvm/IR/OptBisect.h"
#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tilewright::codegen::workarounds {

//===-- Rewrites of optimized LLVM IR -------------------------------------------------------===//

using Rewrite = void(llvm::Function &);

Rewrite storeSingleLanes, extractLanes, extractBits, fillPoisonLanes; // x86
Rewrite defineOnAllWays;                                              // ptxas
Rewrite selectConvertedBits;                                          // NVPTX

/// In the order in which they are applied, to code for x86 and AArch64, and to code for NVPTX.
inline constexpr Rewrite *forCpus[] = {storeSingleLanes, extractLanes, extractBits,
                                       fillPoisonLanes};
inline constexpr Rewrite *forNvidiaGpus[] = {defineOnAllWays, selectConvertedBits};

/// After ThreadSanitizer's pass.
void callPlainMemoryFunctions(llvm::Module &module);

//===-- Disabled passes ---------------------------------------------------------------------===//

/// Disables straight-line strength reduction for functions on which it would take too long.
class StrengthReductionGate final : public llvm::OptPassGate {
public:
  explicit StrengthReductionGate(const llvm::Module &module);
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != "slsr";
  }
  bool isEnabled() const override { return hasTooMany; }

private:
  bool hasTooMany = false;
};

//===-- Code that must not be emitted -------------------------------------------------------===//

/// Whether instruction selection may not terminate for shuffles of a register of such words.
bool selectionLoopsOnShuffles(unsigned wordBits);

/// Whether a masked access is so narrow that instruction selection widens it and its mask.
bool widensMaskedAccess(int64_t lanes, int64_t laneBytes);

} // namespace tilewright::codegen::workarounds

#endif // TILEWRIGHT_CODEGEN_WORKAROUNDS_WORKAROUNDS_H
