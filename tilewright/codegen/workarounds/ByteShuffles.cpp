// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: instruction selection does not terminate for a shuffle of 64 bytes that repeats 1, 4 or
// 8 bytes, not the first, of an operation with one use. A scan of bytes repeats the last one of
// each vector.
//
// Seen in: LLVM 22.1.8, x86 with AVX512-VBMI (Zen 4 and 5, Ice Lake, Sapphire Rapids), which has a
// permutation of bytes. The same shuffles of 16-bit words, and of 32 bytes, end.
//
// Avoided: the CPU compiler's planner puts no bytes into scans and lane-shuffle programs.
//
// Test: test/codegen/workarounds/byte-shuffles.ll

#include "tilewright/codegen/workarounds/Workarounds.h"

using namespace tilewright::codegen;

bool workarounds::selectionLoopsOnShuffles(unsigned wordBits) { return wordBits < 16; }
