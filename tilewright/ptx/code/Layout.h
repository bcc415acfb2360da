// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in the address space is what? Global and constant memory are at their generic addresses.
// Shared and local memory have windows: an address in the space is one in the window without its
// upper half. Each CTA of a cluster sees the shared memory of all of them in that window
// (Cluster.h). The parameters of an entry have a window, too: `mov` gives their address in the
// space, which fits in 32 bits, and `cvta.param` the generic one. Parameters of other functions are
// in local memory, and have generic addresses only.

#ifndef TILEWRIGHT_PTX_CODE_LAYOUT_H
#define TILEWRIGHT_PTX_CODE_LAYOUT_H

#include <cstdint>

namespace tilewright::ptx {

inline constexpr uint64_t windowBytes = uint64_t(1) << 32;
inline constexpr uint64_t sharedWindow = uint64_t(0x10) << 32;
inline constexpr uint64_t localWindow = uint64_t(0x11) << 32;
inline constexpr uint64_t parameterWindow = uint64_t(0x12) << 32;
/// Function number n is at n * 16 here.
inline constexpr uint64_t codeWindow = uint64_t(0x13) << 32;
inline constexpr uint64_t globalBase = uint64_t(0x7F) << 40;

/// In the window of shared memory, that of rank r in the cluster is from (r + 1) << 24 on; what is
/// below is that of the own CTA.
inline constexpr unsigned clusterShift = 24;
inline constexpr uint32_t mostClusterCtas = 16;

/// Of a thread, as on all devices.
inline constexpr uint64_t mostLocalBytes = 512 * 1024;

/// The first address of a variable in shared and local memory, and of a parameter of the entry:
/// address 0 is never valid.
inline constexpr uint64_t firstOffset = 1024;

inline bool isInWindow(uint64_t address, uint64_t window) { return address - window < windowBytes; }

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_LAYOUT_H
