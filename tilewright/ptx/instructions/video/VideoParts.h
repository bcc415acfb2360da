// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of registers that scalar video instructions select (PTX ISA, 9.7.18).

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_VIDEO_VIDEOPARTS_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_VIDEO_VIDEOPARTS_H

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

namespace tilewright::ptx {

/// The bits of a register: `.b2`, `.h1`, or all.
struct VideoPart {
  unsigned shift = 0, bits = 32;
};

/// The value of the part, sign- or zero-extended.
inline int64_t extractPart(uint32_t value, VideoPart part, bool isSigned) {
  const uint64_t bits = uint64_t(value) >> part.shift;
  const unsigned unused = 64 - part.bits;
  return isSigned ? int64_t(bits << unused) >> unused : int64_t(bits << unused >> unused);
}

/// Splits `%r1.b0` into the register and the part.
bool takeVideoPart(Decoder &decoder, const Operand &operand, Operand &whole, VideoPart &part);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_VIDEO_VIDEOPARTS_H
