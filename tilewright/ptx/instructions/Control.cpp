// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow (PTX ISA, 9.7.12): branches, calls, returns, thread exit. A call creates a frame;
// parameters and results are bytes of local memory that are copied between frames.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/HostCalls.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Frames.h"

using namespace tilewright::ptx;

static Step runBranch(Thread &thread, const Op &op) {
  thread.pc = op.target;
  return Step::Jump;
}

static bool decodeBranch(Decoder &decoder) {
  decoder.take("uni");
  if (!decoder.expectOperands(1))
    return false;
  if (decoder.operand(0).kind != OperandKind::Label)
    return decoder.refuse("'" + decoder.name() + "': expected a label");
  decoder.op.target = decoder.operand(0).index;
  return decoder.finish(runBranch);
}

static Step runIndexedBranch(Thread &thread, const Op &op) {
  const uint32_t index = thread.get<uint32_t>(op.in[0]);
  if (!thread.has<uint32_t>(op.in[0])) {
    thread.machine->report(Check::Undefined, thread, op, "the index of a branch is not defined");
    thread.machine->isStopped = true;
    return Step::Stop;
  }
  if (index >= op.list.count) {
    thread.machine->report(Check::OutOfBounds, thread, op,
                           "index " + std::to_string(index) + " of a branch with " +
                               std::to_string(op.list.count) + " targets");
    thread.machine->isStopped = true;
    return Step::Stop;
  }
  thread.pc = thread.code->slots[op.list.first + index];
  return Step::Jump;
}

