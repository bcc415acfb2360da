// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trace.h.

#include "tilewright/ptx/watch/Trace.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Access.h"

#include <algorithm>
#include <bit>
#include <cstdio>

using namespace tilewright::ptx;

//===-- Operands ----------------------------------------------------------------------------===//

/// Does the instruction write its first operand, if that is a register?
static bool writesFirst(const Instruction &instruction) {
  static constexpr std::string_view none[] = {
      "st",   "red",      "bar",      "barrier",      "cp",        "bra", "brx",
      "call", "stmatrix", "prefetch", "stackrestore", "nanosleep", "trap"};
  if (instruction.operands.empty() ||
      std::find(std::begin(none), std::end(none), instruction.opcode) != std::end(none))
    // bar.red and barrier.red have a result.
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), "red") !=
           instruction.modifiers.end();
  return instruction.operands.front().kind != OperandKind::Address;
}

namespace {
/// A register of an operand; registers of an address are shown as addresses.
struct Named {
  uint32_t number;
  bool isAddress;
};
} // namespace

/// Adds the registers of an operand and of its parts, without duplicates.
static void addRegisters(const Operand &operand, bool isAddress, std::vector<Named> &registers) {
  const bool isKnown = std::any_of(registers.begin(), registers.end(), [&](const Named &known) {
    return known.number == operand.index;
  });
  if (operand.kind == OperandKind::Register && !isKnown)
    registers.push_back({operand.index, isAddress});
  for (const Operand &part : operand.parts)
    addRegisters(part, isAddress || operand.kind == OperandKind::Address, registers);
}

static std::vector<Named> registersOf(const Instruction &instruction, bool isResult) {
  std::vector<Named> registers;
  const bool writes = writesFirst(instruction);
  for (size_t number = 0; number < instruction.operands.size(); ++number)
    if ((writes && number == 0) == isResult)
      addRegisters(instruction.operands[number], /*isAddress=*/false, registers);
  return registers;
}

//===-- Values ------------------------------------------------------------------------------===//

/// The type to show a register with. Registers are often declared as untyped bits, so the type
/// comes from the instruction: a conversion has the type of its result first. Fragments of matrix
/// products keep the declared type, because element types are not register types.
static Type typeOf(const Instruction &instruction, const Register &reg, bool isResult) {
  std::vector<Type> types;
  for (std::string_view modifier : instruction.modifiers)
    if (const auto type = typeNamed(modifier))
      types.push_back(*type);
  if (types.empty() || (types.size() > 2 && !isResult) || reg.type == Type::Pred)
    return reg.type;
  const Type type = isResult ? types.front() : types.back();
  return bytesOf(type) == bytesOf(reg.type) ? type : reg.type;
}

static std::string valueOf(const Thread &thread, uint32_t slot, Type type) {
  const unsigned bytes = bytesOf(type);
  const uint8_t all = uint8_t((1u << std::min(bytes, 8u)) - 1);
  if ((thread.defined[slot] & all) != all)
    return "undefined";
  const uint64_t bits = thread.values[slot];
  char text[40];
  switch (type) {
  case Type::Pred:
    return bits ? "true" : "false";
  case Type::F32:
    std::snprintf(text, sizeof text, "%.9g", double(std::bit_cast<float>(uint32_t(bits))));
    return text;
  case Type::F64:
    std::snprintf(text, sizeof text, "%.17g", std::bit_cast<double>(bits));
    return text;
  case Type::S16:
    return std::to_string(int16_t(bits));
  case Type::S32:
    return std::to_string(int32_t(bits));
  case Type::S64:
    return std::to_string(int64_t(bits));
  case Type::U16:
  case Type::U32:
    return std::to_string(bits);
  default: // 64 bits are often an address
    return hexOf(bits);
  }
}

static std::string listOf(const Thread &thread, const Code &code, const Instruction &instruction,
                          const std::vector<Named> &registers, bool isResult) {
  std::string text;
  for (const auto &[number, isAddress] : registers) {
    const Register &reg = code.function->registers[number];
    text += (text.empty() ? "" : ", ") + toString(reg) + " = " +
            valueOf(thread, number, isAddress ? reg.type : typeOf(instruction, reg, isResult));
  }
  return text;
}

