// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache hints (PTX ISA, 9.7.9.15 to 9.7.9.19): prefetch, createpolicy and applypriority have no
// visible effect; discard has one.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

static Step runNothing(Thread &, const Op &) { return Step::Next; }

/// Which memory has cache lines to prefetch? Tensor maps are in constant or parameter memory; only
/// lines of global memory have priorities.
static bool mayPrefetch(Decoder &decoder, Space space) {
  if (space == Space::Generic)
    return true;
  if (decoder.has("tensormap"))
    return space == Space::Const || space == Space::Param;
  return space == Space::Global || (space == Space::Local && decoder.firstOf({"L1", "L2"}));
}

static bool decodePrefetch(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  const bool isAllowed = mayPrefetch(decoder, space);
  const bool isKnown =
      decoder.takeOneOf({"tensormap", "L1", "L2", "L2::evict_last", "L2::evict_normal"})
          .has_value();
  if (!isAllowed || !isKnown)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return decoder.expectOperands(1) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.finish(runNothing);
}

/// Decodes prefetchu: a generic address, prefetched to the uniform cache.
static bool decodePrefetchUniform(Decoder &decoder) {
  return (decoder.takeOneOf({"L1", "L2"}) ||
          decoder.refuse("'" + decoder.name() + "' is not supported")) &&
         decoder.expectOperands(1) && decoder.address(decoder.operand(0), Space::Generic, 0) &&
         decoder.finish(runNothing);
}

//===-- Lines of the cache ------------------------------------------------------------------===//

static constexpr unsigned lineBytes = 128;

/// Acts as a weak write of undefined bytes: using them later is a finding, the discard is not.
static Step runDiscard(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], lineBytes, lineBytes);
  if (!target)
    return Step::Stop;
  for (unsigned at = 0; at < lineBytes; at += 8)
    if (!store(thread, op, {target.region, target.offset + at}, 8, {0, 0xFF}))
      return Step::Stop;
  for (unsigned at = 0; at < lineBytes; at += 8)
    target.region->define(target.offset + at, 8, 0);
  return Step::Next;
}

/// Takes `.global [a], 128`.
static bool takeLine(Decoder &decoder) {
  const Space space = decoder.take("global") ? Space::Global : Space::Generic;
  uint64_t size = 0;
  return decoder.expectOperands(2) && decoder.integer(decoder.operand(1), size) &&
         (size == lineBytes || decoder.refuse("'" + decoder.name() + "' is for 128 bytes")) &&
         decoder.address(decoder.operand(0), space, 0);
}

static bool decodeDiscard(Decoder &decoder) {
  return (decoder.take("L2") || decoder.refuse("'" + decoder.name() + "' names no .L2")) &&
         takeLine(decoder) && decoder.finish(runDiscard);
}

static bool decodePriority(Decoder &decoder) {
  return (decoder.take("L2::evict_normal") ||
          decoder.refuse("'" + decoder.name() + "' names no .L2::evict_normal")) &&
         takeLine(decoder) && decoder.finish(runNothing);
}

//===-- createpolicy ------------------------------------------------------------------------===//

/// A policy is opaque; here it is 0.
static Step runPolicy(Thread &thread, const Op &op) {
  thread.put(op.d, uint64_t(0), true);
  return Step::Next;
}

static void takePriorities(Decoder &decoder) {
  decoder.takeOneOf(
      {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"});
  decoder.takeOneOf({"L2::evict_unchanged", "L2::evict_first"});
}

/// Decodes `.range d, [a], primary, total`: an address and two sizes.
static bool decodeRangePolicy(Decoder &decoder) {
  const Space space = decoder.take("global") ? Space::Global : Space::Generic;
  takePriorities(decoder);
  uint32_t unused = 0;
  return decoder.take("b64") && decoder.expectOperands(4) &&
         decoder.destination(decoder.operand(0), Type::B64, decoder.op.d) &&
         decoder.address(decoder.operand(1), space, 0) &&
         decoder.source(decoder.operand(2), Type::U32, unused) &&
         decoder.source(decoder.operand(3), Type::U32, unused) && decoder.finish(runPolicy);
}

/// Decodes `.cvt.L2 d, properties`, which converts an access property made by CUDA.
static bool decodeConvertedPolicy(Decoder &decoder) {
  uint32_t unused = 0;
  return decoder.take("L2") && decoder.take("b64") && decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), Type::B64, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::B64, unused) && decoder.finish(runPolicy);
}

static bool decodePolicy(Decoder &decoder) {
  if (decoder.take("range"))
    return decodeRangePolicy(decoder);
  if (decoder.take("cvt"))
    return decodeConvertedPolicy(decoder);
  if (!decoder.take("fractional"))
    return decoder.refuse("'" + decoder.name() + "' has none of .fractional, .range, .cvt");
  takePriorities(decoder);
  uint32_t unused = 0;
  return decoder.take("b64") && decoder.expectOperands(1, 2) &&
         decoder.destination(decoder.operand(0), Type::B64, decoder.op.d) &&
         (decoder.operandCount() == 1 || decoder.source(decoder.operand(1), Type::F32, unused)) &&
         decoder.finish(runPolicy);
}

std::span<const OpcodeRow> tilewright::ptx::cacheOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"prefetch", decodePrefetch},   {"prefetchu", decodePrefetchUniform},
      {"discard", decodeDiscard},     {"applypriority", decodePriority},
      {"createpolicy", decodePolicy},
  };
  return rows;
}
