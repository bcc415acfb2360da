// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opcode tables: each file of this folder has one.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_OPCODES_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_OPCODES_H

#include "tilewright/ptx/code/Decoder.h"

#include <span>

namespace tilewright::ptx {

std::span<const OpcodeRow> integerOpcodes();
std::span<const OpcodeRow> bitOpcodes();
std::span<const OpcodeRow> carryOpcodes();
std::span<const OpcodeRow> floatOpcodes();
std::span<const OpcodeRow> approximateOpcodes();
std::span<const OpcodeRow> compareOpcodes();
std::span<const OpcodeRow> convertOpcodes();
std::span<const OpcodeRow> moveOpcodes();
std::span<const OpcodeRow> memoryOpcodes();
std::span<const OpcodeRow> atomicOpcodes();
std::span<const OpcodeRow> controlOpcodes();
std::span<const OpcodeRow> warpOpcodes();
std::span<const OpcodeRow> barrierOpcodes();
std::span<const OpcodeRow> matrixOpcodes();
std::span<const OpcodeRow> matrixMoveOpcodes();
std::span<const OpcodeRow> copyOpcodes();
std::span<const OpcodeRow> videoOpcodes();
std::span<const OpcodeRow> videoMadOpcodes();
std::span<const OpcodeRow> wmmaOpcodes();
std::span<const OpcodeRow> cacheOpcodes();
std::span<const OpcodeRow> multimemOpcodes();
std::span<const OpcodeRow> stackOpcodes();

std::span<const OpcodeRow> clusterOpcodes();
std::span<const OpcodeRow> mbarrierOpcodes();
std::span<const OpcodeRow> launchControlOpcodes();
std::span<const OpcodeRow> tensorMapOpcodes();
std::span<const OpcodeRow> wgmmaOpcodes();
std::span<const OpcodeRow> registerCountOpcodes();
std::span<const OpcodeRow> tcgen05Opcodes();

/// Adds `by` (1 or -1) to the number of pending copies to these bytes.
void countPending(Thread &thread, uint64_t offset, uint32_t bytes, int by);

// Asynchronous variants of opcodes in other tables.
bool decodeClusterBarrier(Decoder &decoder);
bool decodeOtherFence(Decoder &decoder);
bool decodeAsyncStore(Decoder &decoder);
bool decodeAsyncReduction(Decoder &decoder);
bool decodeGlobalAsyncStore(Decoder &decoder);
bool decodeGlobalAsyncReduction(Decoder &decoder);
bool decodeCopyArrival(Decoder &decoder);
bool decodeBulkCopy(Decoder &decoder);
bool decodeBulkReduction(Decoder &decoder);
bool decodeTensorCopy(Decoder &decoder, bool isReduction);

// Scalar and vector forms of ld, st and red, without the asynchronous ones.
bool decodePlainLoad(Decoder &decoder);
bool decodePlainStore(Decoder &decoder);
bool decodePlainReduction(Decoder &decoder);

// `mma` of four pairs of matrices at once.
bool decodeQuadPairs(Decoder &decoder);

// `atom.exch.b128` and `atom.cas.b128`; the memory order was already taken.
bool decodeWideAtomic(Decoder &decoder, Space space);

// `add.cc` and others whose opcode is also in the integer table.
bool decodeAddCarry(Decoder &decoder);
bool decodeSubCarry(Decoder &decoder);
bool decodeMadCarry(Decoder &decoder);

// Approximations whose opcode is also in the float table.
bool decodeApproximateDiv(Decoder &decoder);
bool decodeApproximateRcp(Decoder &decoder);
bool decodeApproximateSqrt(Decoder &decoder);

// `cvt` of two values in a register, and of packed integers.
bool decodeConvertPair(Decoder &decoder);
bool decodeConvertStochastic(Decoder &decoder);
bool decodeConvertPack(Decoder &decoder);

// Arithmetic of .f32x2, and of .f32 with .f16 or .bf16: add, sub, mul and fma.
bool isMixedForm(const Decoder &decoder);
bool decodeMixedArithmetic(Decoder &decoder);
bool decodeOutOfBoundsFma(Decoder &decoder);

// Opcodes for both integers and floats: they are in the integer table, and these functions decode
// the float forms.
bool decodeFloatAdd(Decoder &decoder);
bool decodeFloatSub(Decoder &decoder);
bool decodeFloatMul(Decoder &decoder);
bool decodeFloatMad(Decoder &decoder);
bool decodeFloatDiv(Decoder &decoder);
bool decodeFloatAbs(Decoder &decoder);
bool decodeFloatNeg(Decoder &decoder);
bool decodeFloatMin(Decoder &decoder);
bool decodeFloatMax(Decoder &decoder);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_OPCODES_H
