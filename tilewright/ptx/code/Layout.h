// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address space. Global and constant memory are at their generic addresses. Shared and local
// memory have windows: an address in the state space is the lower half of its generic address in
// the window. Each CTA of a cluster sees the shared memory of all CTAs in the shared window
// (Cluster.h). The parameters of an entry have a window, too: `mov` yields their address in the
// state space, which fits in 32 bits, and `cvta.param` the generic address. Parameters of other
// functions are in local memory and have only generic addresses.

#ifndef TILEWRIGHT_PTX_CODE_LAYOUT_H
#define TILEWRIGHT_PTX_CODE_LAYOUT_H

#include <cstdint>

namespace tilewright::ptx {

inline constexpr uint64_t windowBytes = uint64_t(1) << 32;
inline constexpr uint64_t sharedWindow = uint64_t(0x10) << 32;
inline constexpr uint64_t localWindow = uint64_t(0x11) << 32;
inline constexpr uint64_t parameterWindow = uint64_t(0x12) << 32;
/// Function n has the address n * 16 in this window.
inline constexpr uint64_t codeWindow = uint64_t(0x13) << 32;
inline constexpr uint64_t globalBase = uint64_t(0x7F) << 40;

/// In the shared window, the memory of the CTA with rank r starts at r << 24, and addresses of its
/// variables are there: `ptxas` adds SR_CgaCtaId << 24 to them, and CUTLASS and Triton clear the
/// lowest bit of the rank to get an address in the other CTA of a pair.
inline constexpr unsigned clusterShift = 24;
inline constexpr uint64_t sharedAddress(uint32_t rank, uint64_t offset) {
  return (uint64_t(rank) << clusterShift) + offset;
}
inline constexpr uint32_t mostClusterCtas = 16;

/// Maximum per thread, as on all devices.
inline constexpr uint64_t mostLocalBytes = 512 * 1024;

/// First address of a variable in shared or local memory, and of an entry parameter: address 0 is
/// never valid.
inline constexpr uint64_t firstOffset = 1024;

inline bool isInWindow(uint64_t address, uint64_t window) { return address - window < windowBytes; }

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_LAYOUT_H
