// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Places.h.

#include "tilewright/ptx/async/Places.h"

using namespace tilewright::ptx;

bool PlaceList::address(const Operand &operand, Space space) {
  if (!decoder.address(operand, space, 0))
    return false;
  slots.push_back(decoder.op.in[0]);
  slots.push_back(decoder.constant(uint64_t(decoder.op.offset)));
  return true;
}

bool PlaceList::source(const Operand &operand, Type type) {
  return decoder.source(operand, type, slots.emplace_back());
}

bool PlaceList::finish(Handler handler) {
  decoder.op.list = decoder.addList(slots);
  return decoder.finish(handler);
}

Target tilewright::ptx::locateAt(Thread &thread, const Op &op, uint32_t number, Space space,
                                 uint64_t bytes, unsigned alignment) {
  Op access = op;
  access.space = space;
  access.offset = int64_t(thread.values[slotAt(thread, op, number + 1)]);
  return locateUnwatched(thread, access, slotAt(thread, op, number), unsigned(bytes), alignment);
}

MbarrierPlace tilewright::ptx::findMbarrierAt(Thread &thread, const Op &op, uint32_t number,
                                              Space space) {
  Op access = op;
  access.offset = int64_t(thread.values[slotAt(thread, op, number + 1)]);
  return findMbarrier(thread, access, slotAt(thread, op, number), space);
}

std::optional<uint32_t> tilewright::ptx::valueAt(Thread &thread, const Op &op, uint32_t number) {
  const uint32_t slot = slotAt(thread, op, number);
  if (thread.has<uint32_t>(slot))
    return thread.get<uint32_t>(slot);
  stop(thread, op, Check::Undefined, "an operand of an asynchronous operation is not defined");
  return std::nullopt;
}
