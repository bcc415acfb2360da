// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rings.h.

#include "tilewright/nvidia/emit/Rings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Barriers ------------------------------------------------------------------------------===//

void Rings::initialize(const Plan &plan, Mbarriers &barriers) {
  const int64_t warps = plan.threads / 32;
  for (const auto &[product, ring] : plan.roles.rings)
    for (int64_t at = 0; at < 2 * ring.stages; ++at) {
      // At a full barrier, the producer arrives, with the expected bytes, and the warps of the
      // consumers if they write a part of the stage; at an empty one, these warps or a commit of
      // the multiplier.
      const bool isFull = at < ring.stages, isOnce = isFull || plan.tensor.find(product);
      const bool isWritten = isFull && plan.staged.find(product)->second.isWrittenAhead();
      barriers.initialize(ring.barriers + at * Ring::barrierBytes,
                          isOnce ? 1 + (isWritten ? warps : 0) : warps);
    }
  if (!plan.roles.meetings.empty())
    barriers.initialize(plan.roles.meetingBarrier, warps + 1);
  if (plan.hasClusterBarrier())
    barriers.initialize(plan.roles.clusterBarrier, plan.ctas);
}

Value Rings::barrierOf(const Ring &ring, Value stage, bool isEmpty) {
  int64_t first = ring.barriers + (isEmpty ? ring.stages * Ring::barrierBytes : 0);
  return barriers.addressAt(b.add(b.times(stage, Ring::barrierBytes), b.i32(first)));
}

//===-- Stages --------------------------------------------------------------------------------===//

/// All stages are empty at first. So roles that fill stages start with parity 1: they wait for the
/// phase before the first one, which counts as complete.
void Rings::begin() {
  if (plan.hasClusterBarrier() && !runsSlice())
    writeState(b, joined = b.localArray(b.getI32Type(), 1), 0, b.i32(0));
  if (role == Role::Everyone)
    return;
  for (const auto &[product, ring] : plan.roles.rings) {
    Value state = states[product] = b.localArray(b.getI32Type(), 2);
    writeState(b, state, 0, b.i32(0));
    const bool fills =
        role == Role::Producer || (role == Role::Consumers && plan.tensor.find(product));
    writeState(b, state, 1, b.i32(fills ? 1 : 0));
  }
  if (!plan.roles.meetings.empty())
    writeState(b, meeting = b.localArray(b.getI32Type(), 1), 0, b.i32(0));
}

/// Moves on to the next stage. The parity changes when the ring wraps around.
void Rings::advance(const Ring &ring, Value state) {
  Value next = b.add(readState(b, state, 0), b.i32(1)), parity = readState(b, state, 1);
  Value isLast = b.isEqual(next, b.i32(ring.stages));
  writeState(b, state, 0, b.select(isLast, b.i32(0), next));
  Value other = b.createOrFold<arith::XOrIOp>(parity, b.i32(1));
  writeState(b, state, 1, b.select(isLast, other, parity));
}

Value Rings::wait(tile::MatmulOpInterface product, Value condition) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product), stage = readState(b, state, 0);
  // Consumers of both CTAs of a pair write scales.
  const bool isOfCluster = plan.isPair() && plan.staged.find(product)->second.isWrittenAhead();
  b.branch(condition, [&] {
    Value full = barrierOf(ring, stage, /*isEmpty=*/false), parity = readState(b, state, 1);
    if (isOfCluster)
      barriers.waitForCluster(full, parity);
    else
      barriers.wait(full, parity);
  });
  return stage;
}

void Rings::release(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product);
  Value barrier = barrierOf(ring, readState(b, state, 0), /*isEmpty=*/true);
  // The commit arrives when the instructions issued so far have read the stage.
  if (plan.tensor.find(product)) {
    barriers.arriveByCommit(barrier);
    return advance(ring, state);
  }
  // After `wgmma`, no lane reads the stage any more; after other instructions, wait for all lanes
  // of the warp.
  if (!plan.matrices.find(product)->second.form.isOfWarpgroup())
    b.instruction("bar.warp.sync -1;");
  if (plan.ctas > 1)
    barriers.arriveInCluster(barrier);
  else
    barriers.arriveOnce(barrier);
  advance(ring, state);
}

Value Rings::claim(tile::MatmulOpInterface product) {
  Value state = states.lookup(product), stage = readState(b, state, 0);
  Value empty = barrierOf(*plan.roles.ringOf(product), stage, /*isEmpty=*/true);
  if (plan.tensor.find(product)) // A commit arrives there.
    barriers.wait(empty, readState(b, state, 1));
  else
    barriers.waitForCluster(empty, readState(b, state, 1));
  return stage;
}

