// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the two sides of rings of pipeline stages (plan/Roles.h): copies of the producer, waiting
// and releasing of the consumers. A stage has a full barrier, which completes when the bytes of its
// copies have arrived, and consumers that write scales into the stage, too; and an empty barrier,
// at which each warp of the consumers arrives when it has read the stage, or at which a commit of
// the multiplier arrives. Roles count the stages of a ring in the same order, also through loops
// around it, and wait for the parity of a barrier's phase (PTX ISA, 9.7.13.15).

#ifndef TILEWRIGHT_NVIDIA_EMIT_RINGS_H
#define TILEWRIGHT_NVIDIA_EMIT_RINGS_H

#include "tilewright/nvidia/emit/Mbarriers.h"
#include "tilewright/nvidia/emit/TensorMaps.h"

namespace tilewright::nvidia {

class Rings {
public:
  Rings(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared, TensorMaps &maps,
        Role role)
      : b(b), plan(plan), maps(maps), barriers(b, tiles, shared), role(role) {}

  /// One thread initialises all barriers.
  static void initialize(const Plan &plan, Mbarriers &barriers);
  /// At the beginning of a role: its rings are at their first stage.
  void begin();

  /// Consumers of all CTAs of a cluster wait for each other, behind a barrier of each CTA.
  void joinCtas();

  bool isProducer() const { return role == Role::Producer; }
  bool runsSlice() const { return nvidia::runsSlice(role); }
  /// The producer: copies the operands of the next product when a stage is free.
  void fill(tile::MatmulOpInterface product);
  /// Consumers, or the multiplier: waits for the operands of the next product, and returns the
  /// number of their stage. They wait only if the condition holds; null means true.
  mlir::Value wait(tile::MatmulOpInterface product, mlir::Value condition = {});
  /// The same: they no longer read the stage for which they last waited, or will not when the
  /// instructions so far are complete.
  void release(tile::MatmulOpInterface product);
  /// The producer, or consumers that write a part of each stage: waits until the next stage is
  /// free, and returns its number.
  mlir::Value claim(tile::MatmulOpInterface product);
  /// Consumers: all lanes of the warp have written their part.
  void deliver(tile::MatmulOpInterface product);
  /// The number of the stage that the role accesses next, or accesses since it last waited.
  mlir::Value stageOf(tile::MatmulOpInterface product) {
    return readState(b, states.lookup(product), 0);
  }
  /// The producer waits until the consumers have executed what is before, and they wait for it, so
  /// that none is a phase ahead.
  void meet();

private:
  mlir::Value barrierOf(const Ring &ring, mlir::Value stage, bool isEmpty);
  void advance(const Ring &ring, mlir::Value state);
  void copy(const Ring &ring, const TensorCopy &copy, tile::MatmulOpInterface product,
            mlir::Value stage);

  ThreadBuilder &b;
  const Plan &plan;
  TensorMaps &maps;
  Mbarriers barriers;
  const Role role;
  /// Thread-local arrays with the stage and the parity, by product.
  llvm::DenseMap<mlir::Operation *, mlir::Value> states;
  mlir::Value meeting; ///< The same for the parity of the next meeting.
  mlir::Value joined;  ///< And for that of the next barrier of a cluster.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_RINGS_H
