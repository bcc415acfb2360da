// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do elements lie in memory? Little-endian, each in its storage size; i1 takes a
// byte, tf32 the upper 19 bits of a word, f4E2M1FN half a byte, low half first
// (types, 2.3).

#ifndef TILEWRIGHT_NUMERICS_MEMORY_H
#define TILEWRIGHT_NUMERICS_MEMORY_H

#include "tilewright/numerics/Element.h"

namespace tilewright::numerics {

/// Bytes that count elements take; an odd f4E2M1FN at the end takes a whole one.
int64_t storageBytes(Format format, int64_t count);

/// Element number index of an array of this format. No alignment is needed.
Element load(const uint8_t *base, int64_t index, Format format);
void store(uint8_t *base, int64_t index, Element element);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MEMORY_H