static bool decodeIndexedBranch(Decoder &decoder) {
  if (!decoder.take("idx"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.take("uni");
  if (!decoder.expectOperands(2) ||
      !decoder.source(decoder.operand(0), Type::U32, decoder.op.in[0]))
    return false;
  if (decoder.operand(1).kind != OperandKind::Labels)
    return decoder.refuse("'" + decoder.name() + "': expected the label of .branchtargets");
  decoder.op.list = decoder.addLabels(decoder.operand(1).index);
  decoder.op.mayUsePending = true;
  return decoder.finish(runIndexedBranch);
}

//===-- Calls -------------------------------------------------------------------------------===//

static Step runCall(Thread &thread, const Op &op) { return callFunction(thread, op, op.target); }

static Step runIndirectCall(Thread &thread, const Op &op) {
  const uint64_t address = thread.values[op.in[0]];
  const uint64_t number = (address - codeWindow) / 16;
  const std::vector<Code> &codes = thread.machine->program.codes;
  if (!thread.has<uint64_t>(op.in[0]) || !isInWindow(address, codeWindow) || address % 16 ||
      number >= codes.size() || codes[number].ops.empty() || codes[number].function->isEntry) {
    thread.machine->report(Check::OutOfBounds, thread, op,
                           "the address that is called is not that of a function");
    thread.machine->isStopped = true;
    return Step::Stop;
  }
  return callFunction(thread, op, uint32_t(number));
}

/// Takes `(param0, param1)`; the slots have the addresses.
static bool takeArguments(Decoder &decoder, const Operand &operand, SlotList &list) {
  std::vector<uint32_t> slots;
  for (const Operand &part : operand.parts) {
    if (part.kind != OperandKind::Variable || part.bits != 0 ||
        decoder.module.variables[part.index].space != Space::Param)
      return decoder.refuse("'" + decoder.name() +
                            "' is not supported: an argument that is no "
                            ".param variable");
    if (!decoder.source(part, Type::B64, slots.emplace_back()))
      return false;
  }
  list = decoder.addList(slots);
  return true;
}

/// Do the number of arguments and their sizes match the parameters?
static bool fits(const Module &module, const std::vector<uint32_t> &variables,
                 const Operand &list) {
  if (variables.size() != list.parts.size())
    return false;
  for (size_t part = 0; part < variables.size(); ++part)
    if (module.variables[variables[part]].bytes != module.variables[list.parts[part].index].bytes)
      return false;
  return true;
}

static bool checkSignature(Decoder &decoder, const Function &callee, const Operand &results,
                           const Operand &arguments) {
  if (fits(decoder.module, callee.results, results) &&
      fits(decoder.module, callee.parameters, arguments))
    return true;
  return decoder.refuse("'" + decoder.name() + "': the arguments do not fit the parameters of '" +
                        std::string(callee.name) + "'");
}

/// Decodes `call (result), function, (arguments), prototype;`. All parts but the function are
/// optional.
static bool decodeCall(Decoder &decoder) {
  decoder.take("uni");
  const Operand none{OperandKind::List};
  size_t at = 0;
  const auto isList = [&] {
    return at < decoder.operandCount() && decoder.operand(at).kind == OperandKind::List;
  };
  const Operand &results = isList() ? decoder.operand(at++) : none;
  if (at == decoder.operandCount())
    return decoder.refuse("'" + decoder.name() + "' names no function");
  const Operand &callee = decoder.operand(at++);
  const Operand &arguments = isList() ? decoder.operand(at++) : none;
  if (!takeArguments(decoder, results, decoder.op.list) ||
      !takeArguments(decoder, arguments, decoder.op.list2))
    return false;
  if (callee.kind != OperandKind::Function)
    return decoder.source(callee, Type::B64, decoder.op.in[0]) && decoder.finish(runIndirectCall);
  const uint32_t number = decoder.module.resolve(callee.index);
  const Function &function = decoder.module.functions[number];
  if (const Handler handler = function.hasBody ? nullptr : hostCall(decoder.module, function))
    return checkSignature(decoder, function, results, arguments) && decoder.finish(handler);
  if (!function.hasBody)
    return decoder.refuse("'" + decoder.name() + "' of '" + std::string(function.name) +
                          "' is not supported: the function has no body in this module");
  if (function.isEntry)
    return decoder.refuse("'" + decoder.name() + "' of an entry is not supported");
  decoder.op.target = number;
  decoder.addFunction(number);
  return checkSignature(decoder, function, results, arguments) && decoder.finish(runCall);
}

static Step runReturn(Thread &thread, const Op &op) { return returnFromFunction(thread, op); }
static Step runExit(Thread &, const Op &) { return Step::Exit; }

static bool decodeReturn(Decoder &decoder) {
  decoder.take("uni");
  return decoder.expectOperands(0) && decoder.finish(runReturn);
}

static bool decodeExit(Decoder &decoder) {
  return decoder.expectOperands(0) && decoder.finish(runExit);
}

static Step runTrap(Thread &thread, const Op &op) {
  thread.machine->report(Check::Trap, thread, op, "trap");
  thread.machine->isStopped = true;
  return Step::Stop;
}

static bool decodeTrap(Decoder &decoder) {
  return decoder.expectOperands(0) && decoder.finish(runTrap);
}

/// A breakpoint without debugger, a sleep without time, an unused counter: no effect.
static Step runNothing(Thread &, const Op &) { return Step::Next; }

static bool decodeNanosleep(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::U32}) && decoder.expectOperands(1) &&
         decoder.source(decoder.operand(0), type, decoder.op.in[0]) && decoder.finish(runNothing);
}

/// Launches run one after the other, so a dependent launch never overlaps with its predecessor.
static bool decodeGridDependence(Decoder &decoder) {
  if (!decoder.take("wait") && !decoder.take("launch_dependents"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return decoder.expectOperands(0) && decoder.finish(runNothing);
}

static bool decodeEvent(Decoder &decoder) {
  uint64_t events = 0;
  decoder.take("mask");
  return decoder.expectOperands(1) && decoder.integer(decoder.operand(0), events) &&
         decoder.finish(runNothing);
}

static bool decodeBreakpoint(Decoder &decoder) {
  return decoder.expectOperands(0) && decoder.finish(runNothing);
}

std::span<const OpcodeRow> tilewright::ptx::controlOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"bra", decodeBranch},
      {"brx", decodeIndexedBranch},
      {"call", decodeCall},
      {"ret", decodeReturn},
      {"exit", decodeExit},
      {"trap", decodeTrap},
      {"nanosleep", decodeNanosleep},
      {"brkpt", decodeBreakpoint},
      {"griddepcontrol", decodeGridDependence},
      {"pmevent", decodeEvent},
  };
  return rows;
}
