// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modifiers that loads, stores, atomics and fences share: state spaces, memory ordering, caches.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MEMORY_MEMORYMODIFIERS_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MEMORY_MEMORYMODIFIERS_H

#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/machine/Access.h"

namespace tilewright::ptx {

/// Bits of op.mode: three for the scope, then the ordering of the access.
inline constexpr uint32_t scopeBits = 7, acquires = 8, releases = 16, atomic = 32;

inline Strength strengthOf(uint32_t mode) {
  return {Scope(mode & scopeBits), (mode & acquires) != 0, (mode & releases) != 0,
          (mode & atomic) != 0};
}

/// The state space; generic by default.
Space takeSpace(Decoder &decoder);
/// Takes `.volatile`, `.relaxed.gpu`, `.acquire.cta` ... into the mode. False for a weak access.
bool takeOrder(Decoder &decoder, bool isLoad);
/// Takes a scope such as `.gpu`; `otherwise` is the default.
Scope takeScope(Decoder &decoder, Scope otherwise);
void takeCacheOperators(Decoder &decoder, bool isLoad);
void takeEvictionPriorities(Decoder &decoder);
/// Expects this many operands, and one more with `.L2::cache_hint`.
bool takeCachePolicy(Decoder &decoder, size_t operands);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MEMORY_MEMORYMODIFIERS_H
