// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// st.async and red.async to shared memory (PTX ISA, 9.7.9.12 and 9.7.13.8; GlobalStores.cpp has
// those to global memory): a thread writes to the shared memory of a CTA of its cluster, and an
// mbarrier there counts the bytes. Unlike for bulk copies, the manual does not mention the async
// proxy, so no proxy fence is required.

#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

// The list: destination, mbarrier, values. op.bytes is the size of an element; op.mode the number
// of the reduction, plus 1.
static constexpr uint32_t destinationAt = 0, mbarrierPlace = 2, valuesAt = 4;

static Step runRemote(Thread &thread, const Op &op) {
  const uint32_t count = op.list.count - valuesAt;
  const unsigned size = op.bytes * count;
  const Target target = locateAt(thread, op, destinationAt, Space::Cluster, size, size);
  const MbarrierPlace place =
      target ? findMbarrierAt(thread, op, mbarrierPlace, Space::Cluster) : MbarrierPlace();
  if (!place)
    return Step::Stop;
  if (target.region != place.target.region) {
    stop(thread, op, Check::Mbarrier,
         "the mbarrier is in the shared memory of another CTA than the destination");
    return Step::Stop;
  }
  const Completion completion = beginOperation(*target.region, *place.barrier);
  Operation operation(thread, op, Proxy::Generic);
  const bool isReduction = op.mode != 0;
  if (!operation.writes(target, size, completion, isReduction ? Scope::Cluster : Scope::Weak))
    return Step::Stop;
  Region &region = *target.region;
  const std::span<const uint32_t> values(&thread.code->slots[op.list.first + valuesAt], count);
  thread.machine->eventQueue.add(
      *thread.cta->cluster,
      [origin = Origin(thread, op), &region, to = target.offset, at = place.target.offset,
       mode = op.mode, completion, bytes = gatherBytes(thread, values, op.bytes)] {
        if (mode)
          combineBytes(region, to, bytes, 0, bytes.size(), reduction(mode - 1));
        else
          writeBytes(region, to, bytes, 0, bytes.size());
        endOperation(origin, region, at, completion.clock, int64_t(bytes.size()));
      });
  return Step::Next;
}

static bool takeOperands(Decoder &decoder, Type type) {
  PlaceList places(decoder);
  if (!decoder.expectOperands(3) || !places.address(decoder.operand(0), Space::Cluster) ||
      !places.address(decoder.operand(2), Space::Cluster))
    return false;
  const Operand &value = decoder.operand(1);
  if (value.kind != OperandKind::Vector)
    return places.source(value, type) && places.finish(runRemote);
  for (const Operand &part : value.parts)
    if (!places.source(part, type))
      return false;
  return places.finish(runRemote);
}

/// Stores to shared memory have an mbarrier.
static bool isRemote(const Decoder &decoder) { return decoder.has("mbarrier::complete_tx::bytes"); }

bool tilewright::ptx::decodeAsyncStore(Decoder &decoder) {
  if (!isRemote(decoder))
    return decodeGlobalAsyncStore(decoder);
  decoder.take("mbarrier::complete_tx::bytes");
  decoder.take("weak");
  decoder.take("shared::cluster");
  const auto vector = decoder.takeOneOf({"v2", "v4"});
  Type type;
  if (!decoder.expectType(type, {Type::B32, Type::B64, Type::U32, Type::U64, Type::S32, Type::S64,
                                 Type::F32, Type::F64}) ||
      !decoder.expectOperands(3))
    return false;
  const size_t count = vector ? size_t(2) << *vector : 1;
  const Operand &value = decoder.operand(1);
  const size_t given = value.kind == OperandKind::Vector ? value.parts.size() : 1;
  if (given != count)
    return decoder.refuse("'" + decoder.name() + "': expected a vector of " +
                          std::to_string(count) + ", found one of " + std::to_string(given));
  decoder.op.bytes = uint8_t(bytesOf(type));
  if (count * decoder.op.bytes > 16)
    return decoder.refuse("'" + decoder.name() + "' is not supported: a vector of " +
                          std::to_string(count * decoder.op.bytes) + " bytes");
  return takeOperands(decoder, type);
}

bool tilewright::ptx::decodeAsyncReduction(Decoder &decoder) {
  if (!isRemote(decoder))
    return decodeGlobalAsyncReduction(decoder);
  decoder.take("mbarrier::complete_tx::bytes");
  decoder.take("shared::cluster");
  const bool isKnown = decoder.take("relaxed") && decoder.take("cluster");
  Type type;
  const auto number = takeAsyncReduction(decoder, type);
  if (!isKnown || !number)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = *number + 1;
  decoder.op.bytes = uint8_t(bytesOf(type));
  return takeOperands(decoder, type);
}
