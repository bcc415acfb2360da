// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorMaps.h. Also tensormap.replace and tensormap.cp_fenceproxy (PTX ISA, 9.7.9.28 and
// 9.7.13.16).

#include "tilewright/ptx/async/TensorMaps.h"
#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"
#include "tilewright/ptx/machine/Rendezvous.h"

#include <algorithm>

using namespace tilewright::ptx;

//===-- The tensormap proxy -----------------------------------------------------------------===//

void tilewright::ptx::acquireTensorMap(Thread &thread, Target target) {
  auto &acquires = thread.cta->tensorMaps[target.region->base + target.offset];
  const TensorMapAcquire now{thread.number, thread.clock,
                             join({thread.now()}, thread.cta->threadCount())};
  thread.advance();
  const auto own = std::ranges::find(acquires, thread.number, &TensorMapAcquire::thread);
  if (own == acquires.end())
    acquires.push_back(now);
  else if (thread.machine->shadowOf(*target.region)
               .findUnobservedWrite(target.offset, tensorMapBytes, own->vectorClock.get()))
    *own = now; // the new acquire includes the older one
}

/// A write to the map that is not covered by an acquire that happens before this use. The acquire
/// may be by any thread of the CTA: a proxy fence anywhere between the write and the use is enough
/// (PTX ISA, 8, causality order).
static std::optional<Epoch> findInvisibleWrite(const Thread &thread, Target target) {
  Shadow &shadow = thread.machine->shadowOf(*target.region);
  const auto findInvisible = [&](const VectorClock *vectorClock) {
    return shadow.findUnobservedWrite(target.offset, tensorMapBytes, vectorClock);
  };
  const auto acquires = thread.cta->tensorMaps.find(target.region->base + target.offset);
  if (acquires != thread.cta->tensorMaps.end())
    for (const TensorMapAcquire &acquire : acquires->second) {
      const bool isBefore =
          acquire.thread == thread.number ||
          (thread.vectorClock &&
           thread.vectorClock->has(thread.cta->number, acquire.thread, acquire.clock));
      if (isBefore && !findInvisible(acquire.vectorClock.get()))
        return std::nullopt;
    }
  return findInvisible(nullptr);
}

static void checkProxy(Thread &thread, const Op &op, Target target) {
  if (target.region->space != Space::Global || !thread.machine->checks.has(Check::ProxyFence))
    return;
  const auto write = findInvisibleWrite(thread, target);
  if (!write)
    return;
  uint64_t offset = 0;
  const std::string memory = describe(thread, target, offset);
  thread.machine->report(Check::ProxyFence, thread, op,
                         "the tensor map at byte " + std::to_string(offset) + " of " + memory +
                             " is used, and no fence.proxy.tensormap::generic.acquire in front "
                             "of it has shown what was written there",
                         {{write->site, "the write"}}, memory);
}

static std::optional<TensorMapBytes> readMapBytes(Thread &thread, const Op &op, Target target) {
  TensorMapBytes bytes;
  for (unsigned at = 0; at < tensorMapBytes; at += 8) {
    const Loaded loaded = load(thread, op, {target.region, target.offset + at}, 8);
    if (loaded.defined != 0xFF) {
      stop(thread, op, Check::Undefined, "the tensor map is not defined");
      return std::nullopt;
    }
    std::memcpy(bytes.data() + at, &loaded.bits, 8);
  }
  return bytes;
}

/// Checks the state space of a map. False after a finding.
static bool checkSpace(Thread &thread, const Op &op, Target target,
                       std::initializer_list<Space> allowed, std::string_view names) {
  const Space space = target.region->space;
  if (std::ranges::find(allowed, space) != allowed.end())
    return true;
  stop(thread, op, Check::TensorMap,
       "the tensor map is in " + std::string(nameOf(space)) + " memory, and belongs into " +
           std::string(names));
  return false;
}

std::optional<TensorMap> tilewright::ptx::readTensorMap(Thread &thread, const Op &op, Target target,
                                                        unsigned rank) {
  if (!checkSpace(thread, op, target, {Space::Param, Space::Const, Space::Global},
                  ".param, .const or .global"))
    return std::nullopt;
  checkProxy(thread, op, target);
  const auto bytes = readMapBytes(thread, op, target);
  if (!bytes)
    return std::nullopt;
  const auto map = decodeTensorMap(*bytes);
  std::optional<std::string> error =
      map ? map->findError() : "the " + std::to_string(tensorMapBytes) + " bytes are none";
  if (!error && map->rank != rank)
    error = "it has " + std::to_string(map->rank) + " dimensions, and the instruction " +
            std::to_string(rank);
  if (!error)
    return map;
  stop(thread, op, Check::TensorMap, "tensor map: " + *error);
  return std::nullopt;
}

//===-- tensormap.replace -------------------------------------------------------------------===//

/// Initialises a new map: 128 zero bytes become a map whose fields are all zero, because kernels
/// that build a map start from zero bytes.
static bool beginMap(Thread &thread, const Op &op, Target target) {
  const Region &region = *target.region;
  for (unsigned at = 0; at < tensorMapBytes; at += 8)
    if (region.load(target.offset + at, 8) != 0 || region.definedAt(target.offset + at) != 0xFF)
      return true;
  return store(thread, op, target, sizeof tensorMapMark, {tensorMapMark, 0xF});
}

