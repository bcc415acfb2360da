// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the CTAs of a cluster do together? They begin together, they meet at the barrier of the
// cluster, and they reach each other's shared memory (PTX ISA, 2.2.2 and 9.7.13.4).

#ifndef TILEWRIGHT_PTX_MACHINE_CLUSTER_H
#define TILEWRIGHT_PTX_MACHINE_CLUSTER_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// barrier.cluster: `releases` and `acquires` unless it says .relaxed.
Step arriveAtCluster(Thread &thread, const Op &op, bool releases, bool isAligned);
Step waitForCluster(Thread &thread, const Op &op, bool isAligned);

/// What the end of a thread means for its cluster; and of the last thread for its shared memory,
/// which others may still be using.
void leaveCluster(Thread &thread, const Op &op);

/// The rank in the cluster that an address in the window of shared memory belongs to; the offset in
/// that CTA. None beyond the cluster.
std::optional<uint32_t> rankOf(const Cta &cta, uint64_t address);
inline uint64_t offsetInCta(uint64_t address) {
  return address & ((uint64_t(1) << clusterShift) - 1);
}

/// Has the other CTA begun, as far as the thread knows?
bool hasBegun(const Thread &thread, const Cta &other);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_CLUSTER_H
