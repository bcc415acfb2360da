// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register moves (PTX ISA, 9.7.9): mov with vectors, addresses and special registers; cvta and
// isspacep, which use the windows of the address space.

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Cluster.h"

using namespace tilewright::ptx;

static Step runMove(Thread &thread, const Op &op) {
  thread.values[op.d] = thread.values[op.in[0]];
  thread.defined[op.d] = thread.defined[op.in[0]];
  return Step::Next;
}

/// Packs the elements, the first in the lowest bits.
static Step runPack(Thread &thread, const Op &op) {
  uint64_t value = 0;
  uint8_t defined = 0;
  const uint8_t mask = uint8_t((1u << op.bytes) - 1);
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list.first + part];
    value |= thread.values[slot] << (8 * op.bytes * part);
    defined |= uint8_t((thread.defined[slot] & mask) << (op.bytes * part));
  }
  thread.values[op.d] = value;
  thread.defined[op.d] = defined;
  return Step::Next;
}

static Step runUnpack(Thread &thread, const Op &op) {
  const uint64_t value = thread.values[op.in[0]];
  const uint8_t defined = thread.defined[op.in[0]];
  const uint64_t mask = (uint64_t(1) << (8 * op.bytes)) - 1;
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list.first + part];
    thread.values[slot] = value >> (8 * op.bytes * part) & mask;
    thread.defined[slot] = uint8_t(defined >> (op.bytes * part));
  }
  return Step::Next;
}

static Type bitsOf(unsigned bytes) {
  return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::B64;
}

/// Decodes `mov.b64 %rd1, {%r1, %r2}` and its inverse.
static bool decodeVectorMove(Decoder &decoder, Type type) {
  const bool isPack = decoder.operand(1).kind == OperandKind::Vector;
  const Operand &vector = decoder.operand(isPack ? 1 : 0);
  const size_t count = vector.parts.size();
  if ((count != 2 && count != 4) || bytesOf(type) < count || bytesOf(type) > 8)
    return decoder.refuse("'" + decoder.name() + "': a vector of " + std::to_string(count) +
                          " does not fit");
  const Type part = bitsOf(unsigned(bytesOf(type) / count));
  decoder.op.bytes = uint8_t(bytesOf(part));
  if (isPack)
    return decoder.destination(decoder.operand(0), type, decoder.op.d) &&
           decoder.sources(vector, part, count, decoder.op.list) && decoder.finish(runPack);
  return decoder.destinations(vector, part, count, decoder.op.list) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) && decoder.finish(runUnpack);
}

//===-- 128 bits ----------------------------------------------------------------------------===//

/// Moves the parts of op.list2 to those of op.list; both have 128 bits.
static Step runWideMove(Thread &thread, const Op &op) {
  uint64_t words[2] = {};
  unsigned defined = 0;
  const unsigned from = 16 / op.list2.count, to = 16 / op.list.count;
  const auto mask = [](unsigned bytes) {
    return bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * bytes)) - 1;
  };
  for (uint32_t part = 0; part < op.list2.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list2.first + part];
    const unsigned at = part * from;
    words[at / 8] |= (thread.values[slot] & mask(from)) << (8 * (at % 8));
    defined |= (thread.defined[slot] & ((1u << from) - 1)) << at;
  }
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list.first + part];
    const unsigned at = part * to;
    thread.values[slot] = words[at / 8] >> (8 * (at % 8)) & mask(to);
    thread.defined[slot] = uint8_t(defined >> at & ((1u << to) - 1));
  }
  return Step::Next;
}

/// Decodes `mov.b128 %q, {%rd1, %rd2}`, its inverse, and moves between 128-bit registers.
static bool decodeWideMove(Decoder &decoder) {
  const auto take = [&](const Operand &operand, bool isSource, SlotList &list) {
    if (operand.kind != OperandKind::Vector)
      return decoder.wide(operand, list);
    const size_t count = operand.parts.size();
    if (count != 2 && count != 4)
      return decoder.refuse("'" + decoder.name() + "': a vector of " + std::to_string(count) +
                            " does not fit");
    const Type part = count == 2 ? Type::B64 : Type::B32;
    return isSource ? decoder.sources(operand, part, count, list)
                    : decoder.destinations(operand, part, count, list);
  };
  return take(decoder.operand(0), false, decoder.op.list) &&
         take(decoder.operand(1), true, decoder.op.list2) && decoder.finish(runWideMove);
}

//===-- Special registers of several dimensions ---------------------------------------------===//

/// Decodes `mov.v4.u32 {a, b, c, d}, %tid`: x, y, z, and 0.
static bool decodeVectorOfSpecial(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::U16, Type::U32}) || !decoder.expectOperands(2))
    return false;
  const Operand &from = decoder.operand(1);
  if (from.kind != OperandKind::Special)
    return decoder.refuse("'" + decoder.name() + "': expected a special register of 4 elements");
  std::vector<uint32_t> slots;
  for (const char *element : {".x", ".y", ".z"}) {
    const std::string name = std::string(from.name) + element;
    Operand part{OperandKind::Special, from.place};
    part.name = name;
    if (!decoder.source(part, type, slots.emplace_back()))
      return false;
  }
  slots.push_back(decoder.constant(0));
  decoder.op.bytes = uint8_t(bytesOf(type));
  decoder.op.list2 = decoder.addList(slots);
  return decoder.destinations(decoder.operand(0), type, 4, decoder.op.list) &&
         decoder.finish([](Thread &thread, const Op &op) {
           const uint32_t *to = &thread.code->slots[op.list.first];
           const uint32_t *from = &thread.code->slots[op.list2.first];
           for (unsigned part = 0; part < 4; ++part)
             thread.put(to[part],
                        op.bytes == 2 ? uint64_t(uint16_t(thread.values[from[part]]))
                                      : uint64_t(uint32_t(thread.values[from[part]])),
                        true);
           return Step::Next;
         });
}

