// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences beyond threads of the generic proxy (PTX ISA, 9.7.13.4): proxy fences, fences of
// initialised mbarriers, one-directional fences.

#include "tilewright/ptx/async/TensorMaps.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"
#include "tilewright/ptx/machine/Asynchrony.h"

using namespace tilewright::ptx;

static Step runNothing(Thread &, const Op &) { return Step::Next; }

//===-- The async proxy ---------------------------------------------------------------------===//

// op.mode: 1 for shared, 2 for global memory.
static Step runAsyncProxyFence(Thread &thread, const Op &op) {
  fenceAsyncProxy(thread, op.mode & 1, op.mode & 2);
  return Step::Next;
}

static bool decodeAsyncProxy(Decoder &decoder) {
  const auto space = decoder.takeOneOf({"global", "shared::cta", "shared::cluster", "shared"});
  decoder.op.mode = !space ? 3 : *space == 0 ? 2 : 1;
  return decoder.expectOperands(0) && decoder.finish(runAsyncProxyFence);
}

/// `.async::generic.acquire.sync_restrict::shared::cluster.cluster`, and `.release` with
/// `shared::cta`: one-directional fences between the generic and the async proxy, for shared
/// memory. Here they are as strong as both directions.
static Step runAsyncOneWay(Thread &thread, const Op &) {
  fence(thread, Scope::Cluster);
  fenceAsyncProxy(thread, /*shared=*/true, /*global=*/false);
  return Step::Next;
}

static bool decodeAsyncOneWay(Decoder &decoder) {
  const bool isAcquire = decoder.take("acquire");
  const bool isKnown = isAcquire
                           ? decoder.take("sync_restrict::shared::cluster")
                           : decoder.take("release") && decoder.take("sync_restrict::shared::cta");
  if (!isKnown || !decoder.take("cluster"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return decoder.expectOperands(0) && decoder.finish(runAsyncOneWay);
}

//===-- The tensormap proxy -----------------------------------------------------------------===//

/// A release is an ordinary fence; the map is read after an acquire at its address.
static Step runTensorMapRelease(Thread &thread, const Op &op) {
  fence(thread, Scope(op.mode & scopeBits));
  return Step::Next;
}

/// A null pointer stands for no map: warps without a map execute the fence of those that have one.
static bool isNull(const Thread &thread, const Op &op) {
  return thread.has<uint64_t>(op.in[0]) && thread.values[op.in[0]] + uint64_t(op.offset) == 0;
}

static Step runTensorMapAcquire(Thread &thread, const Op &op) {
  if (isNull(thread, op)) {
    fence(thread, Scope(op.mode & scopeBits));
    return Step::Next;
  }
  const Target target = locateUnwatched(thread, op, op.in[0], 128, 64);
  if (!target)
    return Step::Stop;
  const Strength strength{Scope(op.mode & scopeBits), true, false, false};
  for (unsigned at = 0; at < 128; at += 8)
    load(thread, op, {target.region, target.offset + at}, 8, strength);
  fence(thread, strength.scope);
  acquireTensorMap(thread, target);
  return Step::Next;
}

static bool decodeTensorMapProxy(Decoder &decoder) {
  const bool isAcquire = decoder.take("acquire");
  if (!isAcquire && !decoder.take("release"))
    return decoder.refuse("'" + decoder.name() + "' has none of .acquire, .release");
  const Scope scope = takeScope(decoder, Scope::Weak);
  decoder.op.mode = uint32_t(scope);
  if (scope == Scope::Weak)
    return decoder.refuse("'" + decoder.name() + "' has no scope");
  if (!isAcquire)
    return decoder.expectOperands(0) && decoder.finish(runTensorMapRelease);
  uint64_t size = 0;
  return decoder.expectOperands(2) && decoder.integer(decoder.operand(1), size) &&
         (size == 128 || decoder.refuse("'" + decoder.name() + "' is for 128 bytes")) &&
         decoder.address(decoder.operand(0), Space::Generic, 0) &&
         decoder.finish(runTensorMapAcquire);
}

//===-- mbarrier.init -----------------------------------------------------------------------===//

static Step runInitFence(Thread &thread, const Op &) {
  Cta &cta = *thread.cta;
  if (!thread.initAgent)
    thread.initAgent = cta.addAgent();
  thread.initVectorClock = withClock(nullptr, cta.number, thread.initAgent, thread.clock);
  thread.vectorClock = join(thread.vectorClock, thread.initVectorClock);
  thread.advance();
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool decodeProxy(Decoder &decoder) {
  if (decoder.take("proxy::async") || decoder.take("async"))
    return decodeAsyncProxy(decoder);
  if (decoder.take("async::generic"))
    return decodeAsyncOneWay(decoder);
  if (decoder.take("alias")) // memory has only one address here
    return decoder.expectOperands(0) && decoder.finish(runNothing);
  if (decoder.take("tensormap::generic"))
    return decodeTensorMapProxy(decoder);
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

static Step runOneWay(Thread &thread, const Op &op) {
  fence(thread, Scope(op.mode & scopeBits));
  return Step::Next;
}

/// `fence.acquire.gpu`: as strong as both directions. `.sync_restrict` limits what must be ordered;
/// here the fence orders everything.
static bool decodeOneWay(Decoder &decoder, bool isAcquire) {
  const bool isRestricted =
      decoder.take(isAcquire ? "sync_restrict::shared::cluster" : "sync_restrict::shared::cta");
  const Scope scope = takeScope(decoder, Scope::Weak);
  decoder.op.mode = uint32_t(scope);
  if (scope == Scope::Weak)
    return decoder.refuse("'" + decoder.name() + "' has no scope");
  if (isRestricted && scope != Scope::Cluster)
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: .sync_restrict has the scope .cluster");
  return decoder.expectOperands(0) && decoder.finish(runOneWay);
}

bool tilewright::ptx::decodeOtherFence(Decoder &decoder) {
  if (decoder.take("proxy"))
    return decodeProxy(decoder);
  if (decoder.take("mbarrier_init"))
    return decoder.take("release") && decoder.take("cluster") && decoder.expectOperands(0) &&
           decoder.finish(runInitFence);
  if (const auto way = decoder.takeOneOf({"acquire", "release"}))
    return decodeOneWay(decoder, /*isAcquire=*/*way == 0);
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}
