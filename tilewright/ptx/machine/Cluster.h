// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread block clusters: the CTAs of a cluster begin together, synchronise at the cluster barrier,
// and access each other's shared memory (PTX ISA, 2.2.2 and 9.7.13.4).

#ifndef TILEWRIGHT_PTX_MACHINE_CLUSTER_H
#define TILEWRIGHT_PTX_MACHINE_CLUSTER_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// barrier.cluster: `releases` and `acquires` are false for .relaxed.
Step arriveAtCluster(Thread &thread, const Op &op, bool releases, bool isAligned);
Step waitForCluster(Thread &thread, const Op &op, bool isAligned);

/// Removes a thread that ends from its cluster. For the last thread of a CTA, checks that no other
/// CTA may still use its shared memory.
void leaveCluster(Thread &thread, const Op &op);

/// The rank of the CTA that an address in the shared window belongs to, and the offset in that
/// CTA's memory. None for an address beyond the cluster.
std::optional<uint32_t> rankOf(const Cta &cta, uint64_t address);
inline uint64_t offsetInCta(uint64_t address) {
  return address & ((uint64_t(1) << clusterShift) - 1);
}

/// Does the thread know that the other CTA has begun?
bool hasBegun(const Thread &thread, const Cta &other);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_CLUSTER_H
