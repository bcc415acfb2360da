// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prepare.h.

#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <algorithm>
#include <unordered_map>

using namespace tilewright::ptx;

using OpcodeMap = std::unordered_map<std::string_view, DecodeFunction>;

static const OpcodeMap &opcodes() {
  static const OpcodeMap map = [] {
    OpcodeMap all;
    for (const auto table :
         {integerOpcodes(),     bitOpcodes(),           carryOpcodes(),         floatOpcodes(),
          approximateOpcodes(), compareOpcodes(),       convertOpcodes(),       moveOpcodes(),
          memoryOpcodes(),      atomicOpcodes(),        controlOpcodes(),       warpOpcodes(),
          barrierOpcodes(),     matrixOpcodes(),        matrixMoveOpcodes(),    copyOpcodes(),
          clusterOpcodes(),     mbarrierOpcodes(),      launchControlOpcodes(), tensorMapOpcodes(),
          wgmmaOpcodes(),       registerCountOpcodes(), videoOpcodes(),         videoMadOpcodes(),
          wmmaOpcodes(),        stackOpcodes(),         cacheOpcodes(),         multimemOpcodes(),
          tcgen05Opcodes()})
      for (const OpcodeRow &row : table)
        all.emplace(row.opcode, row.decode);
    return all;
  }();
  return map;
}

std::vector<std::string_view> tilewright::ptx::supportedOpcodes() {
  std::vector<std::string_view> names;
  for (const auto &[name, decode] : opcodes())
    names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

//===-- Places of variables -----------------------------------------------------------------===//

static uint64_t aligned(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Places variables one after the other, with a gap between shared variables, so that an access
/// just beyond the end of one does not hit the next.
static constexpr uint64_t sharedGap = 16;

static Addresses placeVariables(const Module &module, const Function &entry) {
  Addresses addresses;
  addresses.ofVariable.assign(module.variables.size(), 0);
  uint64_t global = globalBase, shared = firstOffset, parameter = 0, dynamicAlignment = 16;
  for (size_t number = 0; number < module.variables.size(); ++number) {
    const Variable &variable = module.variables[number];
    uint64_t &address = addresses.ofVariable[number];
    if (variable.space == Space::Global || variable.space == Space::Const) {
      if (variable.isExtern)
        continue;
      address = aligned(global, std::max<uint64_t>(variable.alignment, 512));
      global = address + variable.bytes + 4096;
    } else if (variable.space == Space::Shared && variable.isExtern) {
      dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
    } else if (variable.space == Space::Shared) {
      address = aligned(shared, variable.alignment);
      shared = address + variable.bytes + sharedGap;
      addresses.sharedBytes = aligned(addresses.sharedBytes, variable.alignment) + variable.bytes;
    }
  }
  for (uint32_t number : entry.parameters) {
    const Variable &variable = module.variables[number];
    parameter = aligned(parameter, variable.alignment);
    addresses.ofVariable[number] = firstOffset + parameter;
    parameter += variable.bytes;
  }
  addresses.parameterBytes = parameter;
  addresses.dynamicShared = aligned(shared, dynamicAlignment);
  for (size_t number = 0; number < module.variables.size(); ++number)
    if (module.variables[number].space == Space::Shared && module.variables[number].isExtern)
      addresses.ofVariable[number] = addresses.dynamicShared;
  return addresses;
}

/// Places local variables, and the parameters of a called function.
static void placeLocals(const Module &module, const Function &function, Code &code) {
  uint64_t offset = 0;
  const auto place = [&](uint32_t number) {
    const Variable &variable = module.variables[number];
    offset = aligned(offset, std::min<uint64_t>(variable.alignment, 64));
    code.locals.push_back({number, offset});
    offset += variable.bytes;
  };
  if (!function.isEntry) {
    for (uint32_t number : function.parameters)
      place(number);
    for (uint32_t number : function.results)
      place(number);
  }
  for (uint32_t number : function.locals) {
    const Space space = module.variables[number].space;
    if (space == Space::Local || space == Space::Param)
      place(number);
  }
  code.localBytes = offset;
}

//===-- Functions ---------------------------------------------------------------------------===//

static std::optional<Refusal> decodeInstruction(const Module &module, const Function &function,
                                                FrameBuilder &frame, Code &code, size_t number) {
  const Instruction &instruction = function.body[number];
  const auto found = opcodes().find(instruction.opcode);
  if (found == opcodes().end())
    return Refusal{instruction.place, "instruction '" + spell(instruction) + "' is not supported"};
  Decoder decoder(module, function, frame, code, instruction);
  decoder.op.instruction = uint32_t(number);
  if (instruction.guard) {
    decoder.op.guard = instruction.guard->index;
    decoder.op.isGuardNegated = instruction.guard->isNegated;
  }
  if (!found->second(decoder)) {
    decoder.refuse("'" + spell(instruction) + "' is not supported");
    return decoder.refusal();
  }
  code.ops.push_back(decoder.op);
  return std::nullopt;
}

static std::optional<Refusal> decodeFunction(const Module &module, const Addresses &addresses,
                                             uint32_t number, Code &code) {
  const Function &function = module.functions[number];
  if (!function.requirements.empty())
    return Refusal{function.requirements.front().place,
                   "directive '" + std::string(function.requirements.front().text) +
                       "' is not supported"};
  code.function = &function;
  code.number = number;
  placeLocals(module, function, code);
  FrameBuilder frame(module, addresses, function, code);
  for (size_t at = 0; at < function.body.size(); ++at)
    if (auto refusal = decodeInstruction(module, function, frame, code, at))
      return refusal;
  // The end of the body returns, too.
  Instruction end{function.place, "ret", {}, {}};
  Decoder decoder(module, function, frame, code, end);
  opcodes().at("ret")(decoder);
  decoder.op.instruction = uint32_t(function.body.size());
  code.ops.push_back(decoder.op);
  return std::nullopt;
}

static bool isTensorFence(const Instruction &instruction) {
  return instruction.opcode == "tcgen05" && !instruction.modifiers.empty() &&
         instruction.modifiers.front().starts_with("fence");
}

/// Decodes all reachable functions, the entry first.
std::variant<Program, Refusal> tilewright::ptx::prepare(const Module &module,
                                                        const Function &entry) {
  Program program{&module, &entry, placeVariables(module, entry), {}};
  program.codes.resize(module.functions.size());
  std::vector<uint32_t> waiting = {uint32_t(&entry - module.functions.data())};
  for (const Variable &variable : module.variables)
    for (const Relocation &relocation : variable.relocations)
      if (relocation.isFunction && module.functions[module.resolve(relocation.target)].hasBody)
        waiting.push_back(module.resolve(relocation.target));
  while (!waiting.empty()) {
    const uint32_t number = waiting.back();
    waiting.pop_back();
    Code &code = program.codes[number];
    if (code.function)
      continue;
    if (!module.functions[number].hasBody)
      return Refusal{module.functions[number].place,
                     "function '" + std::string(module.functions[number].name) +
                         "' has no body in this module"};
    if (auto refusal = decodeFunction(module, program.addresses, number, code))
      return *refusal;
    program.hasTensorFence |=
        std::any_of(code.function->body.begin(), code.function->body.end(), isTensorFence);
    waiting.insert(waiting.end(), code.calls.begin(), code.calls.end());
  }
  return program;
}
