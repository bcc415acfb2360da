// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits mbarriers in shared memory (PTX ISA, 9.7.13.15). A phase of an mbarrier completes when its
// number of arrivals and the expected bytes are there; threads wait for the parity of a phase.

#ifndef TILEWRIGHT_NVIDIA_EMIT_MBARRIERS_H
#define TILEWRIGHT_NVIDIA_EMIT_MBARRIERS_H

#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class Mbarriers {
public:
  Mbarriers(ThreadBuilder &b, Tiles &tiles, SharedMemory &shared)
      : b(b), tiles(tiles), shared(shared) {}

  /// The address of a byte of shared memory, as instructions take it.
  mlir::Value addressAt(mlir::Value offset);
  mlir::Value addressAt(int64_t offset) { return addressAt(b.i32(offset)); }

  /// A fence for mbarriers and a barrier of the CTA must follow.
  void initialize(int64_t offset, int64_t arrivals);
  void wait(mlir::Value barrier, mlir::Value parity);
  /// The same if threads of another CTA may arrive there. `ptxas` invalidates the L1 cache then.
  void waitForCluster(mlir::Value barrier, mlir::Value parity);
  /// One thread of each warp arrives, or the only one of a role.
  void arriveOnce(mlir::Value barrier);
  /// The first threads of each warp arrive at the barrier in the CTA of their rank.
  void arriveInCluster(mlir::Value barrier);
  /// The address of the barrier at this offset in the first CTA of the cluster.
  mlir::Value inFirstCta(mlir::Value barrier);
  /// One thread of each warp arrives there.
  void arriveInFirstCta(mlir::Value barrier);
  /// The first thread of the CTA arrives there, then at the barrier of the other CTA. Who has
  /// waited for the latter arrives again only when the former has both arrivals, too.
  void arriveAtBoth(mlir::Value barrier);
  /// The instructions of tcgen05 that the thread has issued so far arrive when they are complete;
  /// in a pair of CTAs, at the barriers of both.
  void arriveByCommit(mlir::Value barrier);

private:
  ThreadBuilder &b;
  Tiles &tiles;
  SharedMemory &shared;
};

/// A number of 32 bits, or several, in a thread-local array.
mlir::Value readState(ThreadBuilder &b, mlir::Value state, int64_t number = 0);
void writeState(ThreadBuilder &b, mlir::Value state, int64_t number, mlir::Value value);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_MBARRIERS_H