//===-- Filters -----------------------------------------------------------------------------===//

std::string TraceFilter::unknownOpcode() const {
  const std::vector<std::string_view> supported = supportedOpcodes();
  for (const std::string &name : opcodes)
    if (!std::ranges::binary_search(supported, std::string_view(name).substr(0, name.find('.'))))
      return name;
  return {};
}

//===-- Lines -------------------------------------------------------------------------------===//

bool Trace::isSelected(const Thread &thread, const Instruction &instruction) const {
  return (filter.blocks.empty() || filter.blocks.count(thread.cta->index)) &&
         (filter.threads.empty() || filter.threads.count(thread.number)) &&
         (filter.opcodes.empty() || filter.opcodes.count(instruction.opcode) ||
          filter.opcodes.count(spell(instruction)));
}

std::string Trace::headOf(const Open &open) const {
  const Instruction &instruction = open.instruction();
  const auto [x, y, z] = open.block;
  return file + ":" + std::to_string(instruction.place.line) + ":" +
         std::to_string(instruction.place.column) + ": block (" + std::to_string(x) + ", " +
         std::to_string(y) + ", " + std::to_string(z) + "), thread " + std::to_string(open.number) +
         ": " + spell(instruction);
}

void Trace::writeLine(const Open &open, const std::string &text) {
  const std::string instruction = spell(open.instruction());
  if (lines++ < filter.mostLines)
    write({open.instruction().place, open.block, open.number, instruction, text});
  else
    ++omitted;
}

void Trace::begin(Thread &thread, const Op &op) {
  // The wait of the thread is over.
  if (const auto found = waiting.find(&thread); found != waiting.end()) {
    if (found->second.op == &op) // it executes the wait again
      return;
    finish(thread, found->second, "");
    waiting.erase(found);
  }
  current = {};
  const auto &body = thread.code->function->body;
  if (op.instruction >= body.size() || !isSelected(thread, body[op.instruction]))
    return;
  const Instruction &instruction = body[op.instruction];
  current.thread = &thread;
  current.op = &op;
  current.code = thread.code;
  current.block = thread.cta->index;
  current.number = thread.number;
  current.text = headOf(current);
  std::vector<Named> registers = registersOf(instruction, /*isResult=*/false);
  if (instruction.guard)
    registers.insert(registers.begin(), Named{instruction.guard->index, false});
  current.text +=
      "(" + listOf(thread, *thread.code, instruction, registers, /*isResult=*/false) + ")";
}

void Trace::end(Thread &thread, const Op &op, Position, Step step, bool isExecuted) {
  if (const auto found = waiting.find(&thread); found != waiting.end()) {
    if (step == Step::Wait)
      return;
    current = std::move(found->second);
    waiting.erase(found);
  }
  if (current.thread != &thread || current.op != &op)
    return;
  if (step == Step::Wait)
    waiting[&thread] = std::move(current);
  else
    finish(thread, current, isExecuted ? "" : " -> not executed");
  current = {};
}

void Trace::close() {
  for (auto &[thread, open] : waiting)
    writeLine(open, open.text + " -> still waits" + open.effect);
  waiting.clear();
}

void Trace::finish(Thread &thread, Open &open, std::string_view how) {
  const Instruction &instruction = open.instruction();
  std::string line = std::move(open.text);
  const std::vector<Named> results = registersOf(instruction, /*isResult=*/true);
  if (!how.empty())
    line += how;
  else if (!results.empty() && open.code == thread.code)
    line += " -> " + listOf(thread, *open.code, instruction, results, /*isResult=*/true);
  writeLine(open, line + open.effect);
}

void Trace::access(Thread &thread, Target target, unsigned bytes) {
  const auto found = waiting.find(&thread);
  Open &open = found != waiting.end() ? found->second : current;
  if (open.thread != &thread)
    return;
  uint64_t offset = 0;
  const std::string memory = describe(thread, target, offset);
  open.effect +=
      "; " + std::to_string(bytes) + " bytes of " + memory + " at byte " + std::to_string(offset);
}
