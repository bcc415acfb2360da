// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic local memory (PTX ISA, 9.7.17): alloca, stacksave and stackrestore. Addresses are in the
// local space.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Frames.h"

#include <bit>

using namespace tilewright::ptx;

static Step stopForUndefined(Thread &thread, const Op &op) {
  thread.machine->report(Check::Undefined, thread, op, "the operand is not defined");
  thread.machine->isStopped = true;
  return Step::Stop;
}

template <typename T> static Step runAlloca(Thread &thread, const Op &op) {
  if (!thread.has<T>(op.in[0]))
    return stopForUndefined(thread, op);
  const auto address = allocateLocal(thread, op, thread.get<T>(op.in[0]), uint64_t(op.offset));
  if (!address)
    return Step::Stop;
  thread.put(op.d, T(*address), true);
  return Step::Next;
}

template <typename T> static Step runStackSave(Thread &thread, const Op &op) {
  thread.put(op.d, T(thread.local.size()), true);
  return Step::Next;
}

template <typename T> static Step runStackRestore(Thread &thread, const Op &op) {
  if (!thread.has<T>(op.in[0]))
    return stopForUndefined(thread, op);
  return restoreLocal(thread, op, thread.get<T>(op.in[0])) ? Step::Next : Step::Stop;
}

static bool decodeAlloca(Decoder &decoder) {
  Type type;
  uint64_t alignment = 8;
  if (!decoder.expectType(type, {Type::U32, Type::U64}) || !decoder.expectOperands(2, 3) ||
      !decoder.destination(decoder.operand(0), type, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]) ||
      (decoder.operandCount() == 3 && !decoder.integer(decoder.operand(2), alignment)))
    return false;
  if (!std::has_single_bit(alignment) || alignment > 1 << 23)
    return decoder.refuse("'" + decoder.name() + "': expected a power of two as alignment, found " +
                          std::to_string(alignment));
  decoder.op.offset = int64_t(alignment);
  return decoder.finish(type == Type::U32 ? runAlloca<uint32_t> : runAlloca<uint64_t>);
}

static bool decodeStackSave(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::U32, Type::U64}) && decoder.expectOperands(1) &&
         decoder.destination(decoder.operand(0), type, decoder.op.d) &&
         decoder.finish(type == Type::U32 ? runStackSave<uint32_t> : runStackSave<uint64_t>);
}

static bool decodeStackRestore(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::U32, Type::U64}) && decoder.expectOperands(1) &&
         decoder.source(decoder.operand(0), type, decoder.op.in[0]) &&
         decoder.finish(type == Type::U32 ? runStackRestore<uint32_t> : runStackRestore<uint64_t>);
}

std::span<const OpcodeRow> tilewright::ptx::stackOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"alloca", decodeAlloca},
      {"stacksave", decodeStackSave},
      {"stackrestore", decodeStackRestore},
  };
  return rows;
}
