// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Module.h.

#include "tilewright/ptx/text/Module.h"

using namespace tilewright::ptx;

std::string_view tilewright::ptx::nameOf(Space space) {
  static constexpr std::string_view names[] = {"generic", ".global", ".const",          ".shared",
                                               ".local",  ".param",  ".shared::cluster"};
  return names[size_t(space)];
}

std::string tilewright::ptx::toString(const Register &reg) {
  std::string text(reg.name);
  if (reg.number)
    text += std::to_string(*reg.number);
  return text;
}

std::string tilewright::ptx::spell(const Instruction &instruction) {
  std::string text(instruction.opcode);
  for (std::string_view modifier : instruction.modifiers)
    text.append(".").append(modifier);
  return text;
}

const Function *Module::find(std::string_view name) const {
  for (const Function &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

std::string_view Module::fileName(uint32_t number) const {
  for (const auto &[known, name] : files)
    if (known == number)
      return name;
  return {};
}
