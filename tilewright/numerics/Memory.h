// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The representation of elements in memory: little-endian, each in its storage size. i1 takes a
// byte, tf32 the upper 19 bits of a 32-bit word, and f4E2M1FN half a byte, low half first (types,
// 2.3).

#ifndef TILEWRIGHT_NUMERICS_MEMORY_H
#define TILEWRIGHT_NUMERICS_MEMORY_H

#include "tilewright/numerics/Element.h"

namespace tilewright::numerics {

/// Size of `count` elements in bytes; an odd number of f4E2M1FN elements is rounded up.
int64_t storageBytes(Format format, int64_t count);

/// Loads or stores element `index` of an array of this format. No alignment is required.
Element load(const uint8_t *base, int64_t index, Format format);
void store(uint8_t *base, int64_t index, Element element);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MEMORY_H
