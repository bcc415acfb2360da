// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Video instructions (PTX ISA, 9.7.18 and 9.7.19): arithmetic on bytes and halves of registers.
// Scalar ones select a part of each operand; those ending in 2 or 4 compute on all halves or bytes
// at once. VideoMad.cpp has vmad.

#include "tilewright/ptx/instructions/video/VideoParts.h"

#include <algorithm>

using namespace tilewright::ptx;

namespace {
enum class Video : uint32_t { Add, Sub, AbsDiff, Min, Max, Average, Set, Shl, Shr };
enum class Second : uint32_t { None, Add, Min, Max };

/// The fields of op.mode.
struct Form {
  Video operation;
  bool isSignedA, isSignedB, isSignedD, isSaturated;
  Second second;
  uint32_t outcomes; ///< For vset: less 1, equal 2, greater 4.
  bool isWrapped;

  uint32_t toMode() const {
    return uint32_t(operation) | uint32_t(isSignedA) << 4 | uint32_t(isSignedB) << 5 |
           uint32_t(isSignedD) << 6 | uint32_t(isSaturated) << 7 | uint32_t(second) << 8 |
           outcomes << 10 | uint32_t(isWrapped) << 13;
  }
  static Form of(uint32_t m) {
    return {Video(m & 15),     (m >> 4 & 1) != 0,  (m >> 5 & 1) != 0, (m >> 6 & 1) != 0,
            (m >> 7 & 1) != 0, Second(m >> 8 & 3), m >> 10 & 7,       (m >> 13 & 1) != 0};
  }
};

} // namespace

static int64_t operate(const Form &form, int64_t a, int64_t b) {
  switch (form.operation) {
  case Video::Add:
    return a + b;
  case Video::Sub:
    return a - b;
  case Video::AbsDiff:
    return a < b ? b - a : a - b;
  case Video::Min:
    return std::min(a, b);
  case Video::Max:
    return std::max(a, b);
  case Video::Average: // rounds negative sums down, others up
    return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
  case Video::Set:
    return (form.outcomes & (a < b ? 1u : a == b ? 2u : 4u)) != 0;
  default: {
    const unsigned by = unsigned(form.isWrapped ? b & 31 : std::min<int64_t>(b, 32));
    if (form.operation == Video::Shr)
      return a >> by;
    if (!form.isSaturated)
      return int64_t(uint64_t(a) << by);
    // A value to saturate has 34 bits.
    constexpr unsigned dropped = 64 - 34;
    return int64_t(uint64_t(a) << by << dropped) >> dropped;
  }
  }
}

static int64_t saturate(int64_t value, unsigned bits, bool isSigned) {
  const int64_t largest = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
  return std::clamp(value, isSigned ? -largest - 1 : 0, largest);
}

//===-- One part ----------------------------------------------------------------------------===//

// op.offset has the parts of d, a and b, a byte each: the shift, and in the upper three bits the
// number of bits divided by 8.
static uint64_t encode(VideoPart part) { return part.shift | uint64_t(part.bits / 8) << 5; }
static VideoPart partAt(const Op &op, unsigned operand) {
  const unsigned byte = unsigned(uint64_t(op.offset) >> (8 * operand) & 0xFF);
  return {byte & 31, (byte >> 5) * 8};
}

/// A sum or difference is truncated to the type of d before it is combined with c; other results
/// keep their upper bits. A GPU behaves this way (test/gpu/instructions.py, where d is signed).
static uint32_t combine(const Form &form, int64_t value, uint32_t c) {
  const auto typed = [&](uint32_t word) {
    return form.isSignedD ? int64_t(int32_t(word)) : int64_t(word);
  };
  if (form.operation == Video::Add || form.operation == Video::Sub)
    value = typed(uint32_t(value));
  const int64_t third = typed(c);
  switch (form.second) {
  case Second::Add:
    return uint32_t(value + third);
  case Second::Min:
    return uint32_t(std::min(value, third));
  case Second::Max:
    return uint32_t(std::max(value, third));
  case Second::None:
    break;
  }
  return uint32_t(value);
}

static Step runScalar(Thread &thread, const Op &op) {
  const Form form = Form::of(op.mode);
  const VideoPart into = partAt(op, 0);
  int64_t value =
      operate(form, extractPart(thread.get<uint32_t>(op.in[0]), partAt(op, 1), form.isSignedA),
              extractPart(thread.get<uint32_t>(op.in[1]), partAt(op, 2), form.isSignedB));
  if (form.isSaturated)
    value = saturate(value, into.bits, form.isSignedD);
  bool isDefined = thread.has<uint32_t>(op.in[0]) && thread.has<uint32_t>(op.in[1]);
  uint32_t result = uint32_t(value);
  if (op.in[2] != noSlot) {
    const uint32_t c = thread.get<uint32_t>(op.in[2]);
    isDefined &= thread.has<uint32_t>(op.in[2]);
    const uint32_t mask = into.bits == 32 ? UINT32_MAX : ((1u << into.bits) - 1) << into.shift;
    // Combined with c, or inserted into a part of it.
    result =
        into.bits == 32 ? combine(form, value, c) : (result << into.shift & mask) | (c & ~mask);
  }
  thread.put(op.d, result, isDefined);
  return Step::Next;
}

