// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scopes.h.

#include "tilewright/ptx/text/Scopes.h"

#include <charconv>

using namespace tilewright::ptx;

const Symbol *Scopes::find(std::string_view name, uint32_t from) const {
  for (uint32_t scope = from;; scope = scopes[scope].parent) {
    const auto found = scopes[scope].symbols.find(name);
    if (found != scopes[scope].symbols.end())
      return &found->second;
    if (scope == 0)
      return nullptr;
  }
}

/// Splits `%r12` into the range `%r` and 12. None for `%r012`, which belongs to no range.
static std::optional<std::pair<std::string_view, uint32_t>> splitNumber(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    --digits;
  uint32_t number = 0;
  const char *last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + digits, last, number);
  if (digits == 0 || error != std::errc() || end != last ||
      (name[digits] == '0' && name.size() - digits > 1))
    return std::nullopt;
  return std::pair(name.substr(0, digits), number);
}

std::optional<uint32_t> Scopes::findRegister(std::string_view name,
                                             std::vector<Register> &registers) {
  const auto split = splitNumber(name);
  for (uint32_t scope = current; scope != 0; scope = scopes[scope].parent) {
    auto &symbols = scopes[scope].symbols;
    if (const auto found = symbols.find(name); found != symbols.end()) {
      if (found->second.kind != SymbolKind::Register)
        return std::nullopt;
      return found->second.index;
    }
    if (!split)
      continue;
    const auto range = scopes[scope].ranges.find(split->first);
    if (range == scopes[scope].ranges.end() || split->second >= range->second.count)
      continue;
    const Type type = range->second.type;
    const uint32_t index = uint32_t(registers.size());
    registers.push_back({split->first, type, split->second});
    symbols.emplace(name, Symbol{SymbolKind::Register, index});
    return index;
  }
  return std::nullopt;
}
