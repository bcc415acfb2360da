// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// st.async and red.async (PTX ISA, 9.7.9.12 and 9.7.13.8): a thread writes to the shared memory of
// a CTA of its cluster, and an mbarrier there counts the bytes. The manual does not put them into
// the async proxy, as it does with bulk copies, so no proxy fence is asked for.

#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

// The list: destination, mbarrier, values. op.bytes is the size of an element; op.mode the number
// of the reduction, plus 1.
static constexpr uint32_t destinationAt = 0, mbarrierPlace = 2, valuesAt = 4;

static Bytes gather(const Thread &thread, const Op &op, uint32_t count) {
  Bytes bytes(op.bytes * count);
  for (uint32_t part = 0; part < count; ++part) {
    const uint32_t slot = slotAt(thread, op, valuesAt + part);
    std::memcpy(bytes.values.data() + part * op.bytes, &thread.values[slot], op.bytes);
    for (unsigned byte = 0; byte < op.bytes; ++byte)
      bytes.defined[part * op.bytes + byte] = thread.defined[slot] >> byte & 1;
  }
  return bytes;
}

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
  thread.machine->agenda.add(*thread.cta->cluster, [origin = Origin(thread, op), &region,
                                                    to = target.offset, at = place.target.offset,
                                                    mode = op.mode, completion,
                                                    bytes = gather(thread, op, count)] {
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

bool tilewright::ptx::decodeAsyncStore(Decoder &decoder) {
  decoder.take("weak");
  decoder.take("shared::cluster");
  const auto vector = decoder.takeOneOf({"v2", "v4"});
  Type type;
  if (!decoder.take("mbarrier::complete_tx::bytes"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
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
  return takeOperands(decoder, type);
}

bool tilewright::ptx::decodeAsyncReduction(Decoder &decoder) {
  decoder.take("shared::cluster");
  static constexpr std::string_view names[] = {"inc", "dec", "min", "max",
                                               "add", "and", "or",  "xor"};
  const bool isKnown = decoder.take("relaxed") && decoder.take("cluster") &&
                       decoder.take("mbarrier::complete_tx::bytes");
  const auto operation = decoder.takeOneOf({"inc", "dec", "min", "max", "add", "and", "or", "xor"});
  const auto type = decoder.takeType();
  if (!isKnown || !operation || !type)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const auto number = findReduction(names[*operation], *type);
  const bool isWide = bytesOf(*type) == 8 && !(names[*operation] == "add" && *type == Type::U64);
  if (!number || isFloat(*type) || isWide)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = *number + 1;
  decoder.op.bytes = uint8_t(bytesOf(*type));
  return takeOperands(decoder, *type);
}
