// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an instruction become an op? A function for each family takes the modifiers that it
// knows and the operands that it expects. What is left over is refused, so a modifier that nobody
// implements can never be ignored.

#ifndef TILEWRIGHT_PTX_CODE_DECODER_H
#define TILEWRIGHT_PTX_CODE_DECODER_H

#include "tilewright/ptx/code/Program.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <span>

namespace tilewright::ptx {

/// The frame of a function while it is decoded.
class FrameBuilder {
public:
  FrameBuilder(const Module &module, const Addresses &addresses, const Function &function,
               Code &code);

  uint32_t constant(uint64_t bits);
  uint32_t special(Special special);
  uint32_t scratch();
  /// Where the upper half of a register of 128 bits is; the lower one has its own slot.
  uint32_t upperHalf(uint32_t slot);
  /// The address of a variable, in its space; none for one that has no place.
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
};

/// May a register be wider than the type of the instruction? Loads, stores and conversions say yes.
enum class Width : uint8_t { Exact, AtLeast };

class Decoder {
public:
  Decoder(const Module &module, const Function &function, FrameBuilder &frame, Code &code,
          const Instruction &instruction)
      : module(module), function(function), frame(frame), code(code), instruction(instruction),
        left(instruction.modifiers) {}

  Op op;

  /// Is the modifier there, and not taken yet?
  bool has(std::string_view modifier) const;
  /// Takes the modifier, wherever it stands.
  bool take(std::string_view modifier);
  /// The one of these that stands first; it is not taken.
  std::optional<std::string_view> firstOf(std::initializer_list<std::string_view> modifiers) const;
  /// Takes the first that is there of these; its number.
  std::optional<size_t> takeOneOf(std::initializer_list<std::string_view> modifiers);
  /// The same of names that are made at run time.
  bool takeOneOf(const std::vector<std::string> &modifiers, std::string &found);
  /// Takes the first modifier that is a type.
  std::optional<Type> takeType();
  /// The same; refuses if there is none, or none of these.
  bool expectType(Type &type, std::span<const Type> types);
  bool expectType(Type &type, std::initializer_list<Type> types) {
    return expectType(type, std::span(types.begin(), types.size()));
  }

  size_t operandCount() const { return instruction.operands.size(); }
  const Operand &operand(size_t number) const { return instruction.operands[number]; }
  bool expectOperands(size_t least, size_t most);
  bool expectOperands(size_t count) { return expectOperands(count, count); }
  /// A register that is written.
  bool destination(const Operand &operand, Type type, uint32_t &slot, Width width = Width::Exact);
  bool source(const Operand &operand, Type type, uint32_t &slot, Width width = Width::Exact);
  /// `{a, b}` of this size, or 0 for any; a single operand is a vector of one.
  bool sources(const Operand &operand, Type type, size_t count, SlotList &list,
               Width width = Width::Exact);
  bool destinations(const Operand &operand, Type type, size_t count, SlotList &list,
                    Width width = Width::Exact);
  /// `[a + 4]`: op.in[slot], op.offset; op.space becomes that of a variable if it is generic.
  bool address(const Operand &operand, Space space, size_t slot);
  bool integer(const Operand &operand, uint64_t &value);
  /// A register of type .b128, or `_` to write to: appends the slots of its lower and upper half.
  bool wide(const Operand &operand, std::vector<uint32_t> &slots);
  bool wide(const Operand &operand, SlotList &list);
  uint32_t constant(uint64_t bits) { return frame.constant(bits); }
  /// The function may be called through its address, so it has to have code.
  void addFunction(uint32_t number) { code.calls.push_back(number); }
  /// The instructions of a list of `.branchtargets`.
  SlotList addLabels(uint32_t number);
  SlotList addList(const std::vector<uint32_t> &slots);
  /// The slots of an operand; `count` is how many there must be, or 0.
  bool keepVector(const Operand &operand, const std::vector<uint32_t> &slots, size_t count,
                  SlotList &list);

  /// Sets the handler; refuses if there is none, or if a modifier is left.
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
