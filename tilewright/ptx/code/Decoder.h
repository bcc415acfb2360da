// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes instructions into ops. The decode function of each family takes the modifiers and
// operands that it supports. Leftover modifiers are rejected, so an unimplemented modifier is never
// ignored.

#ifndef TILEWRIGHT_PTX_CODE_DECODER_H
#define TILEWRIGHT_PTX_CODE_DECODER_H

#include "tilewright/ptx/code/Program.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <span>

namespace tilewright::ptx {

/// Builds the frame of a function while it is decoded.
class FrameBuilder {
public:
  FrameBuilder(const Module &module, const Addresses &addresses, const Function &function,
               Code &code);

  uint32_t constant(uint64_t bits);
  uint32_t special(Special special);
  uint32_t scratch();
  /// The slot of the upper half of a 128-bit register; the register's own slot has the lower half.
  uint32_t upperHalf(uint32_t slot);
  /// The slot with the address of a variable in its state space; none if the variable has no
  /// memory.
  std::optional<uint32_t> address(uint32_t variable, int64_t offset);

private:
  uint32_t add(uint64_t bits, uint8_t defined);

  const Module &module;
  const Addresses &addresses;
  Code &code;
  std::map<uint64_t, uint32_t> constants;
  std::map<Special, uint32_t> specials;
  std::map<uint32_t, uint32_t> upperHalves;
  std::map<std::pair<uint32_t, int64_t>, uint32_t> localSlots;
  std::map<uint32_t, uint64_t> localOffsets;
  std::map<uint64_t, uint32_t> sharedSlots;
};

/// May a register be wider than the instruction's type? True for loads, stores and conversions.
enum class Width : uint8_t { Exact, AtLeast };

class Decoder {
public:
  Decoder(const Module &module, const Function &function, FrameBuilder &frame, Code &code,
          const Instruction &instruction)
      : module(module), function(function), frame(frame), code(code), instruction(instruction),
        left(instruction.modifiers) {}

  Op op;

  /// Does the instruction have this modifier, and was it not taken yet?
  bool has(std::string_view modifier) const;
  /// Takes the modifier, at any position.
  bool take(std::string_view modifier);
  /// The first untaken modifier that is in the list. Does not take it.
  std::optional<std::string_view> firstOf(std::initializer_list<std::string_view> modifiers) const;
  /// Takes the first modifier of the list that is present; returns its index in the list.
  std::optional<size_t> takeOneOf(std::initializer_list<std::string_view> modifiers);
  /// The same for names computed at run time.
  bool takeOneOf(const std::vector<std::string> &modifiers, std::string &found);
  /// Takes the first modifier that names a type.
  std::optional<Type> takeType();
  /// The same, but rejects the instruction if it has no type or one that is not in the list.
  bool expectType(Type &type, std::span<const Type> types);
  bool expectType(Type &type, std::initializer_list<Type> types) {
    return expectType(type, std::span(types.begin(), types.size()));
  }

  size_t operandCount() const { return instruction.operands.size(); }
  const Operand &operand(size_t number) const { return instruction.operands[number]; }
  bool expectOperands(size_t least, size_t most);
  bool expectOperands(size_t count) { return expectOperands(count, count); }
  /// A destination register.
  bool destination(const Operand &operand, Type type, uint32_t &slot, Width width = Width::Exact);
  bool source(const Operand &operand, Type type, uint32_t &slot, Width width = Width::Exact);
  /// A vector `{a, b}` of `count` operands, or of any number if `count` is 0; a single operand is a
  /// vector of one.
  bool sources(const Operand &operand, Type type, size_t count, SlotList &list,
               Width width = Width::Exact);
  bool destinations(const Operand &operand, Type type, size_t count, SlotList &list,
                    Width width = Width::Exact);
  /// Decodes `[a + 4]` into op.in[slot] and op.offset. A generic op.space becomes the space of the
  /// variable.
  bool address(const Operand &operand, Space space, size_t slot);
  bool integer(const Operand &operand, uint64_t &value);
  /// A .b128 register, or `_` as destination: appends the slots of the lower and upper half.
  bool wide(const Operand &operand, std::vector<uint32_t> &slots);
  bool wide(const Operand &operand, SlotList &list);
  uint32_t constant(uint64_t bits) { return frame.constant(bits); }
  /// Records that the function may be called through its address and so needs code.
  void addFunction(uint32_t number) { code.calls.push_back(number); }
  /// The target instructions of a `.branchtargets` list.
  SlotList addLabels(uint32_t number);
  SlotList addList(const std::vector<uint32_t> &slots);
  /// Stores the slots of a vector operand; rejects it unless it has `count` elements or `count` is
  /// 0.
  bool keepVector(const Operand &operand, const std::vector<uint32_t> &slots, size_t count,
                  SlotList &list);

  /// Sets the handler; rejects the instruction if there is none, or if a modifier is left.
  bool finish(Handler handler);
  bool refuse(const std::string &message) { return refuseAt(instruction.place, message); }
  bool refuseAt(Place place, const std::string &message);
  std::string name() const { return spell(instruction); }
  const std::optional<Refusal> &refusal() const { return why; }

  const Module &module;
  const Function &function;

private:
  bool registerOperand(const Operand &operand, Type type, uint32_t &slot, Width width);
  bool number(const Operand &operand, Type type, uint32_t &slot);

  FrameBuilder &frame;
  Code &code;
  const Instruction &instruction;
  std::vector<std::string_view> left;
  std::optional<Refusal> why;
};

using DecodeFunction = bool (*)(Decoder &);

struct OpcodeRow {
  std::string_view opcode;
  DecodeFunction decode;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_DECODER_H
