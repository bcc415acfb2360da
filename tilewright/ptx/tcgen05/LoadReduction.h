// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.ld.red (PTX ISA, 9.7.16.8.3): a thread gets the minimum or maximum of the registers that
// it loads, too.

#ifndef TILEWRIGHT_PTX_TCGEN05_LOADREDUCTION_H
#define TILEWRIGHT_PTX_TCGEN05_LOADREDUCTION_H

#include "tilewright/ptx/tcgen05/Tcgen05.h"

namespace tilewright::ptx {

/// Takes `.min.abs.NaN.f32` as bits that are not all zero; none if the manual has no such form.
std::optional<uint32_t> takeLoadReduction(Decoder &decoder);

/// The register with the minimum or maximum.
PendingRegister reduced(uint32_t reduction, uint32_t slot, std::span<const PendingRegister> loaded);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_LOADREDUCTION_H