//===-- All parts ---------------------------------------------------------------------------===//

// op.offset: the lowest bits have the mask of d; from bit 8 on there are the four parts of a, from
// bit 24 on those of b, a nibble each. Parts of b are numbered after those of a.
template <unsigned count> static Step runParts(Thread &thread, const Op &op) {
  constexpr unsigned bits = 32 / count;
  const Form form = Form::of(op.mode);
  const uint64_t choices = uint64_t(op.offset);
  const uint32_t words[2] = {thread.get<uint32_t>(op.in[0]), thread.get<uint32_t>(op.in[1])};
  const uint32_t c = thread.get<uint32_t>(op.in[2]);
  const auto part = [&](unsigned first, unsigned number, bool isSigned) {
    const unsigned chosen = unsigned(choices >> (first + 4 * number) & 0xF);
    return extractPart(words[chosen / count % 2], {bits * (chosen % count), bits}, isSigned);
  };
  uint32_t sum = c, merged = 0;
  for (unsigned number = 0; number < count; ++number) {
    const uint32_t mask = uint32_t((uint64_t(1) << bits) - 1) << (bits * number);
    if (!(choices >> number & 1)) {
      merged |= c & mask;
      continue;
    }
    int64_t value =
        operate(form, part(8, number, form.isSignedA), part(24, number, form.isSignedB));
    if (form.isSaturated)
      value = saturate(value, bits, form.isSignedD);
    sum += uint32_t(value);
    merged |= uint32_t(value) << (bits * number) & mask;
  }
  const bool needsC =
      form.second == Second::Add || (choices & ((1u << count) - 1)) != (1u << count) - 1;
  thread.put(op.d, form.second == Second::Add ? sum : merged,
             thread.has<uint32_t>(op.in[0]) && thread.has<uint32_t>(op.in[1]) &&
                 (!needsC || thread.has<uint32_t>(op.in[2])));
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool takeTypes(Decoder &decoder, Form &form) {
  Type d = Type::U32, a, b;
  if (form.operation != Video::Set && !decoder.expectType(d, {Type::U32, Type::S32}))
    return false;
  if (!decoder.expectType(a, {Type::U32, Type::S32}))
    return false;
  const bool isShift = form.operation == Video::Shl || form.operation == Video::Shr;
  if (!(isShift ? decoder.expectType(b, {Type::U32})
                : decoder.expectType(b, {Type::U32, Type::S32})))
    return false;
  form.isSignedA = isSigned(a);
  form.isSignedD = form.operation == Video::Set
                       ? form.isSignedA
                       : isSigned(d); // the operands' signedness, for the combination with c
  form.isSignedB = isSigned(b);
  return true;
}

static bool takeComparison(Decoder &decoder, Form &form) {
  static constexpr uint32_t outcomes[] = {2, 5, 1, 3, 4, 6};
  const auto found = decoder.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge"});
  if (found)
    form.outcomes = outcomes[*found];
  return found || decoder.refuse("'" + decoder.name() + "' has no comparison");
}

static bool takeForm(Decoder &decoder, Form &form) {
  if (!takeTypes(decoder, form))
    return false;
  if (form.operation == Video::Set)
    return takeComparison(decoder, form);
  form.isSaturated = decoder.take("sat");
  if (form.operation != Video::Shl && form.operation != Video::Shr)
    return true;
  const auto shift = decoder.takeOneOf({"clamp", "wrap"});
  form.isWrapped = shift && *shift == 1;
  return shift || decoder.refuse("'" + decoder.name() + "' has neither .clamp nor .wrap");
}

bool tilewright::ptx::takeVideoPart(Decoder &decoder, const Operand &operand, Operand &whole,
                                    VideoPart &part) {
  whole = operand;
  whole.part = {};
  const std::string_view name = operand.part;
  if (name.empty())
    return true;
  const unsigned number = unsigned(name[1] - '0'), bits = name[0] == 'b' ? 8 : 16;
  part = {bits * number, bits};
  return (name.size() == 2 && bits * number < 32) ||
         decoder.refuseAt(operand.place, "'" + decoder.name() + "': a register has no part '." +
                                             std::string(name) + "'");
}

template <Video operation> static bool decodeScalar(Decoder &decoder) {
  Form form{operation, false, false, false, false, Second::None, 0, false};
  if (!takeForm(decoder, form))
    return false;
  if (const auto second = decoder.takeOneOf({"add", "min", "max"}))
    form.second = Second(uint32_t(*second) + 1);
  Op &op = decoder.op;
  op.mode = form.toMode();
  Operand d{OperandKind::Sink}, a = d, b = d;
  VideoPart parts[3];
  if (!decoder.expectOperands(3, 4) || !takeVideoPart(decoder, decoder.operand(0), d, parts[0]) ||
      !takeVideoPart(decoder, decoder.operand(1), a, parts[1]) ||
      !takeVideoPart(decoder, decoder.operand(2), b, parts[2]))
    return false;
  const bool needsThird = form.second != Second::None || parts[0].bits != 32;
  if (form.second != Second::None && parts[0].bits != 32)
    return decoder.refuse("'" + decoder.name() + "' writes a part, and so joins nothing");
  if (!decoder.expectOperands(needsThird ? 4 : 3))
    return false;
  op.offset = int64_t(encode(parts[0]) | encode(parts[1]) << 8 | encode(parts[2]) << 16);
  return decoder.destination(d, Type::U32, op.d) && decoder.source(a, Type::U32, op.in[0]) &&
         decoder.source(b, Type::U32, op.in[1]) &&
         (!needsThird || decoder.source(decoder.operand(3), Type::U32, op.in[2])) &&
         decoder.finish(runScalar);
}

/// Takes `.h10`, `.b3210`: a digit for each part, the highest first. The default is all parts in
/// order.
static bool takeChoices(Decoder &decoder, const Operand &operand, unsigned count, unsigned first,
                        uint64_t &choices) {
  choices = 0;
  const std::string_view name = operand.part;
  if (name.empty()) {
    for (unsigned number = 0; number < count; ++number)
      choices |= uint64_t(first + number) << (4 * number);
    return true;
  }
  bool fits = name.size() == count + 1 && name[0] == (count == 2 ? 'h' : 'b');
  for (unsigned number = 0; fits && number < count; ++number) {
    const unsigned chosen = unsigned(name[count - number] - '0');
    fits = chosen < 2 * count;
    choices |= uint64_t(chosen) << (4 * number);
  }
  return fits ||
         decoder.refuseAt(operand.place, "'" + decoder.name() + "': '." + std::string(name) +
                                             "' chooses no " + std::to_string(count) + " parts");
}

/// Takes `.h1`, `.b210`: the parts that are written.
static bool takeMask(Decoder &decoder, const Operand &operand, unsigned count, uint64_t &mask) {
  const std::string_view name = operand.part;
  mask = name.empty() ? (1u << count) - 1 : 0;
  bool fits = name.empty() ||
              (name.size() >= 2 && name.size() <= count + 1 && name[0] == (count == 2 ? 'h' : 'b'));
  for (char digit : name.substr(name.empty() ? 0 : 1)) {
    const unsigned number = unsigned(digit - '0');
    fits &= number < count && (mask & ((2u << number) - 1)) == 0; // the highest first
    mask |= 1u << number;
  }
  return fits || decoder.refuseAt(operand.place, "'" + decoder.name() + "': '." +
                                                     std::string(name) + "' is no mask");
}

template <Video operation, unsigned count> static bool decodeParts(Decoder &decoder) {
  Form form{operation, false, false, false, false, Second::None, 0, false};
  uint64_t mask = 0, a = 0, b = 0;
  if (!takeForm(decoder, form))
    return false;
  if (decoder.take("add"))
    form.second = Second::Add;
  if (!decoder.expectOperands(4) || !takeMask(decoder, decoder.operand(0), count, mask) ||
      !takeChoices(decoder, decoder.operand(1), count, 0, a) ||
      !takeChoices(decoder, decoder.operand(2), count, count, b))
    return false;
  Op &op = decoder.op;
  op.mode = form.toMode();
  op.offset = int64_t(mask | a << 8 | b << 24);
  Operand operands[3] = {decoder.operand(0), decoder.operand(1), decoder.operand(2)};
  for (Operand &operand : operands)
    operand.part = {};
  return decoder.destination(operands[0], Type::U32, op.d) &&
         decoder.source(operands[1], Type::U32, op.in[0]) &&
         decoder.source(operands[2], Type::U32, op.in[1]) &&
         decoder.source(decoder.operand(3), Type::U32, op.in[2]) && decoder.finish(runParts<count>);
}

std::span<const OpcodeRow> tilewright::ptx::videoOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"vadd", decodeScalar<Video::Add>},
      {"vsub", decodeScalar<Video::Sub>},
      {"vabsdiff", decodeScalar<Video::AbsDiff>},
      {"vmin", decodeScalar<Video::Min>},
      {"vmax", decodeScalar<Video::Max>},
      {"vset", decodeScalar<Video::Set>},
      {"vshl", decodeScalar<Video::Shl>},
      {"vshr", decodeScalar<Video::Shr>},
      {"vadd2", decodeParts<Video::Add, 2>},
      {"vsub2", decodeParts<Video::Sub, 2>},
      {"vabsdiff2", decodeParts<Video::AbsDiff, 2>},
      {"vmin2", decodeParts<Video::Min, 2>},
      {"vmax2", decodeParts<Video::Max, 2>},
      {"vavrg2", decodeParts<Video::Average, 2>},
      {"vset2", decodeParts<Video::Set, 2>},
      {"vadd4", decodeParts<Video::Add, 4>},
      {"vsub4", decodeParts<Video::Sub, 4>},
      {"vabsdiff4", decodeParts<Video::AbsDiff, 4>},
      {"vmin4", decodeParts<Video::Min, 4>},
      {"vmax4", decodeParts<Video::Max, 4>},
      {"vavrg4", decodeParts<Video::Average, 4>},
      {"vset4", decodeParts<Video::Set, 4>},
  };
  return rows;
}
