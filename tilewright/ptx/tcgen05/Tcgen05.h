// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the tcgen05 instructions (PTX ISA, 9.7.16): addresses in tensor memory, and what
// orders an access.

#ifndef TILEWRIGHT_PTX_TCGEN05_TCGEN05_H
#define TILEWRIGHT_PTX_TCGEN05_TCGEN05_H

#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/machine/TensorMemory.h"

namespace tilewright::ptx {

/// Lane and column, as in an address: bits 16 to 31 and 0 to 15.
struct TensorAddress {
  uint32_t lane, column;

  explicit TensorAddress(uint32_t bits) : lane(bits >> 16), column(bits & 0xFFFF) {}
};

/// `lane 32, column 8`
std::string toString(const TensorAddress &address);

/// Bits for the groups of 16 lanes from `lane` on.
inline uint32_t groupsOf(uint32_t lane, uint32_t lanes) {
  const uint32_t first = lane / lanesPerGroup, count = (lanes + lanesPerGroup - 1) / lanesPerGroup;
  return ((1u << count) - 1) << first;
}

/// The value of an operand; none after a finding if it is not defined.
std::optional<uint64_t> tensorOperand(Thread &thread, const Op &op, uint32_t slot, bool isWide);
/// The same for an operand that must be equal in all lanes of the warp.
std::optional<uint32_t> uniformOperand(Warp &warp, const Op &op, uint32_t slot);

/// What orders an access by one thread.
inline TensorOrdering orderingOf(const Thread &thread) {
  return {thread.vectorClock, thread.tensorView};
}
/// What orders an access by a whole warp.
TensorOrdering orderingOf(const Warp &warp);

/// Takes `.cta_group::1` or `::2`; 0 if there is none.
uint32_t takeGroup(Decoder &decoder);

/// An address in tensor memory: a register of 32 bits with an offset.
bool takeTensorAddress(Decoder &decoder, const Operand &operand, uint32_t &slot, int64_t &offset);

// Decode functions, by the word behind `tcgen05`.
bool decodeTensorAllocation(Decoder &decoder);
bool decodeTensorFree(Decoder &decoder);
bool decodeTensorPermit(Decoder &decoder);
bool decodeTensorLoad(Decoder &decoder);
bool decodeTensorStore(Decoder &decoder);
bool decodeTensorWait(Decoder &decoder, bool isLoad);
bool decodeTensorFence(Decoder &decoder, bool isBefore);
bool decodeTensorCommit(Decoder &decoder);
bool decodeTensorProduct(Decoder &decoder);
bool decodeTensorCopy(Decoder &decoder);
bool decodeTensorShift(Decoder &decoder);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_TCGEN05_H
