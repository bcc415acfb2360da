// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks that LLVM gets wrong on x86. Both symptoms are avoided where masked accesses are emitted.
//
// Symptom 1: a masked load whose mask is one condition in all lanes, combined with a constant,
// loads the half of the vector that the constant disables, too, where the vector is split in two.
//
// Seen in: LLVM 22.1.8, x86 with AVX2 and without AVX-512.
//
// Avoided: the condition becomes a branch (cpu/emit/MemoryAccess.cpp, partsOf), so the mask is
// constant.
//
// Test: test/codegen/workarounds/split-masks.ll
//
// Symptom 2: a masked access of less than 16 bytes is widened to 16, and may access the lanes that
// are added.
//
// Seen in: LLVM 22 (the commit that avoided it gives no patch version). Not reproduced with
// 22.1.8: 2,310 functions with different types, widths and masks, for AVX2 and AVX-512, access
// what they should, except for symptom 1.
//
// Avoided: the lanes are accessed one by one.
//
// Test: test/codegen/workarounds/narrow-masks.ll checks that the lanes that are added are
// disabled.

#include "tilewright/codegen/workarounds/Workarounds.h"

using namespace tilewright::codegen;

bool workarounds::widensMaskedAccess(int64_t lanes, int64_t laneBytes) {
  return lanes > 1 && lanes * laneBytes < 16;
}
