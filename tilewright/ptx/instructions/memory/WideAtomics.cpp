// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on 128 bits (PTX ISA, 9.7.13.6): atom.exch.b128 and atom.cas.b128.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

namespace {
struct Wide {
  uint64_t words[2];
  uint8_t defined[2];

  bool operator==(const Wide &other) const {
    return words[0] == other.words[0] && words[1] == other.words[1];
  }
  bool isDefined() const { return defined[0] == 0xFF && defined[1] == 0xFF; }
};
} // namespace

static constexpr unsigned wideBytes = 16;

static Wide read(const Thread &thread, SlotList list) {
  const uint32_t *slots = &thread.code->slots[list.first];
  return {{thread.values[slots[0]], thread.values[slots[1]]},
          {thread.defined[slots[0]], thread.defined[slots[1]]}};
}

static Wide readMemory(const Region &region, uint64_t offset) {
  return {{region.load(offset, 8), region.load(offset + 8, 8)},
          {region.definedAt(offset), region.definedAt(offset + 8)}};
}

static void writeMemory(Region &region, uint64_t offset, const Wide &value) {
  for (unsigned half = 0; half < 2; ++half) {
    region.store(offset + 8 * half, 8, value.words[half]);
    region.define(offset + 8 * half, 8, value.defined[half]);
  }
}

/// op.list is the old value, op.list2 the new one, op.list3 the comparand of cas.
static Step runWideAtomic(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], wideBytes, wideBytes);
  const Strength strength = strengthOf(op.mode);
  if (!target || !beginUpdate(thread, op, target, wideBytes, strength))
    return Step::Stop;
  const Wide old = readMemory(*target.region, target.offset);
  Wide value = read(thread, op.list2);
  if (op.list3.count) {
    const Wide expected = read(thread, op.list3);
    const bool isKnown = old.isDefined() && expected.isDefined();
    value = old == expected ? value : old;
    if (!isKnown)
      value.defined[0] = value.defined[1] = 0;
  }
  for (unsigned half = 0; half < 2; ++half)
    checkValue(thread, op, {target.region, target.offset + 8 * half}, 8, value.defined[half]);
  writeMemory(*target.region, target.offset, value);
  endUpdate(thread, target, strength);
  for (unsigned half = 0; half < 2; ++half) {
    const uint32_t slot = thread.code->slots[op.list.first + half];
    thread.values[slot] = old.words[half];
    thread.defined[slot] = old.defined[half];
  }
  return Step::Next;
}

bool tilewright::ptx::decodeWideAtomic(Decoder &decoder, Space space) {
  const bool isCas = decoder.take("cas");
  Op &op = decoder.op;
  if ((!isCas && !decoder.take("exch")) || !decoder.take("b128"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return takeCachePolicy(decoder, isCas ? 4 : 3) && decoder.wide(decoder.operand(0), op.list) &&
         decoder.address(decoder.operand(1), space, 0) &&
         decoder.wide(decoder.operand(isCas ? 3 : 2), op.list2) &&
         (!isCas || decoder.wide(decoder.operand(2), op.list3)) && decoder.finish(runWideAtomic);
}
