// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Load.h.

#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/text/Names.h"

using namespace tilewright::ptx;

static uint64_t addressOf(const Program &program, const Relocation &relocation) {
  if (relocation.isFunction)
    return codeWindow + 16 * uint64_t(program.module->resolve(relocation.target));
  return program.addresses.ofVariable[relocation.target] + uint64_t(relocation.addend);
}

static uint64_t valueOf(const Program &program, const Relocation &relocation) {
  const uint64_t address = addressOf(program, relocation);
  return relocation.byte ? address >> (8 * *relocation.byte) & 0xFF : address;
}

void tilewright::ptx::loadVariables(const Program &program, Memory &memory) {
  for (size_t number = 0; number < program.module->variables.size(); ++number) {
    const Variable &variable = program.module->variables[number];
    const bool isGlobal = variable.space == Space::Global || variable.space == Space::Const;
    const uint64_t address = program.addresses.ofVariable[number];
    if (!isGlobal || !address)
      continue;
    const std::string name = (variable.space == Space::Const ? "constant" : "global") +
                             std::string(" variable '") + demangled(variable.name) + "'";
    Region &region = memory.place(name, variable.space, address, variable.bytes);
    for (const InitialValue &value : variable.initial)
      region.store(value.offset, value.bytes, value.bits);
    for (const Relocation &relocation : variable.relocations)
      region.store(relocation.offset, relocation.bytes, valueOf(program, relocation));
    // A variable without an initial value is zero (PTX ISA, 5.1.3).
    region.defineAll();
    region.isReadOnly = variable.space == Space::Const;
  }
}