void Rings::deliver(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product);
  b.instruction("bar.warp.sync -1;");
  Value full = barrierOf(ring, readState(b, state, 0), /*isEmpty=*/false);
  if (plan.isPair())
    barriers.arriveInFirstCta(full);
  else
    barriers.arriveOnce(full);
  advance(ring, state);
}

/// Copies by tensor maps read memory through the async proxy, but consumers write it through the
/// generic proxy: hence the fence.
void Rings::meet() {
  if (role == Role::Everyone || role == Role::Multiplier)
    return;
  Value barrier = barriers.addressAt(plan.roles.meetingBarrier);
  if (!isProducer()) {
    b.instruction("fence.proxy.async;");
    b.instruction("bar.warp.sync -1;");
  }
  barriers.arriveOnce(barrier);
  Value parity = readState(b, meeting);
  barriers.wait(barrier, parity);
  writeState(b, meeting, 0, b.createOrFold<arith::XOrIOp>(parity, b.i32(1)));
}

void Rings::joinCtas() {
  if (plan.ctas == 1)
    return;
  Value barrier = barriers.addressAt(plan.roles.clusterBarrier), parity = readState(b, joined);
  barriers.arriveAtBoth(barrier);
  barriers.waitForCluster(barrier, parity);
  writeState(b, joined, 0, b.createOrFold<arith::XOrIOp>(parity, b.i32(1)));
}

//===-- Copies --------------------------------------------------------------------------------===//

/// Into the shared memory of these CTAs of the cluster, which get the bytes at their mbarriers.
static constexpr const char *multicast = ".multicast::cluster [$0], [$1, {{{1}}], [$2], $3;";

/// Copies an operand into a stage, box by box.
void Rings::copy(const Ring &ring, const TensorCopy &copy, tile::MatmulOpInterface product,
                 Value stage) {
  const Staging &staging = plan.staged.find(product)->second;
  const StagedOperand &operand = copy.isOfScales ? staging.scales(copy.isLhs)
                                 : copy.isLhs    ? staging.lhs
                                                 : staging.rhs;
  const TensorMap &map = plan.roles.maps[copy.map];
  tile::LoadViewOp load = copy.load;
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  const SmallVector<Value> first =
      maps.coordinatesOf(map, access, load.getIndex(), copy.rowDim, copy.part);
  Value base = b.add(b.mul(stage, b.i32(operand.bytes)), b.i32(operand.offset));
  if (copy.part.isMulticast())
    base = b.add(base, b.mul(b.rank(), b.i32(copy.part.distance)));
  Value full = barrierOf(ring, stage, /*isEmpty=*/false);
  if (plan.isPair())
    full = barriers.inFirstCta(full);
  const char *how = copy.part.isMulticast() ? multicast
                    : plan.isPair()         ? ".cta_group::2 [$0], [$1, {{{1}}], [$2];"
                                            : " [$0], [$1, {{{1}}], [$2];";
  const std::string text =
      std::string("cp.async.bulk.tensor.{0}d.shared::cluster.global.mbarrier::complete_tx::bytes") +
      how;
  maps.copyBoxes(map, copy.part.image, copy.rowDim, first, text.c_str(),
                 copy.part.isMulticast() ? "r,l,r,h" : "r,l,r",
                 [&](int64_t offset) -> SmallVector<Value> {
                   SmallVector<Value> operands = {barriers.addressAt(b.add(base, b.i32(offset))),
                                                  maps.addressOf(copy.map), full};
                   if (copy.part.isMulticast())
                     operands.push_back(b.constantBits(b.getIntegerType(16), allCtasOfCluster));
                   return operands;
                 });
}

void Rings::fill(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value stage = claim(product), state = states.lookup(product);
  // Those of a pair arrive at the barrier of the first CTA. They cannot arrive a phase early: the
  // stage is empty only when the multiplier has seen it full.
  b.branch(plan.isPair() ? b.isEqual(b.rank(), b.i32(0)) : Value(), [&] {
    const int64_t bytes = ring.bytes * (plan.isPair() ? plan.ctas : 1);
    b.instruction("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;",
                  {barrierOf(ring, stage, /*isEmpty=*/false), b.i32(bytes)}, "r,r");
  });
  for (const TensorCopy &each : ring.copies)
    atPlace(b, tile::LoadViewOp(each.load).getLoc(), [&] { copy(ring, each, product, stage); });
  advance(ring, state);
}