//===-- Special registers that change -------------------------------------------------------===//

/// The clock counts the machine's steps. They are updated after each time slice, so each reading
/// adds one: a later reading is always larger.
static Step runClock(Thread &thread, const Op &op) {
  uint64_t now = thread.machine->steps + ++thread.machine->clockReadings;
  if (op.mode)
    now >>= 32;
  thread.put(op.d, op.width == 4 ? now & 0xFFFFFFFF : now, true);
  return Step::Next;
}

static bool isClock(std::string_view name) {
  return name == "%clock" || name == "%clock64" || name == "%clock_hi" || name == "%globaltimer" ||
         name == "%globaltimer_lo" || name == "%globaltimer_hi";
}

static bool decodeMov(Decoder &decoder) {
  Type type;
  if (decoder.take("v4"))
    return decodeVectorOfSpecial(decoder);
  if (decoder.take("b128"))
    return decoder.expectOperands(2) && decodeWideMove(decoder);
  if (!decoder.expectType(type,
                          {Type::Pred, Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,
                           Type::U64, Type::S16, Type::S32, Type::S64, Type::F32, Type::F64}) ||
      !decoder.expectOperands(2))
    return false;
  const Operand &from = decoder.operand(1);
  if (from.kind == OperandKind::Vector || decoder.operand(0).kind == OperandKind::Vector)
    return decodeVectorMove(decoder, type);
  if (!decoder.destination(decoder.operand(0), type, decoder.op.d))
    return false;
  if (from.kind == OperandKind::Special && isClock(from.name)) {
    decoder.op.mode = from.name.ends_with("_hi");
    return decoder.finish(runClock);
  }
  if (from.kind == OperandKind::Function) {
    const uint32_t number = decoder.module.resolve(from.index);
    decoder.op.in[0] = decoder.constant(codeWindow + 16 * uint64_t(number));
    decoder.addFunction(number);
    return decoder.finish(runMove);
  }
  return decoder.source(from, type, decoder.op.in[0]) && decoder.finish(runMove);
}

//===-- Windows -----------------------------------------------------------------------------===//

static uint64_t windowOf(Space space) {
  return space == Space::Shared || space == Space::Cluster ? sharedWindow
         : space == Space::Local                           ? localWindow
         : space == Space::Param                           ? parameterWindow
                                                           : 0;
}

/// A generic address stays unchanged.
static Step runCvta(Thread &thread, const Op &op) {
  const uint64_t window = windowOf(op.space);
  uint64_t address = thread.values[op.in[0]];
  if (op.mode)
    address -= window;
  else if (address - window >= windowBytes)
    address += window;
  thread.values[op.d] = op.width == 4 ? uint32_t(address) : address;
  thread.defined[op.d] = thread.defined[op.in[0]];
  return Step::Next;
}

static std::optional<Space> takeSpace(Decoder &decoder) {
  static constexpr Space spaces[] = {Space::Global,  Space::Const, Space::Shared, Space::Shared,
                                     Space::Cluster, Space::Local, Space::Param,  Space::Param};
  const auto found = decoder.takeOneOf({"global", "const", "shared", "shared::cta",
                                        "shared::cluster", "local", "param", "param::entry"});
  return found ? std::optional(spaces[*found]) : std::nullopt;
}

static bool decodeCvta(Decoder &decoder) {
  decoder.op.mode = decoder.take("to");
  const auto space = takeSpace(decoder);
  Type type;
  if (!space)
    return decoder.refuse("'" + decoder.name() + "' is not supported: it names no state space");
  decoder.op.space = *space;
  return decoder.expectType(type, {Type::U64, Type::U32}) &&
         (type == Type::U64 || decoder.refuse("'" + decoder.name() +
                                              "' is not supported: "
                                              "addresses have 64 bits")) &&
         sameOperands(decoder, type, 1) && decoder.finish(runCvta);
}

static Step runIsSpace(Thread &thread, const Op &op) {
  const uint64_t address = thread.values[op.in[0]];
  bool isIn = false;
  switch (op.space) {
  case Space::Shared:
    isIn = isInWindow(address, sharedWindow) &&
           rankOf(*thread.cta, address - sharedWindow) == thread.cta->rank;
    break;
  case Space::Cluster:
    isIn = isInWindow(address, sharedWindow) && rankOf(*thread.cta, address - sharedWindow);
    break;
  case Space::Local:
    isIn = isInWindow(address, localWindow);
    break;
  case Space::Param:
    isIn = isInWindow(address, parameterWindow);
    break;
  default: {
    const Region *region = thread.machine->memory.find(address);
    isIn = region && region->space == op.space;
    if (!region && op.space == Space::Global) // all other addresses are global
      isIn = !isInWindow(address, sharedWindow) && !isInWindow(address, localWindow) &&
             !isInWindow(address, parameterWindow);
  }
  }
  thread.put(op.d, uint8_t(isIn), thread.has<uint64_t>(op.in[0]));
  return Step::Next;
}

static bool decodeIsSpace(Decoder &decoder) {
  const auto space = takeSpace(decoder);
  if (!space)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.space = *space;
  return decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), Type::Pred, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::U64, decoder.op.in[0]) &&
         decoder.finish(runIsSpace);
}

std::span<const OpcodeRow> tilewright::ptx::moveOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"mov", decodeMov},
      {"cvta", decodeCvta},
      {"isspacep", decodeIsSpace},
  };
  return rows;
}
