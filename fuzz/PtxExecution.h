// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes arbitrary PTX texts: parses the text, and executes each entry that can be prepared for a
// limited time, with a few warps and one small array.

#ifndef TILEWRIGHT_FUZZ_PTXEXECUTION_H
#define TILEWRIGHT_FUZZ_PTXEXECUTION_H

#include "tilewright/ptx/async/TensorMap.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/text/Parser.h"

#include <array>
#include <cstring>

namespace tilewright::fuzz {

/// A tensor map for 64 rows of the array.
inline ptx::TensorMapBytes tensorMap(uint64_t address, uint64_t seed) {
  ptx::TensorMap map;
  map.rank = 2;
  map.type = *ptx::tensorTypeNamed(seed % 2 ? "f32" : "f16");
  map.swizzle = uint8_t(seed / 2 % 2 ? ptx::Swizzle::Bytes128 : ptx::Swizzle::None);
  map.address = address;
  map.dims = {64, 64};
  map.strides = {256};
  map.box = {32, 8u << (seed / 4 % 4)};
  return ptx::encode(map);
}

/// A parameter of 8 bytes is the address of the array, one of 128 bytes is a tensor map, and any
/// other is the number 64.
inline std::vector<uint8_t> parametersOf(const ptx::Program &program, uint64_t array,
                                         uint64_t seed) {
  std::vector<uint8_t> bytes(program.addresses.parameterBytes);
  for (uint32_t number : program.entry->parameters) {
    const uint64_t size = program.module->variables[number].bytes;
    uint8_t *at = &bytes[program.addresses.parameterOffset(number)];
    if (size == ptx::tensorMapBytes)
      std::memcpy(at, tensorMap(array, seed).data(), size);
    else if (size == sizeof array)
      std::memcpy(at, &array, size);
    else if (size)
      *at = 64;
  }
  return bytes;
}

inline void execute(const ptx::Program &program, uint64_t seed) {
  static constexpr uint64_t mostParameterBytes = 1 << 16, mostSteps = 50000;
  static constexpr uint32_t threads[] = {32, 64, 256, 288};
  if (program.addresses.parameterBytes > mostParameterBytes)
    return;
  ptx::Memory memory;
  ptx::loadVariables(program, memory);
  ptx::Region &array = memory.allocate("the array", ptx::Space::Global, 1 << 14);
  array.defineAll();
  ptx::Launch launch;
  launch.block = program.entry->requiredThreads.value_or(std::array{threads[seed / 3 % 4], 1u, 1u});
  launch.grid = program.entry->requiredCluster.value_or(launch.grid);
  launch.dynamicShared = 1 << 15;
  launch.parameters = parametersOf(program, array.base, seed);
  if (ptx::checkLaunch(program, launch))
    return;
  ptx::Schedule schedule;
  schedule.order = ptx::Order(seed % 3);
  schedule.seed = seed;
  schedule.stepLimit = mostSteps;
  ptx::Machine machine(program, memory, launch, schedule);
  ptx::execute(machine);
}

/// Returns why the text, or one of its entries, is refused; empty if nothing is.
inline std::string executeEntries(std::string text, uint64_t seed) {
  const auto parsed = ptx::parse(std::move(text));
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed))
    return refusal->message;
  const ptx::Module &module = std::get<ptx::Module>(parsed);
  std::string message;
  for (const ptx::Function &function : module.functions)
    if (function.isEntry && function.hasBody) {
      const auto prepared = ptx::prepare(module, function);
      if (const auto *refusal = std::get_if<ptx::Refusal>(&prepared))
        message = refusal->message;
      else
        execute(std::get<ptx::Program>(prepared), seed);
    }
  return message;
}

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_PTXEXECUTION_H