// op.bytes is the size of the value in the map, op.mode its offset; op.in[1] is the number of the
// dimension, if there is one, op.in[2] the value.
static Step runReplace(Thread &thread, const Op &op) {
  const Target target = locateUnwatched(thread, op, op.in[0], tensorMapBytes, 64);
  if (!target ||
      !checkSpace(thread, op, target, {Space::Global, Space::Shared}, ".global or .shared::cta"))
    return Step::Stop;
  const uint64_t dim = op.in[1] == noSlot ? 0 : thread.values[op.in[1]];
  const uint64_t offset = target.offset + op.mode + dim * op.bytes;
  return beginMap(thread, op, target) && store(thread, op, {target.region, offset}, op.bytes,
                                               {thread.values[op.in[2]], thread.defined[op.in[2]]})
             ? Step::Next
             : Step::Stop;
}

/// The dimension must be a constant.
static bool takeDimension(Decoder &decoder, const TensorMapField &field) {
  uint64_t dim = 0;
  if (!decoder.integer(decoder.operand(1), dim))
    return false;
  if (dim >= field.count)
    return decoder.refuse("'" + decoder.name() + "': there is no dimension " + std::to_string(dim));
  decoder.op.in[1] = decoder.constant(dim);
  return true;
}

static bool decodeReplace(Decoder &decoder) {
  const TensorMapField *field = nullptr;
  for (std::string_view name :
       {"global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride",
        "elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode"})
    if (decoder.take(name))
      field = findTensorMapField(name);
  const auto space = decoder.takeOneOf({"global", "shared::cta"});
  if (!field || !decoder.take("tile") || !decoder.take("b1024"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const Type type = field->bytes == 8 ? Type::B64 : Type::B32;
  if (!decoder.take(type == Type::B64 ? "b64" : "b32"))
    return decoder.refuse("'" + decoder.name() + "' has the wrong type");
  const bool hasDimension = field->count > 1;
  decoder.op.bytes = field->bytes;
  decoder.op.mode = field->offset;
  return decoder.expectOperands(2 + hasDimension) &&
         decoder.address(decoder.operand(0),
                         !space        ? Space::Generic
                         : *space == 0 ? Space::Global
                                       : Space::Shared,
                         0) &&
         (!hasDimension || takeDimension(decoder, *field)) &&
         decoder.source(decoder.operand(1 + hasDimension), type, decoder.op.in[2]) &&
         decoder.finish(runReplace);
}

//===-- tensormap.cp_fenceproxy -------------------------------------------------------------===//

/// The manual does not say which lane reads what. Here each even lane reads 8 bytes, so these reads
/// must be ordered after the writes that made the map; the first lane writes all of it and releases
/// the write.
static bool copyMap(Warp &warp, uint32_t) {
  Thread &thread = *warp.threads.front();
  const Op &op = *thread.waitOp;
  const Target source = locateAt(thread, op, 2, Space::Shared, tensorMapBytes, 128);
  const Target target =
      source ? locateAt(thread, op, 0, Space::Global, tensorMapBytes, 128) : Target();
  if (!target)
    return false;
  const Strength strength{Scope(op.mode & scopeBits), false, true, false};
  for (unsigned at = 0; at < tensorMapBytes; at += 8) {
    Thread &reader = *warp.threads[at / 4];
    const Loaded word = load(reader, op, {source.region, source.offset + at}, 8);
    if (!store(thread, op, {target.region, target.offset + at}, 8, word, strength))
      return false;
  }
  return true;
}

static bool decodeCopy(Decoder &decoder) {
  if (!decoder.take("global") || !decoder.take("shared::cta") ||
      !decoder.take("tensormap::generic") || !decoder.take("release") || !decoder.take("sync") ||
      !decoder.take("aligned"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const Scope scope = takeScope(decoder, Scope::Weak);
  if (scope == Scope::Weak)
    return decoder.refuse("'" + decoder.name() + "' has no scope");
  decoder.op.mode = uint32_t(scope);
  decoder.op.collective = copyMap;
  uint64_t size = 0;
  PlaceList places(decoder);
  return decoder.expectOperands(3) && places.address(decoder.operand(0), Space::Global) &&
         places.address(decoder.operand(1), Space::Shared) &&
         decoder.integer(decoder.operand(2), size) &&
         (size == tensorMapBytes || decoder.refuse("'" + decoder.name() + "' is for 128 bytes")) &&
         places.finish(waitForWarp);
}

static bool decodeTensorMapOpcode(Decoder &decoder) {
  if (decoder.take("replace"))
    return decodeReplace(decoder);
  if (decoder.take("cp_fenceproxy"))
    return decodeCopy(decoder);
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

std::span<const OpcodeRow> tilewright::ptx::tensorMapOpcodes() {
  static constexpr OpcodeRow rows[] = {{"tensormap", decodeTensorMapOpcode}};
  return rows;
}
